// evEDF: earliest deadline first by events [CLOUD §4.4.2]. Jobs wait for "events such as low utilization, and
// low load"; then all of them begin, and the earliest deadline goes first. The paper does not say what is
// low: the share of slots in use, or the tasks that wait for each slot. Both are looked at when jobs arrive
// or end and when tasks end. Without any job under way nothing waits. After a restart, jobs that have begun
// but not started a task wait for the next such event.
#pragma once

#include "wavewright/cloud/deadline/deadline_policy.h"

namespace wavewright {

struct EvedfOptions {
  double utilisation = 0.8;  // low: a smaller share of slots is in use
  double load = 0.5;         // low: fewer tasks wait for each slot
};

// O(jobs under way) an event while jobs wait, else O(1).
[[nodiscard]] std::unique_ptr<Allocator> make_evedf(const DeadlineOptions& options, const EvedfOptions& own);

}  // namespace wavewright
