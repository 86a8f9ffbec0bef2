// Least slack first: slack = deadline − now − the time that the rest of the job takes with the whole cluster,
// Σ over kinds ⌊pending tasks · mean / slots⌋. `now` is the same for all and left out of the rank. A rank
// changes when tasks of the job start or are lost, all ranks when nodes come or go.
#pragma once

#include "wavewright/cloud/deadline/deadline_policy.h"

namespace wavewright {

// O(log jobs) a task; O(jobs under way) when a node comes or goes.
[[nodiscard]] std::unique_ptr<Allocator> make_least_slack(const DeadlineOptions& options);

}  // namespace wavewright
