// What a single order that begins with given jobs is worth at least. For the searches that try orders.
//
// Some jobs are fixed: it is known when their maps end, whatever order the others have. Of each of the others
// it is known when its maps would end, were it the next: its tasks take their slots in a given order, those
// of others before and between them only make slots free later, place by place, and so it ends no sooner.
//
// The first of the fixed jobs are settled where all their maps end no later than those of any job behind them
// that has reduces: then their reduces go first whatever comes, and it is known when they end and when the
// slots are free for the reduces of the rest.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/job/job.h"
#include "wavewright/plan/value.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

// So many slots, free at one instant.
struct SlotWave {
  std::int64_t at = 0;  // ms
  std::int64_t slots = 0;
};

inline constexpr std::size_t most_ordered_jobs = 32;
using JobTimes = std::array<std::int64_t, most_ordered_jobs>;  // ms, by job

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
  // Of up to `most_ordered_jobs` jobs, all as in plan/schedule/list_schedule.h. O(tasks + n log n).
  PrefixBound(const Workload& batch, SlotPool pool, Objective objective);

  // The value of the objective is no less, ms; looks no further where that is `enough`. O(n · (n + waves)).
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
  // Of those not settled, place by place, ascending: when map stages end, at least.
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
