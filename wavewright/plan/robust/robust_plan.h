// Robust plans: the least expected value, or the least 95th percentile, over draws of the batch
// (plan/sampled.h), by sample average approximation [Kleywegt, Shapiro and Homem-de-Mello 2002].
//
// The search is over two orders (methods/late_acceptance.h). It evaluates each pair on the same draws by
// list schedules and starts from the orders of known plans. The draws of a search flatter its result, so
// the robust plan and the nominal one are compared by simulation on fresh draws, the same for both. If
// these show that the robust plan is worse, the nominal plan is the answer.
#pragma once

#include <string>
#include <vector>

#include "wavewright/core/stop.h"
#include "wavewright/plan/planner.h"
#include "wavewright/plan/robust/sample_summary.h"

namespace wavewright {

[[nodiscard]] std::string to_string(RobustMeasure measure);            // `expected`, `p95`
[[nodiscard]] RobustMeasure parse_robust_measure(const std::string&);  // throws UsageError

struct RobustSettings {
  RobustMeasure measure = RobustMeasure::expected;
  double spread = 0, job_spread = 0;  // plan/sampled.h
  std::size_t samples = 1'000;        // fresh draws, at least 20; the search uses a tenth, 20 to 200
};

// A plan with its value for the nominal batch and its values on fresh draws.
struct PlanOnDraws {
  Plan plan;
  SampleSummary draws;  // ms
};

struct RobustAnswer {
  PlanOnDraws nominal;      // the best known plan for the nominal batch
  PlanOnDraws robust;       // the best plan on the draws of the search; may be the nominal one
  IntervalEstimate change;  // of the measure on fresh draws, relative to nominal: −0.02 is 2 % less
  double bound_ms = 0;      // mean over fresh draws of the lower bound of any plan, even one that knew them
  std::size_t searched_with = 0;  // draws
  std::size_t tried_on = 0;       // fresh draws; fewer than asked for if stopped, but at least 20
};

// The reason why it cannot plan; empty = it can.
[[nodiscard]] std::string refuses_robust(const PlanningProblem& problem);

// `plans`: one or more plans for the problem, by any method. `problem.evaluations` counts pairs of orders
// tried on all draws (0 = some seconds' worth). They take half of a time limit, fresh draws the rest. Equal
// seeds give equal answers.
[[nodiscard]] RobustAnswer make_robust_plan(const PlanningProblem& problem, const RobustSettings& settings,
                                            const std::vector<Plan>& plans, const Stop& stop);

}  // namespace wavewright
