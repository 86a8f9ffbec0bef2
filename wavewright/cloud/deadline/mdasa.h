// MDASA, the malleable deadline-aware scheduler [CLOUD Alg. 2]. A job takes the idle slots, then busy ones
// that end some of its tasks in time; machines are rented for the tasks that are left. Jobs are served by
// arrival, so that later ones do not take what was promised.
//
// `ahead`, ours: a busy slot may be taken if it is free by now + ahead · (end − now). 1 is the paper.
// Readings [errata]: a job's maps end by its deadline less the reduce stage's estimate, its reduces by the
// deadline. Slots go by smallest occupancy. A job needs no more slots of rented machines than the
// slot estimator finds (line 3). Slots are promised by number, not one by one: the simulator gives a free
// slot to the first job in order. A job that loses attempts with a machine counts its full slots from then
// on.
#pragma once

#include "wavewright/cloud/deadline/deadline_policy.h"

namespace wavewright {

struct MdasaOptions {
  double ahead = 1;  // 0 to 1
};

// O(slots · log slots) when a job arrives and when its reduces may start, O(1) a task.
[[nodiscard]] std::unique_ptr<Allocator> make_mdasa(const DeadlineOptions& options, const MdasaOptions& own);

}  // namespace wavewright
