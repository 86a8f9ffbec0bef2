// Small random workflows, orders of them, and what they are worth.
#pragma once

#include <numeric>
#include <vector>

#include "tests/sim/worlds.h"
#include "wavewright/job/precedence.h"
#include "wavewright/sched/policies/plan_policy.h"

namespace wavewright::worlds {

inline std::vector<JobIndex> some_order(std::size_t jobs) {
  std::vector<JobIndex> order(jobs);
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t i = jobs; i > 1; --i) std::swap(order[i - 1], order[*rc::gen::inRange<std::size_t>(0, i)]);
  return order;
}

// Of tasks that take time, sometimes alike in a job, so that both kinds of slots are used.
inline Workload some_positive_workflow() {
  Workload batch = some_workflow();
  if (!lengthen(batch)) return batch;
  for (Job& job : batch.jobs) multiply_maps(job);
  return batch;
}

inline SimulationResult simulated(const Workload& batch, SlotPool pool, const std::vector<JobIndex>& maps,
                                  const std::vector<JobIndex>& reduces, double slowstart = 1) {
  Plan plan;
  for (const JobIndex job : maps) plan.order.push_back(batch.jobs[job].id);
  for (const JobIndex job : reduces) plan.reduce_order.push_back(batch.jobs[job].id);
  plan.map_order = plan.order;
  plan.pools = {{pool, plan.order}};
  const auto policy = make_plan_policy(plan, pool);
  return simulate(batch, *policy, {pool, slowstart, false});
}

}  // namespace wavewright::worlds
