#include "wavewright/sched/plan_check.h"

#include <functional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

namespace {

// The turns of a kind are empty, or give each job exactly its tasks.
void check_turns(const std::vector<PlanTurn>& turns, const Workload& workload, Kind kind,
                 const std::function<void(const std::string&)>& refuse) {
  if (turns.empty()) return;
  const std::string what = fmt::format("the plan's turns of {}s", name_of(kind));
  std::unordered_map<std::string_view, Count> left;
  for (const Job& job : workload.jobs)
    left.emplace(job.id, static_cast<Count>(kind == Kind::map ? job.maps.size() : job.reduces.size()));
  for (const PlanTurn& turn : turns) {
    const auto found = left.find(turn.id);
    if (found == left.end()) return refuse(what + " name job '" + turn.id + "', which the workload has not");
    if (turn.tasks > found->second)
      return refuse(what + " give job '" + turn.id + "' more tasks than it has");
    found->second -= turn.tasks;
  }
  for (const auto& [id, tasks] : left) {
    if (tasks > 0) return refuse(fmt::format("{} leave out {} of job '{}'", what, tasks, id));
  }
}

}  // namespace

void check_plan(const Plan& plan, const Workload& workload, SlotPool pool, const std::string& source) {
  const auto refuse = [&](const std::string& what) {
    throw InputError({source}, what, "make the plan from this workload and for this pool");
  };
  std::unordered_map<std::string, std::size_t> known;
  for (const Job& job : workload.jobs) known.emplace(job.id, 0);
  std::size_t round = 0;
  const auto check_ids = [&](const std::vector<std::string>& ids, const std::string& what) {
    ++round;
    for (const std::string& id : ids) {
      const auto found = known.find(id);
      if (found == known.end()) refuse(what + " names job '" + id + "', which the workload has not");
      if (found->second == round) refuse(what + " names job '" + id + "' twice");
      found->second = round;
    }
    for (const auto& [id, seen] : known) {
      if (seen != round) refuse(what + " does not name job '" + id + "'");
    }
  };
  check_ids(plan.order, "the plan's order");
  if (!plan.map_order.empty()) check_ids(plan.map_order, "the plan's map order");
  if (!plan.reduce_order.empty()) check_ids(plan.reduce_order, "the plan's reduce order");
  check_turns(plan.map_turns, workload, Kind::map, refuse);
  check_turns(plan.reduce_turns, workload, Kind::reduce, refuse);
  ++round;
  for (const PlanCap& cap : plan.caps) {
    const auto found = known.find(cap.id);
    if (found == known.end())
      refuse("a cap of the plan is for job '" + cap.id + "', which the workload has not");
    if (found->second == round) refuse("two caps of the plan are for job '" + cap.id + "'");
    found->second = round;
  }
  if (plan.pools.empty()) return;
  std::vector<std::string> joined;
  SlotPool total;
  for (const PlanPool& part : plan.pools) {
    joined.insert(joined.end(), part.jobs.begin(), part.jobs.end());
    if (part.slots.map_slots > pool.map_slots || part.slots.reduce_slots > pool.reduce_slots) {
      refuse("a pool of the plan is larger than the whole");
    }
    total.map_slots += part.slots.map_slots;
    total.reduce_slots += part.slots.reduce_slots;
  }
  check_ids(joined, "the plan's list of pools");
  if (total.map_slots > pool.map_slots || total.reduce_slots > pool.reduce_slots) {
    refuse("the plan's pools need " + std::to_string(total.map_slots) + " map and " +
           std::to_string(total.reduce_slots) + " reduce slots, more than there are");
  }
}

}  // namespace wavewright
