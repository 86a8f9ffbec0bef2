// Jobs whose deadlines a daemon is asked to promise (live/promise/promises.h): their bounds from the store,
// and the waits of a live cluster.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/job/job.h"
#include "wavewright/live/promise/promises.h"
#include "wavewright/store/store.h"

namespace wavewright::app {

// `max`, or a percentile `p90`: the share of tasks that are no longer than the bound. Throws UsageError.
[[nodiscard]] double parse_confidence(const std::string& text);

// From the runs of the job's profile and the tasks that it lists, whichever are longer. Absent if there are
// neither.
[[nodiscard]] std::optional<TaskBounds> task_bounds(const Store& store, const Job& job, double share);

// Slots and waits that the daemon counts with. Nodes report each second at least; a reading of progress and
// the targets that follow from it are 5 s old, and half a second more for each job that runs: until then,
// nobody else gets the slots of tasks that ended. Throws UsageError if the cluster file gives containers
// instead of slots.
[[nodiscard]] PromiseRules promise_rules(const Cluster& cluster, const LiveBatch& batch);

// By when the master of a job that is added now asks for its tasks. Promised jobs are submitted first, one
// after another, behind the command that is on its way: each takes as long as the slowest that was seen, or
// 15 s. A master that the cluster file does not tell of takes 20 s.
[[nodiscard]] Time tasks_from(const Cluster& cluster, const LiveBatch& batch, Time now);

// Asks for all in turn, as if those before were promised. Throws NotPromised with the refusals of all.
void promise_all(LiveBatch batch, const SeenCluster& seen, const Cluster& cluster,
                 const std::string& confidence, std::vector<LiveJob>& jobs, Time now);

}  // namespace wavewright::app
