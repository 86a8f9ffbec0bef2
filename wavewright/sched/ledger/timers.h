// Timers of a policy's two parts. A timer belongs to the part that set it; a part has one for each token.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "wavewright/core/time.h"
#include "wavewright/sched/event.h"

namespace wavewright {

// The part of a policy that decides.
enum class Part : std::uint8_t { allocator, placer };

class Timers {
 public:
  struct Timer {
    Part part = Part::allocator;
    Token token = 0;
  };

  // Sets the timer, or moves it. O(log timers).
  void set(Part part, Token token, Time at) {
    current_[{part, token}] = sequence_;
    queue_.push({at, sequence_++, {part, token}});
    first_is_valid_ = false;
  }
  [[nodiscard]] bool empty() const { return queue_.empty(); }
  void cancel(Part part, Token token) {
    current_.erase({part, token});
    first_is_valid_ = false;
  }

  // When the next timer fires. O(log timers) for each timer moved or cancelled since.
  [[nodiscard]] std::optional<Time> next() {
    drop_stale();
    return queue_.empty() ? std::nullopt : std::optional(queue_.top().at);
  }
  // Removes the next timer due at `now`; ties in order of setting.
  [[nodiscard]] std::optional<Timer> pop(Time now) {
    drop_stale();
    if (queue_.empty() || queue_.top().at > now) return std::nullopt;
    const Timer timer = queue_.top().timer;
    queue_.pop();
    first_is_valid_ = false;
    current_.erase({timer.part, timer.token});
    return timer;
  }

 private:
  struct Entry {
    Time at{};
    std::uint64_t sequence = 0;
    Timer timer;
    friend bool operator>(const Entry& a, const Entry& b) {
      return std::pair(a.at, a.sequence) > std::pair(b.at, b.sequence);
    }
  };
  void drop_stale() {
    while (!queue_.empty() && !first_is_valid_) {
      const Entry& top = queue_.top();
      const auto current = current_.find({top.timer.part, top.timer.token});
      first_is_valid_ = current != current_.end() && current->second == top.sequence;
      if (first_is_valid_) return;
      queue_.pop();
    }
  }

  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
  std::map<std::pair<Part, Token>, std::uint64_t> current_;  // the valid entry of each timer
  std::uint64_t sequence_ = 0;
  bool first_is_valid_ = false;  // the queue's first entry is its timer's; if not, nobody has looked
};

}  // namespace wavewright
