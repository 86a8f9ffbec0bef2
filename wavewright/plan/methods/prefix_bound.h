// Lower bounds for all single orders that begin with given jobs; for searches over orders.
//
// The jobs of the prefix are fixed: their map ends are known for any order of the others. For each other job,
// the map end is known if it comes next. It is no earlier in any order, because other jobs' tasks only make
// slots free later, position by position.
//
// The first fixed jobs are settled if all their maps end no later than the maps of any later job with
// reduces. Their reduces then go first, so their ends are known, and so are the instants when slots become
// free for the other reduces.
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
  std::uint32_t others = 0;   // set of jobs that are not fixed
  std::uint32_t settled = 0;  // set of settled jobs
  JobTimes map_ends{};        // exact for fixed jobs; for each other job, as if it came next
  // When slots become free for the others' maps, and for reduces of jobs that are not settled; ascending.
  std::vector<SlotWave> map_slots, reduce_slots;
  std::int64_t settled_sum = 0, settled_last = 0;  // Σ and maximum of the ends of settled jobs
};

class PrefixBound {
 public:
  // For up to `most_ordered_jobs` jobs that plan/schedule/list_schedule.h models. O(tasks + n log n).
  PrefixBound(const Workload& batch, SlotPool pool, Objective objective);

  // A lower bound on the objective, ms. Stops as soon as it reaches `enough`. O(n · (n + waves)).
  [[nodiscard]] std::int64_t of(const Prefix& prefix, std::int64_t enough) const;

  // The slots in use: no more than there are tasks.
  [[nodiscard]] std::int64_t map_slots() const { return map_slots_; }
  [[nodiscard]] std::int64_t reduce_slots() const { return reduce_slots_; }
  // Jobs in the order to try: Johnson's order for the makespan, else least work first.
  [[nodiscard]] const std::vector<JobIndex>& promising() const {
    return objective_ == Objective::makespan ? johnson_ : by_work_;
  }
  // Set of jobs without maps.
  [[nodiscard]] std::uint32_t without_maps() const { return without_maps_; }

 private:
  [[nodiscard]] std::int64_t makespan(const Prefix& prefix, std::int64_t enough) const;
  // Fluid bound: fixed jobs whose maps end before those of the others can; then the others in Johnson's
  // order. The first of the others' map stages ends no earlier than the slots, as they become free, can do
  // the least map work among them; the next ones follow at the speed of all slots.
  [[nodiscard]] std::int64_t johnson(const Prefix& prefix) const;
  [[nodiscard]] std::int64_t counted(const JobTimes& map_ends) const;
  [[nodiscard]] std::int64_t counted_from(const JobTimes& map_ends, std::int64_t threshold,
                                          std::int64_t rounds) const;
  [[nodiscard]] std::int64_t total_completion(const Prefix& prefix, std::int64_t enough) const;
  // Lower bounds on the map ends of the jobs that are not settled, by position, ascending.
  [[nodiscard]] std::vector<std::int64_t> map_ends_by_place(const Prefix& prefix) const;

  Objective objective_;
  std::int64_t map_slots_, reduce_slots_, submits_ = 0;
  std::uint32_t without_maps_ = 0;
  std::vector<std::int64_t> map_work_, reduce_work_, tails_;  // by job; tail: least time of its reduces alone
  std::vector<std::int64_t> shortest_, reduces_;              // by job: shortest reduce, number of reduces
  std::vector<JobIndex> by_reduce_;                           // largest `shortest_` first
  std::vector<JobIndex> by_map_, by_work_;  // least map work first; least work of both first
  std::vector<JobIndex> johnson_;           // Johnson's order of fluid stages
};

}  // namespace wavewright
