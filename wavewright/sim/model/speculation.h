// Which running tasks get a second attempt.
//
//  - hadoop: a task whose progress is more than 0.2 below the mean of its kind in the job, where finished
//    tasks count as 1 [UNL §2.4; Hadoop 1].
//  - late: among the slowest quarter of the job's tasks of the kind that run or have finished, if slower than
//    their mean, the longest to end first; second attempts fill at most a tenth of the slots, at least one
//    [Zaharia et al. 2008, LATE].
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wavewright/cluster/cluster.h"

namespace wavewright::sim {

// A running attempt.
struct Progress {
  double done = 0;            // part of its work, 0 to 1
  std::uint64_t elapsed = 0;  // ms since it took its slot
  bool eligible = false;      // old enough; its task has no second attempt and never had one
};

// The part of the work from `from` to `full` that is done by `now`; 0 if `full` is not known (0).
[[nodiscard]] inline double done_part(std::uint64_t now, std::uint64_t from, std::uint64_t full) {
  if (now <= from || full == 0) return 0;
  return now >= full ? 1 : static_cast<double>(now - from) / static_cast<double>(full - from);
}

// Progress of a job's tasks for Hadoop's rule, if each moves evenly until it is done: an upper bound of their
// mean, and from it the first instant at which one may be slow.
class Pace {
 public:
  // Progress at `now` of an attempt that works from `from` to `full`.
  struct Move {
    double done = 0;     // part of its work
    double slope = 1;    // part of its work per ms, while it works
    bool works = false;  // has begun to work

    Move(std::uint64_t now, std::uint64_t from, std::uint64_t full) : works(now >= from) {
      if (full > from) slope = 1 / static_cast<double>(full - from);
      if (now > from && full != 0) done = now >= full ? 1 : static_cast<double>(now - from) * slope;
    }
  };

  // Adds a running attempt.
  void add(const Move& move) {
    mean_ += move.done;
    if (move.done < 1) slope_ += move.slope;
  }
  // Call after the last `add`. `tasks`: attempts added and finished tasks.
  void divide(std::size_t tasks, std::size_t finished) {
    mean_ = (mean_ + static_cast<double>(finished)) / static_cast<double>(tasks);
    slope_ /= static_cast<double>(tasks);
  }
  // Earliest instant at which it may be slow, possibly a little early; `now` if it may be slow already.
  [[nodiscard]] std::uint64_t first_behind(std::uint64_t now, const Move& move) const;

 private:
  double mean_ = 0;   // at `now`
  double slope_ = 0;  // per ms, at most
};

// Indices in `running` of tasks that get a second attempt; with LATE the longest to end first. `finished`:
// tasks of the kind in this job that are done; `most`: second attempts allowed (LATE); `took`: how long each
// of the finished ones took, ms (LATE). O(n log n).
[[nodiscard]] std::vector<std::size_t> choose_to_double(SpeculationRule rule,
                                                        std::span<const Progress> running,
                                                        std::size_t finished, std::size_t most,
                                                        std::span<const std::uint64_t> took = {});

}  // namespace wavewright::sim
