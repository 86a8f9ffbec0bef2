// The source contract: where histories lie. A source lists what it holds and reads one of them.
//
// An implementer promises:
//  - `list` names each file once, the newest first where the place tells ages, and holds in memory no more
//    than one folder's names; what cannot be listed or is passed over is a diagnostic, and the listing goes
//    on;
//  - a file's `version` differs whenever its content does, so that an import can pass over what it has read
//    before without reading it again; empty where the place does not tell;
//  - `read` never throws for what one file holds or lacks: that is a diagnostic of its FileHistory. It throws
//    ExternalError where the whole place is gone (server down, not allowed), so that the import stops;
//  - `read` may be called from several threads at once, `list` from one.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "wavewright/history/reader.h"

namespace wavewright {

struct HistoryFile {
  std::string name;       // path or URL; unique over all sources
  std::string version;    // such as size and time of change; empty = unknown, to be read each time
  std::size_t bytes = 0;  // that reading holds in memory, about; 0 = unknown, and little
};

struct FileHistory {
  std::string name;    // as listed
  std::string format;  // empty: not recognised
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
  std::string user;     // who asks WebHDFS; empty = HADOOP_USER_NAME, else the login name
  std::string ca_file;  // certificates to trust besides the system's; empty = none
  // Only what changed or finished at or after this instant, where the place tells.
  std::optional<Time> since = std::nullopt;
};

// The source for a path or URL: `http(s)://HOST:PORT` a JobHistory server or a ResourceManager,
// `hdfs://HOST:PORT/PATH` (also `webhdfs`, `swebhdfs`) WebHDFS, anything else a file or folder. ExternalError
// where there is no such file, UsageError for an address that is none; a server is asked by `list`.
[[nodiscard]] std::unique_ptr<HistorySource> open_source(const std::string& where,
                                                         const SourceOptions& options = {});

// Lists and reads everything in one file or folder, in one thread. What was passed over or cannot be listed
// comes as a FileHistory without runs.
void read_history_path(const std::string& path, const std::function<void(FileHistory&&)>& each_file);

}  // namespace wavewright
