#include "wavewright/live/yarn/pool_masters.h"

#include <algorithm>
#include <map>

#include "wavewright/core/error.h"
#include "wavewright/plan/evaluate.h"
#include "wavewright/plan/job_ids.h"

namespace wavewright {

namespace {

// In MiB, rounded up as YARN does.
Count container(const std::optional<Bytes>& stated, const ContainerRequest& usual, Count step) {
  return divide_up(divide_up(stated.value_or(usual.memory).count, Count{1} << 20), step) * step;
}

}  // namespace

std::vector<PoolMasters> pool_masters(const Plan& plan, const Workload& batch, const Cluster& cluster,
                                      double slowstart) {
  std::vector<PoolMasters> needed(plan.pools.size());
  if (batch.tasks() == 0) return needed;
  SlotPool slots;
  for (const PlanPool& pool : plan.pools) {
    slots.map_slots += pool.slots.map_slots;
    slots.reduce_slots += pool.slots.reduce_slots;
  }
  SimulationResult result;
  try {
    result = simulate_plan(plan, batch, {slots, slowstart});
  } catch (const Infeasible&) {
    return needed;
  }
  const JobIds ids(batch);
  const Containers& usual = cluster.containers;
  const Count step = memory_step(cluster);
  for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
    std::map<Time, Count> change;  // of the memory that masters have, at an instant
    for (const JobIndex index : ids[plan.pools[pool].jobs]) {
      const Job& job = batch.jobs[index];
      if (!job.maps.empty())
        needed[pool].task = std::max(needed[pool].task, container(job.memory.map, usual.map, step));
      if (!job.reduces.empty())
        needed[pool].task = std::max(needed[pool].task, container(job.memory.reduce, usual.reduce, step));
      if (job.maps.empty() && job.reduces.empty()) continue;
      const Count master = container(job.memory.master, usual.master, step);
      needed[pool].master = std::max(needed[pool].master, master);
      change[result.jobs[index].start] += master;
      change[result.jobs[index].finish] -= master;
    }
    const SlotPool& own = plan.pools[pool].slots;
    needed[pool].slots = (own.map_slots + own.reduce_slots) * needed[pool].task;
    Count now = 0;
    for (const auto& [at, by] : change) {
      now += by;
      needed[pool].at_once = std::max(needed[pool].at_once, now);
    }
  }
  return needed;
}

}  // namespace wavewright
