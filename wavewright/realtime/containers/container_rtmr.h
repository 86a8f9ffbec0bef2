// RTMR on a cluster with containers: jobs are accepted only if they and all accepted ones surely end by their
// deadlines (container_admission.h). All that waits and runs is placed anew before each admission.
//
// Masters, maps and reduces are granted by caps, in the order of the queue, as memory becomes free. No node
// is reserved for a job, so that each node gives what it has room for.
//
// Readings: a job without a deadline is accepted and goes last; one that waits for other jobs is rejected,
// for its start cannot be promised; so is one for which no memory is sure. A container counts until its end
// is told. Reduces start when the ends of all maps have been told, whatever `slowstart` says.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "wavewright/realtime/admission.h"
#include "wavewright/realtime/block_reads.h"
#include "wavewright/realtime/containers/container_admission.h"
#include "wavewright/realtime/task_bound.h"
#include "wavewright/sched/policy.h"
#include "wavewright/sched/registry.h"

namespace wavewright {

struct ContainerRtmrOptions {
  TaskBound bound;
  BlockReads reads{};
  QueueOrder order = QueueOrder::started;
  bool admits_all = false;  // no admission: the order and the grants alone
  bool offers = true;       // a refusal tells the earliest deadline
  ContainerRoom room{};
  ContainerWaits waits{};
};

class ContainerRtmrAllocator : public Allocator {
 public:
  // By when each accepted job that is not over surely ends as things stand, in the order of the queue.
  [[nodiscard]] virtual std::vector<std::pair<JobIndex, Time>> estimates(const View& view) const = 0;
  // Memory that containers may take in all, and what they have been granted, MiB.
  [[nodiscard]] virtual Count memory() const = 0;
  [[nodiscard]] virtual Count granted() const = 0;
};

[[nodiscard]] std::unique_ptr<ContainerRtmrAllocator> make_container_rtmr(
    const ContainerRtmrOptions& options);

}  // namespace wavewright
