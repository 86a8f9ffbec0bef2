// Random small plans: one pool with one order or two, or two pools.
#pragma once

#include <fmt/format.h>
#include <rapidcheck.h>

#include <numeric>

#include "tests/sim/worlds.h"
#include "wavewright/plan/evaluate.h"

namespace wavewright {

inline std::vector<std::string> some_ids(const Workload& batch) {
  std::vector<JobIndex> order(batch.jobs.size());
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[*rc::gen::inRange<std::size_t>(0, i)]);
  return ids_of(batch, order);
}

inline Plan some_plan(const Workload& batch, SlotPool pool) {
  Plan plan;
  plan.order = some_ids(batch);
  if (*rc::gen::arbitrary<bool>()) {
    plan.map_order = plan.order;
    plan.reduce_order = some_ids(batch);
  }
  plan.pools = {{pool, plan.order}};
  if (pool.map_slots < 2 || pool.reduce_slots < 2 || *rc::gen::arbitrary<bool>()) return plan;
  const SlotPool first{*rc::gen::inRange<Count>(1, pool.map_slots),
                       *rc::gen::inRange<Count>(1, pool.reduce_slots)};
  plan.map_order.clear();
  plan.reduce_order.clear();
  plan.pools = {{first, {}},
                {{pool.map_slots - first.map_slots, pool.reduce_slots - first.reduce_slots}, {}}};
  for (const std::string& id : plan.order)
    plan.pools[*rc::gen::inRange<std::size_t>(0, 2)].jobs.push_back(id);
  return plan;
}

}  // namespace wavewright
