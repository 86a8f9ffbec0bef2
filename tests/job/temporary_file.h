// A file of a test's own, gone when the test ends.
#pragma once

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace wavewright {

class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view content, const std::string& suffix = ".jsonl") {
    static std::atomic<int> number = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("wavewright-test-" + std::to_string(::getpid()) + "-" + std::to_string(number++) + suffix);
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace wavewright
