// The source contract: a source is a place of histories; it lists them and reads them one by one.
//
// An implementer promises:
//  - `list` names each file once, the newest first if the place knows ages. It holds at most one folder's
//    names in memory. What cannot be listed or is skipped is a diagnostic, and the listing goes on;
//  - a file's `version` changes whenever its content does, so that an import can skip what it has read
//    before. It is empty if the place has no versions;
//  - `read` does not throw for the content of one file: that is a diagnostic of its FileHistory. It throws
//    ExternalError if the whole place is gone (server down, not allowed), so that the import stops;
//  - both throw Interrupted soon after SourceOptions::interrupted is set, if they wait for long;
//  - `read` may be called from several threads at once, `list` from one.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "wavewright/core/interrupted.h"
#include "wavewright/history/reader.h"

namespace wavewright {

struct HistoryFile {
  std::string name;       // path or URL; unique over all sources
  std::string version;    // such as size and time of change; empty = unknown, so read it each time
  std::size_t bytes = 0;  // approximate memory for reading it; 0 = unknown, and little
};

struct FileHistory {
  std::string name;    // as listed
  std::string format;  // empty = not recognised
  std::vector<JobRun> runs;
  std::vector<Diagnostic> diagnostics;
};

class HistorySource {
 public:
  virtual ~HistorySource() = default;

  // Calls `found` for each file until it returns false.
  virtual void list(const std::function<bool(HistoryFile&&)>& found,
                    const DiagnosticSink& diagnostics) const = 0;
  [[nodiscard]] virtual FileHistory read(const HistoryFile& file) const = 0;
};

struct SourceOptions {
  std::string user;     // WebHDFS user; empty = HADOOP_USER_NAME, else the login name
  std::string ca_file;  // certificates to trust besides the system's; empty = none
  // Only files changed or finished at or after this instant, if the place knows.
  std::optional<Time> since = std::nullopt;
  InterruptFlag interrupted = nullptr;  // ends what waits for a server or a pipe
  // Only the jobs with these ids (`job_1700000000000_0001`), whenever they finished; empty = all. For a
  // JobHistory server, which is asked for each by itself and need not know it, and a ResourceManager.
  std::vector<std::string> jobs = {};
};

// The source of a path or URL: `http(s)://HOST:PORT` is a JobHistory server or a ResourceManager,
// `hdfs://HOST:PORT/PATH` (also `webhdfs`, `swebhdfs`) WebHDFS, anything else a file or folder. Throws
// ExternalError if the file does not exist, UsageError for a malformed address; a server is contacted only by
// `list`.
[[nodiscard]] std::unique_ptr<HistorySource> open_source(const std::string& where,
                                                         const SourceOptions& options = {});

// Lists and reads a file or folder in one thread. Each diagnostic of the listing is a FileHistory without
// runs.
void read_history_path(const std::string& path, const std::function<void(FileHistory&&)>& each_file);

}  // namespace wavewright
