// An order of a batch's jobs with little total tardiness, weighted by their cost of delay.
//
// It starts from the best of several rules: earliest deadline, least slack, shortest first, and apparent
// tardiness cost with several look-aheads [Vepsalainen & Morton 1987]. Then a search by simulated annealing
// moves a job, mostly a tardy one, to another place. Up to `exhaustive_jobs` jobs all orders are tried
// instead. The order serves maps and reduces, on one pool, as plans with one order do.
#pragma once

#include <cstdint>
#include <vector>

#include "wavewright/cluster/slot_cluster.h"
#include "wavewright/core/stop.h"
#include "wavewright/job/job.h"
#include "wavewright/sched/event.h"

namespace wavewright {

struct TardinessProblem {
  const Workload* batch = nullptr;  // must outlive the call; its tasks stand in the order in which they start
  SlotCluster cluster;
  std::uint64_t seed = 1;
  std::uint64_t evaluations = 0;  // schedules to try; 0 = some seconds' worth
};

struct TardinessPlan {
  std::vector<JobIndex> order;
  std::string method;              // the rule, or `annealing`, or `exhaustive`
  std::vector<std::int64_t> ends;  // of each job, ms
  double value = 0;                // Σ weight · tardiness, ms
  double bound = 0;                // no schedule of the model is below (tardiness_bound.h)
  Duration makespan{}, total_completion{};
  std::uint64_t evaluated = 0;
  bool proved_optimal = false;     // value = bound
  bool best_single_order = false;  // proved: all orders were tried, or value = bound
  bool partial = false;            // stopped before it was done
};

inline constexpr std::size_t exhaustive_jobs = 8;

// `delay_cost_per_s` of each job, 1 where it has none above 0.
[[nodiscard]] std::vector<double> tardiness_weights(const Workload& batch);

// Equal input, seed and evaluations give equal plans. Checks `stop` at each schedule. O(evaluations ·
// schedule).
[[nodiscard]] TardinessPlan plan_tardiness(const TardinessProblem& problem, const Stop& stop);

}  // namespace wavewright
