// Files and folders of this machine as a source.
//
// Folders are walked in order of names; links to folders are not followed. Files that are known to stand
// beside histories (`*_conf.xml`, `.crc`, `_SUCCESS`, `*.summary`) are passed over with a note. A version is
// the size and the time of change.
#pragma once

#include <filesystem>

#include "wavewright/history/source.h"

namespace wavewright {

class LocalSource : public HistorySource {
 public:
  // OutsideError where there is nothing at `path`.
  explicit LocalSource(std::filesystem::path path);

  void list(const std::function<bool(HistoryFile&&)>& found,
            const DiagnosticSink& diagnostics) const override;
  [[nodiscard]] FileHistory read(const HistoryFile& file) const override;

 private:
  std::filesystem::path path_;
};

}  // namespace wavewright
