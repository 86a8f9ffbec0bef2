// Files and folders of this machine as a source.
//
// Names are absolute, without `.` and `..`, whatever path was given: each file has exactly one name. Folders
// are walked in order of names; links to folders are not followed. Files that usually stand beside histories
// (`*_conf.xml`, `.crc`, `_SUCCESS`, `*.summary`) are skipped with a note; the settings in a `_conf.xml` are
// read with its history. A version is the size and the time of change; `since` skips files changed before it.
// A file of more than 1 GiB (inflated: also of more than 64 MiB and 200 times its size) is refused.
#pragma once

#include <filesystem>
#include <optional>

#include "wavewright/history/source.h"

namespace wavewright {

class LocalSource : public HistorySource {
 public:
  // Throws ExternalError if `path` does not exist.
  explicit LocalSource(const std::filesystem::path& path, std::optional<Time> since = std::nullopt);

  void list(const std::function<bool(HistoryFile&&)>& found,
            const DiagnosticSink& diagnostics) const override;
  [[nodiscard]] FileHistory read(const HistoryFile& listed) const override;

 private:
  std::filesystem::path path_;
  std::optional<Time> since_;
};

}  // namespace wavewright
