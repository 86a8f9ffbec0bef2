// The planner contract: a batch, a pool and an objective in; a plan with its value, a proven lower bound
// and the time spent out.
//
// An implementer promises:
//  - a complete plan (every job once) whose value is what the simulator gives for it, to the millisecond;
//  - a lower bound valid for every schedule of the model (plan/bounds/lower_bound.h), 0 where it knows none;
//  - to look at `stop` at least every 10 ms and then return its best so far, marked `partial`;
//  - equal batch, seed and number of evaluations give an equal plan.
// To add a method, see docs/develop/add-a-planner.md.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wavewright/core/stop.h"
#include "wavewright/job/job.h"
#include "wavewright/sched/plan.h"

namespace wavewright {

struct PlanningProblem {
  const Workload& batch;
  SlotPool pool;
  Objective objective = Objective::makespan;
  double slowstart = 1.0;
  std::uint64_t seed = 0;
  std::span<const Plan> known = {};          // plans made for it before, with which `best` begins
  std::optional<Duration> lower_bound = {};  // where it is proven already; else a planner does it
  std::optional<Duration> enough = {};       // a search may end at this value; nothing beyond it is proved
  std::uint64_t evaluations = 0;  // that a search may make; 0 = some seconds' worth, by the number of tasks
};

class Planner {
 public:
  virtual ~Planner() = default;
  [[nodiscard]] virtual std::string name() const = 0;         // as in `--method`
  [[nodiscard]] virtual std::string description() const = 0;  // one line, with the source
  // Why it has no plan for such a problem; empty = it has one.
  [[nodiscard]] virtual std::string refuses(const PlanningProblem&) const { return {}; }
  [[nodiscard]] virtual Plan plan(const PlanningProblem& problem, const Stop& stop) const = 0;
};

// Every method, in the order of the help text.
[[nodiscard]] const std::vector<std::unique_ptr<Planner>>& planners();

// Throws UsageError with the nearest name.
[[nodiscard]] const Planner& planner(const std::string& name);

// Of that method; UsageError where it refuses.
[[nodiscard]] Plan plan_by(const std::string& name, const PlanningProblem& problem, const Stop& stop);

}  // namespace wavewright
