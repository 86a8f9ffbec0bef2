#include "wavewright/plan/analysis/risk.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

#include <tbb/parallel_for.h>

#include "wavewright/plan/analysis/bottlenecks.h"
#include "wavewright/plan/evaluate.h"

namespace wavewright {

namespace {

void stretch(Job& job, double factor) {
  for (auto* const lengths : {&job.maps, &job.reduces, &job.first_shuffles, &job.shuffles}) {
    for (Duration& length : *lengths) {
      length = std::min(longest_duration, ms(std::llround(static_cast<double>(length.count()) * factor)));
    }
  }
}

// Runs steps in parallel, in any order; calls `progress` for one at a time.
class Steps {
 public:
  Steps(Count all, const std::function<void(Count, Count)>& progress, const Stop& stop)
      : all_(all), progress_(progress), stop_(stop) {}
  void each(Count count, const std::function<void(Count)>& step) {
    tbb::parallel_for(Count{0}, count, [&](Count i) {
      if (stop_.now()) return;
      step(i);
      const std::scoped_lock lock(telling_);
      progress_(++done_, all_);
    });
  }

 private:
  Count all_, done_ = 0;
  const std::function<void(Count, Count)>& progress_;
  const Stop& stop_;
  std::mutex telling_;
};

Duration at_rank(const std::vector<Duration>& sorted, double share) {
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

void sum_up(Risk& risk, std::vector<Duration> makespans, const RiskOptions& options) {
  std::erase(makespans, ms(-1));
  risk.samples = static_cast<Count>(makespans.size());
  if (makespans.empty()) return;
  std::sort(makespans.begin(), makespans.end());
  double sum = 0;
  for (const Duration makespan : makespans) sum += static_cast<double>(makespan.count());
  risk.mean = ms(std::llround(sum / static_cast<double>(makespans.size())));
  risk.least = makespans.front();
  risk.most = makespans.back();
  risk.p5 = at_rank(makespans, 0.05);
  risk.p50 = at_rank(makespans, 0.5);
  risk.p95 = at_rank(makespans, 0.95);
  risk.makespans = histogram_of(makespans, options.deadline);
  if (!options.deadline) return;
  const auto late = std::upper_bound(makespans.begin(), makespans.end(), *options.deadline);
  risk.meets = seen_share(late - makespans.begin(), risk.samples);
}

}  // namespace

SeenShare seen_share(Count seen, Count of) {
  if (of <= 0) return {};
  constexpr double z = 1.959963984540054;  // 97.5 % quantile of the normal distribution
  const auto n = static_cast<double>(of);
  const double share = static_cast<double>(seen) / n;
  const double middle = (share + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  // The interval ends are exact if all or none were seen.
  return {seen, of, share, seen == 0 ? 0 : std::max(0.0, middle - half),
          seen == of ? 1 : std::min(1.0, middle + half)};
}

Risk assess_risk(const Plan& plan, SlotCluster cluster, const std::function<Workload(std::uint64_t)>& draw,
                 const RiskOptions& options, const std::function<void(Count, Count)>& progress,
                 const Stop& stop) {
  const Count looked_at = std::min(options.samples, draws_for_jobs);
  const std::size_t jobs = plan.order.size();
  Steps steps(options.samples + looked_at, progress, stop);

  Risk risk;
  risk.longer = options.longer;
  std::vector<Duration> makespans(static_cast<std::size_t>(options.samples), ms(-1));
  std::vector<std::vector<JobIndex>> chains(static_cast<std::size_t>(looked_at));
  steps.each(options.samples, [&](Count i) {
    const Workload drawn = draw(static_cast<std::uint64_t>(i));
    const bool look = i < looked_at;
    const SimulationResult result = simulate_plan(plan, drawn, cluster, look);
    makespans[static_cast<std::size_t>(i)] = result.makespan;
    if (look) chains[static_cast<std::size_t>(i)] = chain_jobs(plan, drawn, result);
  });

  const Count made = std::count_if(makespans.begin(), makespans.begin() + looked_at,
                                   [](Duration makespan) { return makespan >= Duration{}; });
  std::vector<Count> critical(jobs, 0);
  for (const auto& chain : chains) {
    for (const JobIndex job : chain) ++critical[job];
  }
  for (JobIndex job = 0; job < jobs; ++job) {
    if (critical[job] > 0)
      risk.jobs.push_back({job, static_cast<double>(critical[job]) / static_cast<double>(made), 0});
  }
  std::stable_sort(risk.jobs.begin(), risk.jobs.end(),
                   [](const JobRisk& a, const JobRisk& b) { return a.critical > b.critical; });
  if (risk.jobs.size() > risky_jobs_tried) risk.jobs.resize(risky_jobs_tried);

  const std::size_t tried = risk.jobs.size();
  std::vector<std::vector<Duration>> moved(static_cast<std::size_t>(looked_at));
  steps.each(looked_at, [&](Count i) {
    const auto sample = static_cast<std::size_t>(i);
    if (makespans[sample] < Duration{}) return;
    Workload drawn = draw(sample);
    std::vector<Duration> moves;
    for (const JobRisk& risky : risk.jobs) {
      const Job before = drawn.jobs[risky.job];
      stretch(drawn.jobs[risky.job], 1 + options.longer);
      moves.push_back(simulate_plan(plan, drawn, cluster).makespan - makespans[sample]);
      drawn.jobs[risky.job] = before;
    }
    moved[sample] = std::move(moves);
  });
  risk.chains = made;
  risk.partial = stop.now();
  std::erase_if(moved, [](const auto& moves) { return moves.empty(); });
  for (std::size_t job = 0; job < tried && !moved.empty(); ++job) {
    double sum = 0;
    for (const auto& moves : moved) sum += static_cast<double>(moves[job].count());
    risk.jobs[job].moves_ms = sum / static_cast<double>(moved.size());
  }
  std::stable_sort(risk.jobs.begin(), risk.jobs.end(),
                   [](const JobRisk& a, const JobRisk& b) { return a.moves_ms > b.moves_ms; });
  sum_up(risk, std::move(makespans), options);
  return risk;
}

}  // namespace wavewright
