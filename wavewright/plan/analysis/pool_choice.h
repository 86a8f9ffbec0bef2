// The pools of so many slots that a search for the fewest may take: all splits, one proportion, or one kind
// beside a given number of the other.
#pragma once

#include <optional>
#include <vector>

#include "wavewright/job/job.h"
#include "wavewright/plan/bounds/lower_bound.h"

namespace wavewright {

// What is given, and what is looked for.
struct PoolWish {
  std::optional<Count> map_slots = {};     // given
  std::optional<Count> reduce_slots = {};  // given
  std::optional<SlotPool> like = {};       // both kinds in this proportion
};

// Pools that a lower bound of the makespan does not show to miss the deadline.
//
// The least makespan never grows with a pool (slots may stay idle). So a bound above the deadline also speaks
// against every pool inside the one it was computed for, and of the splits of n slots only those need be
// asked whose reduce slots are as many as the least that the bound allows beside their map slots: these least
// numbers fall as map slots grow, and are found in one walk along that border. O(slots) quick bounds in all.
class PoolChoice {
 public:
  // The batch must outlive it.
  PoolChoice(const Workload& batch, const PoolWish& wish, Duration deadline);

  // Counted are the slots that are looked for: both kinds, or the one that is not given.
  [[nodiscard]] Count least() const { return least_; }  // fewest with a pool
  [[nodiscard]] Count most() const { return most_; }    // more change nothing: a slot for every task
  // With `most` slots.
  [[nodiscard]] SlotPool largest() const { return at_most_; }
  // Those of `count` slots, with most to spare beyond what the bound asks for first; empty = none can meet
  // the deadline.
  [[nodiscard]] std::vector<SlotPool> pools(Count count);
  // Whether thorough bounds show that no pool of `count` slots meets the deadline. `count` < most.
  [[nodiscard]] bool refuted(Count count);
  // The least bound of all pools with `count` slots: none ends sooner.
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
  bool free_ = false;  // both kinds are looked for, apart
  // Of m map slots: the least reduce slots that the bound allows; more than there are reduces = none.
  std::vector<Count> border_;
};

}  // namespace wavewright
