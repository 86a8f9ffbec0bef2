// A plan that is good where tasks take other times than the batch says: with the least expected value, or
// 95th percentile, over draws of the batch (plan/sampled.h), by sample average approximation [Kleywegt,
// Shapiro and Homem-de-Mello 2002].
//
// The search is one over two orders (methods/late_acceptance.h) that tries each pair on the same draws by
// list schedule, from the orders of the plans that are known on. Whether a plan found so is better than
// another is not seen on the draws that it was searched with, which flatter it: both are simulated on fresh
// ones, the same for both. Where these show that it is worse, the better one is the answer.
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
  std::size_t samples = 1'000;        // fresh ones, at least 20; the search has a tenth, from 20 to 200
};

// Of one plan: its value for the batch as it is written, and on the fresh draws.
struct PlanOnDraws {
  Plan plan;
  SampleSummary draws;  // ms
};

struct RobustAnswer {
  PlanOnDraws nominal;      // the best of the known plans for the batch as it is written
  PlanOnDraws robust;       // the best that was found on the draws of the search; it may be the nominal one
  IntervalEstimate change;  // of the measure, robust to nominal, on the fresh draws: −0.02 is 2 % less
  double bound_ms = 0;      // mean over the fresh draws of what no plan is below, even one that knew them
  std::size_t searched_with = 0;  // draws
  std::size_t tried_on = 0;       // fresh draws: fewer than asked for where it was stopped, but 20
};

// Why it has no answer; empty = it has one.
[[nodiscard]] std::string refuses_robust(const PlanningProblem& problem);

// `plans` are one or more for the problem, of any method. Evaluations (0 = some seconds' worth) are schedules
// of a pair of orders on all draws; they take half of a time limit, fresh draws the rest. Equal seeds give
// equal answers.
[[nodiscard]] RobustAnswer make_robust_plan(const PlanningProblem& problem, const RobustSettings& settings,
                                            const std::vector<Plan>& plans, const Stop& stop);

}  // namespace wavewright
