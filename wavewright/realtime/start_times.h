// When the running attempts of a job's tasks started, by task.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "wavewright/core/time.h"
#include "wavewright/sched/event.h"

namespace wavewright {

class StartTimes {
 public:
  void reserve(std::size_t tasks) { one_.reserve(tasks); }
  // Amortised O(1).
  void add(TaskIndex task, Time at) {
    ++size_;
    if (task >= one_.size()) one_.resize(std::size_t{task} + 1, none);
    if (one_[task] != none) return more_.push_back({task, at});
    one_[task] = at;
  }
  // False if no attempt of the task started then. O(1) unless several run.
  bool remove(TaskIndex task, Time at) {
    if (task < one_.size() && one_[task] == at) {
      one_[task] = none;
    } else {
      const auto found = std::find(more_.begin(), more_.end(), Start{task, at});
      if (found == more_.end()) return false;
      more_.erase(found);
    }
    --size_;
    return true;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  // In no order. O(tasks), or nothing if none runs.
  void append_to(std::vector<Time>& times) const {
    if (size_ == 0) return;
    for (const Time at : one_) {
      if (at != none) times.push_back(at);
    }
    for (const Start& start : more_) times.push_back(start.at);
  }

 private:
  static constexpr Time none = Time::min();
  struct Start {
    TaskIndex task = 0;
    Time at{};
    friend bool operator==(const Start&, const Start&) = default;
  };

  std::vector<Time> one_;    // by task: of one attempt
  std::vector<Start> more_;  // of further ones
  std::size_t size_ = 0;
};

}  // namespace wavewright
