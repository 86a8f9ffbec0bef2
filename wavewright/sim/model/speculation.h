// Which running tasks deserve a second attempt.
//
// hadoop  a task whose progress is more than 0.2 below the mean of its kind in the job, done ones counted as
// 1
//         [UNL §2.4; Hadoop 1]
// late    of the slowest quarter of those running, as far as slower than their mean, the one that would take
//         longest to end first; second attempts fill at most a tenth of the slots [Zaharia et al. 2008, LATE]
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
  bool eligible = false;      // old enough, alone at its task, and never doubled
};

// The part of the work from `from` to `full` that is done by `now`; 0 where `from` is not known (0).
[[nodiscard]] inline double done_part(std::uint64_t now, std::uint64_t from, std::uint64_t full) {
  if (now <= from || full == 0) return 0;
  return now >= full ? 1 : static_cast<double>(now - from) / static_cast<double>(full - from);
}

// How a job's tasks move on by Hadoop's rule, if each goes on evenly until it is done: an upper bound of
// their mean, and from it when one may first be so far behind as to be slow.
class Pace {
 public:
  // How an attempt whose work goes from `from` to `full` moves at `now`.
  struct Move {
    double done = 0;     // part of its work
    double slope = 1;    // of that a ms, while it works
    bool works = false;  // or did

    Move(std::uint64_t now, std::uint64_t from, std::uint64_t full) : works(now >= from) {
      if (full > from) slope = 1 / static_cast<double>(full - from);
      if (now > from && full != 0) done = now >= full ? 1 : static_cast<double>(now - from) * slope;
    }
  };

  // One that runs.
  void add(const Move& move) {
    mean_ += move.done;
    if (move.done < 1) slope_ += move.slope;
  }
  // All are added: how many there are, and of them done.
  void divide(std::size_t tasks, std::size_t finished) {
    mean_ = (mean_ + static_cast<double>(finished)) / static_cast<double>(tasks);
    slope_ /= static_cast<double>(tasks);
  }
  // Not before that instant; `now` where it may be at once. The instant may lie a little early.
  [[nodiscard]] std::uint64_t first_behind(std::uint64_t now, const Move& move) const;

 private:
  double mean_ = 0;   // at `now`
  double slope_ = 0;  // a ms, at most
};

// Positions of those to double, most urgent first. `finished`: tasks of the kind in this job that are done;
// `most`: how many second attempts there may be (late). O(n log n).
[[nodiscard]] std::vector<std::size_t> choose_to_double(SpeculationRule rule,
                                                        std::span<const Progress> running,
                                                        std::size_t finished, std::size_t most);

}  // namespace wavewright::sim
