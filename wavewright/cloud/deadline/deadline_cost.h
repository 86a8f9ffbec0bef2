// The fewest machines that keep the deadlines of all jobs together, by looking ahead. Ours, not CLOUD's.
//
// - Look-ahead (look_ahead.h): where do all jobs under way end on the slots that are there or boot? Machines
//   are added while that lowers the price of lateness by more than a machine costs: by the hour a started
//   hour, by the second a minute. An idle machine goes back if the jobs end as well without it, or if the
//   lateness costs less than it does.
// - Order: the modified due date, the later of the deadline and the instant at which the job could end if it
//   were alone on the slots. Jobs in time go by deadline, those that cannot be by what is left of them, so
//   that a large late job does not hold up small ones. Without machines to rent, by the instant at which it
//   could have ended since it arrived.
// - Slots to spare: so many machines are there even without jobs. Their slots are left to jobs that hurry:
//   that cannot wait for a machine to boot. `spare` is the least number; it is more where such jobs have been
//   late (spare_machines.h).
#pragma once

#include "wavewright/cloud/deadline/deadline_policy.h"
#include "wavewright/cloud/deadline/spare_machines.h"

namespace wavewright {

struct DeadlineCostOptions {
  LatenessPrice price;
  Count spare = 1;                       // machines, at least
  Duration memory = ms(24 * 3'600'000);  // after which lateness counts 1/e; 0 = `spare` stays as it is
};

// O(jobs under way · slots) for each look-ahead: when a job arrives, becomes ready or ends, when nodes change
// and when a machine is idle.
[[nodiscard]] std::unique_ptr<Allocator> make_deadline_cost(const DeadlineOptions& options,
                                                            const DeadlineCostOptions& own);

}  // namespace wavewright
