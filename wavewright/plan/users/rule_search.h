// Late acceptance hill climbing [Burke and Bykov 2017] over priority rules (schedule/priority_rule.h), with
// any cost of the jobs' ends. It finds what two orders cannot: jobs that take turns, and slots that stay free
// for a job that is submitted later, by caps and pools. For few jobs; with many, two orders improve faster.
//
// A move changes a due time in one stage or both, a job's steps, a cap, a job's pool, or the slots of pools.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "wavewright/core/random.h"
#include "wavewright/core/stop.h"
#include "wavewright/plan/schedule/priority_schedule.h"

namespace wavewright {

// Smaller is better. Takes the jobs' ends, ms.
using EndsCost = std::function<double(std::span<const std::int64_t>)>;

struct RuleSearchResult {
  PriorityRule best;
  double cost = 0;
  std::uint64_t evaluations = 0;
  bool stopped = false;
};

// Starts from `start`, a rule for the batch of `schedule`, with one pool or more. Equal random streams give
// equal results. O(evaluations · schedule).
[[nodiscard]] RuleSearchResult search_rules(const PriorityRule& start, PrioritySchedule& schedule,
                                            const EndsCost& cost, std::uint64_t evaluations, Random& random,
                                            const Stop& stop);

}  // namespace wavewright
