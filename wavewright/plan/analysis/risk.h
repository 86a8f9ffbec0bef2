// What becomes of a plan when tasks take other times than it thinks: how probable a deadline is, and which
// job puts the end at risk. Monte Carlo: the plan's orders and pools are kept, task lengths are drawn.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "wavewright/plan/analysis/histogram.h"
#include "wavewright/plan/planner.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

// A share seen in so many trials, with Wilson's 95 % interval [Wilson 1927].
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
  double critical = 0;  // share of draws in which a task of it was in the chain that decided the end
  double moves_ms =
      0;  // mean change of the makespan when all its tasks take `longer` more, on the same draws
};

struct Risk {
  Count samples = 0;
  Duration mean{};
  Duration p5{}, p50{}, p95{};     // of the makespan, by nearest rank
  Histogram makespans;             // of all draws; the deadline lies between two bins or beyond them
  std::optional<SeenShare> meets;  // the deadline, where one was given
  double longer = 0;
  Count chains = 0;           // draws whose chain was looked at, and on which jobs were stretched
  std::vector<JobRisk> jobs;  // those tried, largest move first
  bool partial = false;       // stopped before all draws were made
};

struct RiskOptions {
  Count samples = 1000;
  std::optional<Duration> deadline;
  double longer = 0.1;  // share that jobs are stretched by
};

inline constexpr Count most_samples = 1'000'000;
inline constexpr std::size_t risky_jobs_tried = 20;  // the most critical ones
inline constexpr Count draws_for_jobs = 100;

// `draw(index)` gives the batch with lengths of their own, the same for the same index; it is called from
// several threads. The answer does not depend on how many. `progress` is told how many of `steps` are done,
// never twice at once. Work: samples + draws_for_jobs · (1 + risky_jobs_tried) simulations at most.
[[nodiscard]] Risk assess_risk(const Plan& plan, SlotCluster cluster,
                               const std::function<Workload(std::uint64_t)>& draw, const RiskOptions& options,
                               const std::function<void(Count done, Count steps)>& progress,
                               const Stop& stop);

}  // namespace wavewright
