#include "wavewright/plan/analysis/compare.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "wavewright/plan/evaluate.h"
#include "wavewright/sim/metrics/waiting.h"

namespace wavewright {

namespace {

std::vector<PlannedJob> planned(const Workload& batch, const PlanRun& run, const SimulationResult& result) {
  std::unordered_map<std::string, JobIndex> index;
  for (JobIndex job = 0; job < batch.jobs.size(); ++job) index.emplace(batch.jobs[job].id, job);
  std::vector<PlannedJob> jobs(batch.jobs.size());
  const std::vector<std::string>& order = run.plan.map_order.empty() ? run.plan.order : run.plan.map_order;
  for (std::size_t i = 0; i < order.size(); ++i) jobs[index.at(order[i])].place = i + 1;
  for (std::size_t pool = 0; pool < run.plan.pools.size(); ++pool) {
    for (const std::string& id : run.plan.pools[pool].jobs) jobs[index.at(id)].pool = pool + 1;
  }
  std::vector<Time> last_reduce(batch.jobs.size());
  for (const TaskRecord& task : result.trace) {
    if (task.kind == Kind::reduce) last_reduce[task.job] = std::max(last_reduce[task.job], task.start);
  }
  const std::vector<Time> released = release_times(result, batch);
  for (JobIndex job = 0; job < jobs.size(); ++job) {
    const JobOutcome& outcome = result.jobs[job];
    PlannedJob& of = jobs[job];
    if (of.pool == 0) of.pool = 1;  // a plan without pools
    of.start = outcome.start;
    of.finish = outcome.finish;
    of.predecessors = released[job] - batch.jobs[job].submit;
    of.waited = std::max(Duration{}, outcome.start - batch.jobs[job].submit);
    of.reduces_waited = std::max(Duration{}, last_reduce[job] - outcome.maps_done);
  }
  return jobs;
}

}  // namespace

PlanComparison compare_plans(const Workload& batch, const PlanRun& a, const PlanRun& b) {
  const SimulationResult in_a = simulate_plan(a.plan, batch, a.cluster, true);
  const SimulationResult in_b = simulate_plan(b.plan, batch, b.cluster, true);
  const std::vector<PlannedJob> of_a = planned(batch, a, in_a), of_b = planned(batch, b, in_b);
  PlanComparison comparison;
  comparison.makespan_a = in_a.makespan;
  comparison.makespan_b = in_b.makespan;
  comparison.total_a = in_a.total_completion;
  comparison.total_b = in_b.total_completion;
  for (JobIndex job = 0; job < batch.jobs.size(); ++job) {
    comparison.jobs.push_back({job, of_a[job], of_b[job]});
    const Duration change = comparison.jobs.back().change();
    if (change < Duration{}) ++comparison.earlier;
    if (change > Duration{}) ++comparison.later;
  }
  const auto size = [](const JobChange& change) { return std::chrono::abs(change.change()); };
  std::stable_sort(comparison.jobs.begin(), comparison.jobs.end(),
                   [&](const JobChange& x, const JobChange& y) { return size(x) > size(y); });
  return comparison;
}

std::string in_words(const JobChange& change) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  const auto by = [](Duration difference) { return format_duration(std::chrono::abs(difference)); };
  if (change.a.pool != change.b.pool) add(fmt::format("pool {} to {}", change.a.pool, change.b.pool));
  if (change.a.place != change.b.place) add(fmt::format("place {} to {}", change.a.place, change.b.place));
  const Duration before = change.predecessors_change();
  if (before != Duration{})
    add(fmt::format("waits {} {} for other jobs", by(before), before > Duration{} ? "longer" : "less"));
  const Duration start = change.wait_change();
  if (start != Duration{})
    add(fmt::format("waits {} {} for its first slot", by(start), start > Duration{} ? "longer" : "less"));
  const Duration reduces = change.reduce_wait_change();
  if (reduces != Duration{}) {
    add(fmt::format("{} {} from maps to its last reduce", by(reduces),
                    reduces > Duration{} ? "longer" : "less"));
  }
  return text;
}

}  // namespace wavewright
