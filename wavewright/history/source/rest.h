// A JobHistory server's finished jobs, or a ResourceManager's running ones, over REST.
//
// Which of the two answers at an address is found out by asking /ws/v1/history/info and
// /ws/v1/cluster/info. A job's version is its state and finish time; of a running job it is empty, so that
// it is read each time.
#pragma once

#include "wavewright/history/source.h"
#include "wavewright/history/source/jobs.h"

namespace wavewright {

class RestSource : public HistorySource {
 public:
  // `where`: `http://HOST[:PORT]`, 19888 where no port is named. UsageError when it is no such address.
  RestSource(const std::string& where, const SourceOptions& options);

  // Finished jobs newest first, asked in windows of finish times so that no answer holds more than about a
  // thousand jobs. A job whose id is none of Hadoop's is a diagnostic. ExternalError where
  // neither server answers, or with no list.
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
