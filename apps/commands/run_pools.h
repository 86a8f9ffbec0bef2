// Pools of a plan as queues of the cluster, for `wavewright run --pools-under`.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "apps/context.h"
#include "wavewright/cluster/cluster.h"
#include "wavewright/job/job.h"
#include "wavewright/live/yarn/pool_queue_keeper.h"
#include "wavewright/sched/plan.h"
#include "wavewright/store/store.h"

namespace wavewright::app {

struct PoolRequest {
  std::string parent;  // empty = the plan's pools are not applied
  double share = 100;
};

void declare_pools(CLI::App& command, PoolRequest& pools);

// The queues that the plan's pools will be, as the ResourceManager's queues are now. Throws as pool_queues
// and SchedulerConfApi::read do.
[[nodiscard]] PoolQueues planned_pools(const PoolRequest& request, const std::string& plan,
                                       const std::string& tag, bool plugin,
                                       const WebServer& resource_manager);

// The same queues with room for as many application masters as the plan runs at a time (with_masters). The
// memory is that of `cluster`, or as the ResourceManager tells it where that has slots or is absent. Nothing
// changes if no job has tasks. Throws as SchedulerConfApi::read does.
[[nodiscard]] PoolQueues pools_with_masters(PoolQueues pools, const Plan& plan, const Workload& batch,
                                            const std::optional<Cluster>& cluster, double slowstart,
                                            const WebServer& resource_manager);

void print_pools(const PoolQueues& pools, const WebServer& resource_manager);
[[nodiscard]] Json pools_document(const PoolQueues& pools, const WebServer& resource_manager);

// The queues of a batch that runs.
class BatchPools {
 public:
  // Store and server must outlive it.
  BatchPools(const Context& context, const Store& store, const WebServer& resource_manager,
             std::string batch);

  // Makes the queues of a new batch. Throws ExternalError if they are refused or cannot be asked for: then
  // none is there, and the batch is to be forgotten.
  void make_first(const PoolQueues& pools);
  // To be called before each step: makes the queues unless they are there. Throws ExternalError without an
  // answer or if they are refused.
  void make();
  // After an outage they are looked at again: a ResourceManager may have forgotten them.
  void look_again() { looked_ = false; }
  // Removes them at the end; waits up to a minute for the last application to leave. False, with a note, if
  // they are still there.
  [[nodiscard]] bool remove();
  // What becomes of them while nobody follows the batch, as a note; nothing without pools.
  void tell_that_they_stay() const;

 private:
  const Context& context_;
  const WebServer& resource_manager_;
  PoolQueueStore store_;
  SchedulerConfApi api_;
  std::string batch_;
  std::unique_ptr<PoolQueueKeeper> keeper_;  // null = none
  bool looked_ = false;
};

}  // namespace wavewright::app
