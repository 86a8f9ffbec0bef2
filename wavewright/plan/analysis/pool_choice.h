// Candidate pools of a search for the fewest slots: all splits of n slots, one proportion, or one kind with a
// given number of the other.
#pragma once

#include <optional>
#include <vector>

#include "wavewright/job/job.h"
#include "wavewright/plan/bounds/lower_bound.h"

namespace wavewright {

// The slots that are given; the others are searched for.
struct PoolWish {
  std::optional<Count> map_slots = {};
  std::optional<Count> reduce_slots = {};
  std::optional<SlotPool> like = {};  // both kinds in this proportion
};

// Pools that the lower bound does not rule out.
//
// The least makespan never grows with the pool, because slots may stay idle. So a bound above the deadline
// also rules out every pool inside. For each number of map slots there is a least number of reduce slots that
// the bound allows. This border falls as map slots grow and is found in one pass of O(slots) quick bounds.
class PoolChoice {
 public:
  // The batch must outlive it.
  PoolChoice(const Workload& batch, const PoolWish& wish, Duration deadline);

  // Counts are slots of the kinds that are searched for: both, or the one that is not given.
  [[nodiscard]] Count least() const { return least_; }  // the fewest slots of a pool
  [[nodiscard]] Count most() const { return most_; }    // one slot for every task; more do not help
  // The pool with `most` slots.
  [[nodiscard]] SlotPool largest() const { return at_most_; }
  // Pools of `count` slots, farthest above the border first; empty = none can meet the deadline.
  [[nodiscard]] std::vector<SlotPool> pools(Count count);
  // True if thorough bounds prove that no pool of `count` slots meets the deadline. `count` < most.
  [[nodiscard]] bool refuted(Count count);
  // A lower bound on the makespan for every pool of `count` slots.
  [[nodiscard]] Duration bound(Count count);

 private:
  [[nodiscard]] Duration bound_of(SlotPool pool, Effort effort) const;
  [[nodiscard]] std::vector<SlotPool> all(Count count) const;
  void extend_border(Count map_slots);

  const Workload& batch_;
  PoolWish wish_;
  Duration deadline_;
  Count maps_ = 0, reduces_ = 0;  // tasks
  Count least_ = 1, most_ = 1;
  SlotPool at_most_;
  bool free_ = false;  // both kinds are searched for, in any split
  // By number of map slots: the least reduce slots that the bound allows; more than all reduces = none.
  std::vector<Count> border_;
};

}  // namespace wavewright
