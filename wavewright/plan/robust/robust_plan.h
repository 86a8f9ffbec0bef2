// Robust plans: the least expected value, or the least 95th percentile, over draws of the batch
// (job/sampled.h), by sample average approximation [Kleywegt, Shapiro and Homem-de-Mello 2002].
//
// The search is over two orders (methods/late_acceptance.h). It evaluates each pair on the same draws by list
// schedules and starts from the orders of known plans. A plan looks better on the draws of its own search, so
// the robust and the nominal plan are compared by simulation on fresh draws, the same for both. If the robust
// plan is clearly worse there, the answer is the nominal plan.
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
  double spread = 0, job_spread = 0;  // job/sampled.h
  // Fresh draws, at least 20. The search uses a tenth, 20 to 200; for large batches fewer, at least 5.
  std::size_t samples = 1'000;
};

// A plan with its value for the nominal batch and its values on fresh draws.
struct PlanOnDraws {
  Plan plan;
  SampleSummary draws;  // ms
};

struct RobustAnswer {
  PlanOnDraws nominal;            // the best known plan for the nominal batch
  PlanOnDraws robust;             // the best plan on the draws of the search; may be the nominal one
  IntervalEstimate change;        // of the measure on fresh draws, relative to nominal: −0.02 is 2 % less
  double bound_ms = 0;            // mean lower bound over fresh draws, even for plans that know the draw
  std::size_t searched_with = 0;  // draws
  std::size_t tried_on = 0;       // fresh draws; fewer than asked for if stopped, but at least 20
};

// `plans`: one or more plans for the problem, by any method. `problem.evaluations`: pairs of orders that the
// search tries on all draws (0 = some seconds' worth). The search takes half of a time limit, fresh draws the
// rest. Equal seeds give equal answers.
[[nodiscard]] RobustAnswer make_robust_plan(const PlanningProblem& problem, const RobustSettings& settings,
                                            const std::vector<Plan>& plans, const Stop& stop);

}  // namespace wavewright
