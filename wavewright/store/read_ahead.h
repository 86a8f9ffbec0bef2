// Reads and packs files ahead of the consumer by several threads; results come in the order of `put`. Large
// files wait for each other, so that memory does not grow with the number of threads.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "wavewright/history/source.h"
#include "wavewright/store/store.h"

namespace wavewright {

// The contents of one file, ready to be written.
struct ReadFile {
  ImportedFile file;
  std::string format;  // empty = not recognised
  std::vector<PackedRun> runs;
  std::vector<Diagnostic> diagnostics;
  std::exception_ptr error;  // set if the whole source is gone

  [[nodiscard]] std::size_t bytes() const;  // approximate memory
};

class ReadAhead {
 public:
  // All threads call `read` at once.
  ReadAhead(unsigned threads, std::function<ReadFile(const HistoryFile&)> read);
  ~ReadAhead();  // drops results not taken
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;
  ReadAhead(ReadAhead&&) = delete;
  ReadAhead& operator=(ReadAhead&&) = delete;

  // If true, take a file before the next `put`.
  [[nodiscard]] bool full() const;
  void put(HistoryFile&& file);

  // The next file in order; waits up to `patience`. Nothing if it is not ready by then or if there is none.
  std::optional<ReadFile> take(std::chrono::milliseconds patience);
  [[nodiscard]] bool empty() const;

  // Starts no further file. Started files are finished and can be taken; the others are dropped.
  void stop();

 private:
  struct Slot {
    HistoryFile file;
    std::optional<ReadFile> result;
    bool begun = false;
  };

  void work();
  [[nodiscard]] Slot* next_to_read();

  static constexpr std::size_t most_files = 1'024;
  static constexpr std::size_t most_bytes = std::size_t{64} << 20;
  // Limit for files read at once; a larger one is read alone.
  static constexpr std::size_t most_read_bytes = std::size_t{256} << 20;

  std::function<ReadFile(const HistoryFile&)> read_;
  mutable std::mutex mutex_;
  std::condition_variable to_read_;
  std::condition_variable to_take_;
  std::deque<std::unique_ptr<Slot>> slots_;
  std::size_t begun_ = 0;          // of slots_, from the front
  std::size_t waiting_bytes_ = 0;  // of results not taken yet
  std::size_t reading_ = 0;        // files that are read now
  std::size_t reading_bytes_ = 0;  // approximate memory of them
  bool closed_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace wavewright
