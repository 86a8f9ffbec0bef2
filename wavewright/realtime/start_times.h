// When the running tasks of a job started, as a bag: a task that ends is found by its start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "wavewright/core/time.h"

namespace wavewright {

class StartTimes {
 public:
  // Starts come in order of time, but for those told again after a restart. O(1), then O(starts).
  void add(Time at) {
    ++size_;
    if (runs_.empty() || runs_.back().at < at) return runs_.push_back({at, 1});
    const auto found = find(at);
    if (found->at == at) {
      ++found->count;
    } else {
      runs_.insert(found, {at, 1});
    }
  }
  // False if no task started then. O(log starts).
  bool remove(Time at) {
    const auto found = find(at);
    if (found == runs_.end() || found->at != at || found->count == 0) return false;
    --found->count;
    if (--size_ == 0) runs_.clear();
    return true;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  void append_to(std::vector<Time>& times) const {
    for (const Run& run : runs_) times.insert(times.end(), run.count, run.at);
  }

 private:
  struct Run {
    Time at{};
    std::uint32_t count = 0;  // of tasks that run
  };
  // The first run that is not before `at`. Halves the range without branches, for the outcomes cannot be
  // foretold.
  [[nodiscard]] std::vector<Run>::iterator find(Time at) {
    auto first = runs_.begin();
    for (auto left = runs_.end() - runs_.begin(); left > 0;) {
      const auto half = (left + 1) / 2;
      first += half * static_cast<std::ptrdiff_t>(first[half - 1].at < at);
      left -= half;
    }
    return first;
  }

  std::vector<Run> runs_;  // by time
  std::size_t size_ = 0;
};

}  // namespace wavewright
