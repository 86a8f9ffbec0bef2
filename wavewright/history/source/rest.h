// Finished jobs of a JobHistory server, or running ones of a ResourceManager, over REST.
//
// Requests to /ws/v1/history/info and /ws/v1/cluster/info show which of the two it is. A job's version is its
// state and finish time; for a running job it is empty, so that it is read each time. With
// SourceOptions::jobs a JobHistory server is not asked for its list, but for each of these jobs.
#pragma once

#include "wavewright/history/source.h"
#include "wavewright/history/source/jobs.h"

namespace wavewright {

class RestSource : public HistorySource {
 public:
  // `where`: `http://HOST[:PORT]`, default port 19888, or 19890 for https. Throws UsageError for any other
  // form.
  RestSource(const std::string& where, const SourceOptions& options);

  // Finished jobs newest first, in windows of finish times so that no response holds more than about a
  // thousand jobs. A job with a malformed id is a diagnostic. Throws ExternalError if neither server answers
  // or the answer is no list.
  // With SourceOptions::jobs in their order. One that the JobHistory server does not know (404) is passed
  // over, one that it cannot tell is a diagnostic. O(jobs) requests.
  void list(const std::function<bool(HistoryFile&&)>& found,
            const DiagnosticSink& diagnostics) const override;
  [[nodiscard]] FileHistory read(const HistoryFile& listed) const override;

 private:
  void list_jobs(const std::function<bool(HistoryFile&&)>& found, const DiagnosticSink& diagnostics) const;
  void list_finished(const std::function<bool(HistoryFile&&)>& found,
                     const DiagnosticSink& diagnostics) const;
  void list_asked(const std::function<bool(HistoryFile&&)>& found, const DiagnosticSink& diagnostics) const;
  [[nodiscard]] std::optional<HistoryFile> ask_for(const std::string& id,
                                                   const DiagnosticSink& diagnostics) const;
  void list_running(const std::function<bool(HistoryFile&&)>& found, const DiagnosticSink& diagnostics) const;

  std::optional<Time> since_;
  std::vector<std::string> jobs_;  // as SourceOptions::jobs
  WebServer server_;
  JobReading finished_;
  JobReading running_;
};

}  // namespace wavewright
