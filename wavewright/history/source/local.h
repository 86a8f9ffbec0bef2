// Files and folders of this machine as a source.
//
// Names are absolute and without `.` and `..`, whatever the path was typed like: two files never share one,
// and a file has but one. Folders are walked in order of names; links to folders are not followed. Files that
// are known to stand beside histories (`*_conf.xml`, `.crc`, `_SUCCESS`, `*.summary`) are passed over with a
// note; the settings in a `_conf.xml` are read with its history. A version is the size and the time of
// change, and `since` leaves out what changed before it. A file of more than 1 GiB (inflated: or of more than
// 64 MiB and 200 times its size) is refused.
#pragma once

#include <filesystem>
#include <optional>

#include "wavewright/history/source.h"

namespace wavewright {

class LocalSource : public HistorySource {
 public:
  // ExternalError where there is nothing at `path`.
  explicit LocalSource(const std::filesystem::path& path, std::optional<Time> since = std::nullopt);

  void list(const std::function<bool(HistoryFile&&)>& found,
            const DiagnosticSink& diagnostics) const override;
  [[nodiscard]] FileHistory read(const HistoryFile& listed) const override;

 private:
  std::filesystem::path path_;
  std::optional<Time> since_;
};

}  // namespace wavewright
