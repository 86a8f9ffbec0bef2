// A file of a test's own, gone when the test ends.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "tests/temporary_folder.h"

namespace wavewright {

class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view content, const std::string& suffix = ".jsonl") {
    path_ = folder_.path() / ("file" + suffix);
    std::ofstream(path_, std::ios::binary) << content;
  }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  TemporaryFolder folder_;
  std::filesystem::path path_;
};

}  // namespace wavewright
