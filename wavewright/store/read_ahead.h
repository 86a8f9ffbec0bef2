// Files read and packed ahead of the one who takes them, by several threads, in the order in which they were
// put in. Small files are read side by side; large ones wait for each other, so that memory does not grow
// with the number of threads.
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

// What one file gave, ready to be written.
struct ReadFile {
  ImportedFile file;
  std::string format;  // empty: not recognised
  std::vector<PackedRun> runs;
  std::vector<Diagnostic> diagnostics;
  std::exception_ptr error;  // the whole source is gone

  [[nodiscard]] std::size_t bytes() const;  // of memory, about
};

class ReadAhead {
 public:
  // `read` is called by all threads at once.
  ReadAhead(unsigned threads, std::function<ReadFile(const HistoryFile&)> read);
  ~ReadAhead();  // drops what nobody took
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;
  ReadAhead(ReadAhead&&) = delete;
  ReadAhead& operator=(ReadAhead&&) = delete;

  // Whether `put` is not to be called until something was taken.
  [[nodiscard]] bool full() const;
  void put(HistoryFile&& file);

  // The next file in order; waits for it up to `patience`. Nothing where it is not ready by then, or where
  // there is none.
  std::optional<ReadFile> take(std::chrono::milliseconds patience);
  [[nodiscard]] bool empty() const;

  // Begins no further file; what was begun is finished and can be taken, what was not is dropped.
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
  // Of files that are read at once: a larger one is read alone.
  static constexpr std::size_t most_read_bytes = std::size_t{256} << 20;

  std::function<ReadFile(const HistoryFile&)> read_;
  mutable std::mutex mutex_;
  std::condition_variable to_read_;
  std::condition_variable to_take_;
  std::deque<std::unique_ptr<Slot>> slots_;
  std::size_t begun_ = 0;          // of slots_, from the front
  std::size_t waiting_bytes_ = 0;  // of results that nobody took yet
  std::size_t reading_ = 0;        // files that are read now
  std::size_t reading_bytes_ = 0;  // of them, in memory
  bool closed_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace wavewright
