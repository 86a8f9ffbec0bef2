// Preemption requests whose grace has not passed yet.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/core/time.h"
#include "wavewright/sched/event.h"

namespace wavewright {

struct Preemption {
  JobIndex job = 0;
  Kind kind = Kind::map;
  ClassId node_class = any_class;
  Count count = 0;
};

class Preemptions {
 public:
  void add(Time due, const Preemption& preemption) { queue_.push({due, sequence_++, preemption}); }

  [[nodiscard]] bool empty() const { return queue_.empty(); }
  [[nodiscard]] std::optional<Time> next() const {
    return queue_.empty() ? std::nullopt : std::optional(queue_.top().due);
  }
  // Removes the next request due at `now`; ties in order of request.
  [[nodiscard]] std::optional<Preemption> pop(Time now) {
    if (queue_.empty() || queue_.top().due > now) return std::nullopt;
    const Preemption due = queue_.top().preemption;
    queue_.pop();
    return due;
  }

 private:
  struct Entry {
    Time due{};
    std::uint64_t sequence = 0;
    Preemption preemption;
    friend bool operator>(const Entry& a, const Entry& b) {
      return std::pair(a.due, a.sequence) > std::pair(b.due, b.sequence);
    }
  };
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
  std::uint64_t sequence_ = 0;
};

}  // namespace wavewright
