// The planner contract: a batch, a cluster of slots and an objective in; a plan with its value, a proven
// lower bound and the time spent out.
//
// An implementer promises:
// - a complete plan (every job once) whose value is the simulator's value for it, to the millisecond;
// - a lower bound that is valid for every schedule of the model (plan/bounds/lower_bound.h), or 0;
// - to check `stop` at least every 10 ms and then to return the best plan so far, marked `partial`;
// - equal plans for equal batches, seeds and numbers of evaluations.
// docs/develop/add-a-planner.md adds a method.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wavewright/cluster/slot_cluster.h"
#include "wavewright/core/parameters.h"
#include "wavewright/core/stop.h"
#include "wavewright/job/job.h"
#include "wavewright/sched/plan.h"

namespace wavewright {

// A value: copies share the batch, which nobody changes, and outlive whatever they were made from.
struct PlanningProblem {
  std::shared_ptr<const Workload> batch;
  SlotCluster cluster;
  Objective objective = Objective::makespan;
  std::uint64_t seed = 0;
  std::vector<Plan> known = {};              // plans made for it before; `best` starts from them
  std::optional<Duration> lower_bound = {};  // a bound proven before; empty = the planner computes one
  std::optional<Duration> enough = {};       // a search may end at this value; nothing beyond it is proved
  double within = 0;  // `best` may exceed the best value found by this share, for the other objective's sake
  std::uint64_t evaluations = 0;                // schedules that a search may try; 0 = some seconds' worth
  TaskOrder task_order = TaskOrder::as_listed;  // in which the batch's tasks stand already
  std::optional<Duration> order_free_bound =
      {};  // part of the bound; empty = all of it holds for any task order
};

// The batch of a PlanningProblem.
[[nodiscard]] inline std::shared_ptr<const Workload> shared(Workload batch) {
  return std::make_shared<const Workload>(std::move(batch));
}

class Planner {
 public:
  virtual ~Planner() = default;
  [[nodiscard]] virtual std::string name() const = 0;         // as in `--method`
  [[nodiscard]] virtual std::string description() const = 0;  // one line, with the source
  // True if it tries many schedules; false if it computes one.
  [[nodiscard]] virtual bool searches() const { return true; }
  // True if its plans divide the slots into pools, which only the whole plan can use.
  [[nodiscard]] virtual bool makes_pools() const { return false; }
  // What may be set: `genetic(population=80)`.
  [[nodiscard]] virtual std::vector<Parameter> parameters() const { return {}; }
  // The same method with those values. Only a method with parameters is asked.
  [[nodiscard]] virtual std::unique_ptr<Planner> with(Parameters&) const { return nullptr; }
  // The reason why it cannot plan this problem; empty = it can.
  [[nodiscard]] virtual std::string refuses(const PlanningProblem&) const { return {}; }
  [[nodiscard]] virtual Plan plan(const PlanningProblem& problem, const Stop& stop) const = 0;
};

// Every method, in the order of the help text.
[[nodiscard]] const std::vector<std::unique_ptr<Planner>>& planners();

// The method of `johnson` or `genetic(population=80)`. Throws UsageError, with the nearest name where there
// is no such method.
[[nodiscard]] std::shared_ptr<const Planner> planner(const std::string& text);

// That method's plan. Throws UsageError if the method refuses the problem.
[[nodiscard]] Plan plan_by(const std::string& method, const PlanningProblem& problem, const Stop& stop);

}  // namespace wavewright
