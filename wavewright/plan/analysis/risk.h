// Risk of a plan when task lengths vary: the probability of meeting a deadline, and the jobs that put the
// end at risk. Monte Carlo simulation: the plan's orders and pools are kept, task lengths are drawn.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "wavewright/plan/analysis/histogram.h"
#include "wavewright/plan/planner.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

// A share observed in trials, with Wilson's 95 % interval [Wilson 1927].
struct SeenShare {
  Count seen = 0;
  Count of = 0;
  double share = 0;
  double low = 0;
  double high = 1;
};
[[nodiscard]] SeenShare seen_share(Count seen, Count of);

struct JobRisk {
  JobIndex job = 0;
  double critical = 0;  // share of draws with a task of the job in the critical chain
  double moves_ms = 0;  // mean change of the makespan on the same draws if its tasks take `longer` more
};

struct Risk {
  Count samples = 0;
  Duration mean{};
  Duration p5{}, p50{}, p95{};     // quantiles of the makespan, by nearest rank
  Duration least{}, most{};        // of all draws
  Histogram makespans;             // of all draws; the deadline is its `edge`
  std::optional<SeenShare> meets;  // share of draws that meet the deadline; empty without one
  double longer = 0;
  Count chains = 0;           // draws for which the critical chain and the moves were computed
  std::vector<JobRisk> jobs;  // the jobs tried, largest move first
  bool partial = false;       // stopped early
};

struct RiskOptions {
  Count samples = 1000;
  std::optional<Duration> deadline;
  double longer = 0.1;  // part by which tasks are made longer
};

inline constexpr Count most_samples = 1'000'000;
inline constexpr std::size_t risky_jobs_tried = 20;  // jobs that are most often in the critical chain
inline constexpr Count draws_for_jobs = 100;

// `draw(index)` returns the batch with drawn lengths, equal for equal indices; it is called from several
// threads. The result does not depend on the number of threads. `progress` is called with the number of
// finished steps, never twice at once. At most samples + draws_for_jobs · risky_jobs_tried simulations.
[[nodiscard]] Risk assess_risk(const Plan& plan, SlotCluster cluster,
                               const std::function<Workload(std::uint64_t)>& draw, const RiskOptions& options,
                               const std::function<void(Count done, Count steps)>& progress,
                               const Stop& stop);

}  // namespace wavewright
