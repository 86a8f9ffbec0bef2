// Finished jobs of a JobHistory server, or running ones of a ResourceManager, over REST.
//
// Requests to /ws/v1/history/info and /ws/v1/cluster/info show which of the two it is. A job's version is its
// state and finish time; for a running job it is empty, so that it is read each time.
#pragma once

#include "wavewright/history/source.h"
#include "wavewright/history/source/jobs.h"

namespace wavewright {

class RestSource : public HistorySource {
 public:
  // `where`: `http://HOST[:PORT]`, default port 19888. Throws UsageError for any other form.
  RestSource(const std::string& where, const SourceOptions& options);

  // Finished jobs newest first, in windows of finish times so that no response holds more than about a
  // thousand jobs. A job with a malformed id is a diagnostic. Throws ExternalError if neither server answers
  // or the answer is no list.
  void list(const std::function<bool(HistoryFile&&)>& found,
            const DiagnosticSink& diagnostics) const override;
  [[nodiscard]] FileHistory read(const HistoryFile& listed) const override;

 private:
  void list_jobs(const std::function<bool(HistoryFile&&)>& found, const DiagnosticSink& diagnostics) const;
  void list_finished(const std::function<bool(HistoryFile&&)>& found,
                     const DiagnosticSink& diagnostics) const;
  void list_running(const std::function<bool(HistoryFile&&)>& found, const DiagnosticSink& diagnostics) const;

  std::optional<Time> since_;
  WebServer server_;
  JobReading finished_;
  JobReading running_;
};

}  // namespace wavewright
