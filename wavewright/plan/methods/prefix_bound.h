// Lower bounds for all single orders that begin with given jobs; for searches over orders.
//
// The jobs of the prefix are fixed: the ends of their maps are known, whatever order the others have. For
// each other job the end of its maps is known for the case that it comes next. It ends no sooner in any
// order, because tasks of other jobs before and between its own only make slots free later, position by
// position.
//
// The first fixed jobs are settled if all their maps end no later than those of any later job with reduces.
// Their reduces then go first in any case, so that their ends are known, and so are the instants when slots
// become free for the other reduces.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/job/job.h"
#include "wavewright/plan/value.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

// Slots that become free at one instant.
struct SlotWave {
  std::int64_t at = 0;  // ms
  std::int64_t slots = 0;
};

inline constexpr std::size_t most_ordered_jobs = 32;
using JobTimes = std::array<std::int64_t, most_ordered_jobs>;  // ms, by job

// A set of jobs by bits.
[[nodiscard]] constexpr bool is_in(std::uint32_t set, JobIndex job) {
  return (set >> job & 1) != 0;
}

struct Prefix {
  std::uint32_t others = 0;   // jobs that are not fixed
  std::uint32_t settled = 0;  // jobs
  JobTimes map_ends{};        // of the fixed jobs, exactly; of the others, were each the next
  // When they are free for the others' maps, and for the reduces of those not settled; ascending.
  std::vector<SlotWave> map_slots, reduce_slots;
  std::int64_t settled_sum = 0, settled_last = 0;  // of the ends of the settled jobs
};

class PrefixBound {
 public:
  // For up to `most_ordered_jobs` jobs that plan/schedule/list_schedule.h models. O(tasks + n log n).
  PrefixBound(const Workload& batch, SlotPool pool, Objective objective);

  // A lower bound of the objective, ms. Stops as soon as it reaches `enough`. O(n · (n + waves)).
  [[nodiscard]] std::int64_t of(const Prefix& prefix, std::int64_t enough) const;

  // That it counts with: no more than there are tasks.
  [[nodiscard]] std::int64_t map_slots() const { return map_slots_; }
  [[nodiscard]] std::int64_t reduce_slots() const { return reduce_slots_; }
  // Jobs by what is tried first: Johnson's order, or the least work first.
  [[nodiscard]] const std::vector<JobIndex>& promising() const {
    return objective_ == Objective::makespan ? johnson_ : by_work_;
  }
  // Jobs of which it is always known when their maps end, as they have none.
  [[nodiscard]] std::uint32_t without_maps() const { return without_maps_; }

 private:
  [[nodiscard]] std::int64_t makespan(const Prefix& prefix, std::int64_t enough) const;
  // Fixed jobs first, as far as their maps end before those of others can; then Johnson's order, as if fluid.
  // The first map stage to end of the others does so no sooner than when the slots, as they come, can have
  // done the least of their works; the next ones at the speed of all slots.
  [[nodiscard]] std::int64_t johnson(const Prefix& prefix) const;
  [[nodiscard]] std::int64_t counted(const JobTimes& map_ends) const;
  [[nodiscard]] std::int64_t counted_from(const JobTimes& map_ends, std::int64_t threshold,
                                          std::int64_t rounds) const;
  [[nodiscard]] std::int64_t total_completion(const Prefix& prefix, std::int64_t enough) const;
  // Lower bounds of the ends of map stages, position by position, ascending: of the jobs that are not
  // settled.
  [[nodiscard]] std::vector<std::int64_t> map_ends_by_place(const Prefix& prefix) const;

  Objective objective_;
  std::int64_t map_slots_, reduce_slots_, submits_ = 0;
  std::uint32_t without_maps_ = 0;
  std::vector<std::int64_t> map_work_, reduce_work_, tails_;  // by job; a tail: its reduces alone
  std::vector<std::int64_t> shortest_, reduces_;              // reduce, and how many
  std::vector<JobIndex> by_reduce_;                           // the longest `shortest_` first
  std::vector<JobIndex> by_map_, by_work_;                    // the least map work, the least of both first
  std::vector<JobIndex> johnson_;                             // of fluid stages
};

}  // namespace wavewright
