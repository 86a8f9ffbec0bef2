// Launches that share processors, each counted down on its own: the reference for tests of LaunchQueue.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "wavewright/sim/kernel/launch_queue.h"

namespace wavewright::sim {

class ReferenceLaunches {
 public:
  using Id = LaunchQueue::Id;

  ReferenceLaunches(Count processors, std::size_t pools) : processors_(processors), pools_(pools) {}

  Id enter(std::size_t pool, std::int64_t at, std::uint64_t work, std::int64_t now) {
    all_.push_back({++last_, pool, at, static_cast<Work>(work) * static_cast<Work>(launch_unit), at <= now});
    return last_;
  }
  void cancel(Id id) {
    std::erase_if(all_, [&](const Launch& each) { return each.id == id; });
  }
  // `time` ms pass in which nothing enters or ends.
  void pass(std::int64_t time) {
    for (Launch& each : all_) {
      if (each.inside) each.left -= Work{speed(each.pool)} * time;
    }
  }
  // The next instant, `now` at the earliest, at which something enters or ends; -1 = never.
  [[nodiscard]] std::int64_t next(std::int64_t now) const {
    std::int64_t first = -1;
    for (const Launch& each : all_) {
      const std::int64_t per_ms = each.inside ? speed(each.pool) : 1;
      const std::int64_t at =
          each.inside ? now + static_cast<std::int64_t>(std::max<Work>(0, (each.left + per_ms - 1) / per_ms))
                      : each.at;
      if (first == -1 || at < first) first = at;
    }
    return first;
  }
  void run(std::int64_t now, const std::function<void(Id)>& over) {
    finish(over);
    for (Launch& each : all_) each.inside = each.inside || each.at <= now;
    finish(over);
  }

 private:
  __extension__ using Work = __int128;
  struct Launch {
    Id id = 0;
    std::size_t pool = 0;
    std::int64_t at = 0;
    Work left = 0;
    bool inside = false;
  };

  [[nodiscard]] std::int64_t speed(std::size_t pool) const {
    const auto running = std::count_if(all_.begin(), all_.end(),
                                       [&](const Launch& each) { return each.inside && each.pool == pool; });
    return static_cast<std::int64_t>(launch_speed(processors_, static_cast<std::size_t>(running)));
  }
  void finish(const std::function<void(Id)>& over) {
    for (std::size_t pool = 0; pool < pools_; ++pool) {
      std::vector<Launch> done;
      for (const Launch& each : all_) {
        if (each.inside && each.pool == pool && each.left <= 0) done.push_back(each);
      }
      std::sort(done.begin(), done.end(), [](const Launch& a, const Launch& b) {
        return std::pair(a.left, a.id) < std::pair(b.left, b.id);
      });
      for (const Launch& each : done) cancel(each.id);
      for (const Launch& each : done) over(each.id);
    }
  }

  Count processors_;
  std::size_t pools_;
  std::vector<Launch> all_;
  Id last_ = 0;
};

}  // namespace wavewright::sim
