// Targets that keep the promises of a batch (live/promise/promises.h): promised jobs have their containers
// before all others, by their deadlines [UNL Alg. 5.4, of both kinds of tasks].
//
// In this order each job may hold what the jobs before it leave of the slots: all that a job has not done is
// kept for it, from its promise on, though its master may not be there yet and its maps may not be done. As
// its tasks end, the targets of those behind it rise. So never more containers of a kind are asked for than
// there are slots. Jobs without promise come last, in the order of the batch.
//
// Nothing is kept for a job that cannot use it for long: one that is held after its deadline, or whose
// master's node is lost. It has its place again once it is released, or has another master.
#pragma once

#include <vector>

#include "wavewright/live/promise/promises.h"
#include "wavewright/live/yarn/targets.h"

namespace wavewright {

// As targets_of gives them. O(jobs log jobs).
[[nodiscard]] std::vector<TaggedTarget> promised_targets(const LiveBatch& batch,
                                                         const ProgressByJob& progress, SlotPool slots,
                                                         Time now);

}  // namespace wavewright
