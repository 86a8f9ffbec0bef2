// Temporary files that are being written, so that a signal which ends the process can remove them.
#pragma once

#include <cstddef>
#include <filesystem>

namespace wavewright {

// While it lives, its file is one of them. Of more than 16 at once the others are left out, and so are those
// with a name that the system does not take. Any thread.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(const std::filesystem::path& path);
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;
  UnfinishedFile(UnfinishedFile&&) = delete;
  UnfinishedFile& operator=(UnfinishedFile&&) = delete;

 private:
  std::size_t entry_;
};

// Removes them all. For a handler of signals: the process is to end then.
void remove_unfinished_files() noexcept;

}  // namespace wavewright
