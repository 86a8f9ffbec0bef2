#include "apps/commands/run_batch.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "apps/commands/job_reader.h"
#include "apps/commands/plan_commands.h"
#include "apps/policies.h"
#include "wavewright/core/error.h"
#include "wavewright/core/random.h"
#include "wavewright/dispatch/run_queue.h"
#include "wavewright/energy/plan/evaluate_energy.h"
#include "wavewright/live/yarn/queue_names.h"
#include "wavewright/plan/job_ids.h"
#include "wavewright/predict/percentiles.h"
#include "wavewright/sched/plan_check.h"
#include "wavewright/sched/plan_file.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sched/told_jobs.h"
#include "wavewright/sim/metrics/run_counts.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright::app {

namespace {

const std::vector<std::string>& order_of(const Plan& plan) {
  return plan.map_order.empty() ? plan.order : plan.map_order;
}

std::vector<std::string> not_applied(const Plan& plan, const RunRequest& request) {
  std::vector<std::string> lost;
  const auto lose = [&](bool has, const char* what) {
    if (has) lost.emplace_back(what);
  };
  lose(plan.pools.size() > 1 && !request.pools, "its pools");
  lose(!request.plugin && !plan.reduce_order.empty() && plan.reduce_order != order_of(plan),
       "its own order of reduces");
  lose(!plan.map_turns.empty() || !plan.reduce_turns.empty(), "its turns");
  return lost;
}

Workload in_order_of(const Workload& listed, const Plan& plan) {
  const JobIds ids(listed);
  Workload ordered;
  for (const JobIndex job : ids[order_of(plan)]) ordered.jobs.push_back(listed.jobs[job]);
  return ordered;
}

const PoolQueue* pool_of(const std::optional<PoolQueues>& pools, const std::string& id) {
  if (!pools) return nullptr;
  const auto pool = std::find_if(pools->queues.begin(), pools->queues.end(), [&](const PoolQueue& each) {
    return std::find(each.jobs.begin(), each.jobs.end(), id) != each.jobs.end();
  });
  return pool == pools->queues.end() ? nullptr : &*pool;
}

SubmissionSettings submission_settings(const Job& job, const RunRequest& request,
                                       const std::optional<Plan>& plan) {
  SubmissionSettings settings;
  settings.tags = {run_tag(request.tagged), job_tag(request.tagged, job.id)};
  settings.queue = job.queue.empty() ? request.queue : job.queue;
  if (const PoolQueue* pool = pool_of(request.pools, job.id)) settings.queue = pool->name;
  settings.slowstart = request.slowstart;
  if (!plan) return settings;
  const auto cap = std::find_if(plan->caps.begin(), plan->caps.end(),
                                [&](const PlanCap& each) { return each.id == job.id; });
  if (cap == plan->caps.end()) return settings;
  settings.executor_limit = cap->maps;
  if (request.plugin) return settings;
  settings.map_limit = cap->maps;
  settings.reduce_limit = cap->reduces;
  return settings;
}

// How a batch is simulated.
struct Simulated {
  const Context& context;
  const Cluster& cluster;
  const std::string& scheduler;
  std::optional<SubmissionPace> pace = {};
  std::map<std::string, ToldJob> told = {};
};

SimulationResult simulate_by(const Simulated& by, const Workload& workload, std::uint64_t seed) {
  Policy policy = make_policy_on(by.scheduler, by.cluster, command_policies());
  if (!by.told.empty()) policy.allocator = make_told_jobs(std::move(policy.allocator), by.told);
  ClusterOptions how;
  how.cluster = by.cluster;
  how.seed = seed;
  return simulate_on(workload, policy, how);
}

// Runs of a batch with times of submission drawn from earlier ones.
class DrawnRuns {
 public:
  DrawnRuns(const Simulated& by, const Workload& given) : by_(by), given_(given) {
    constexpr std::size_t most_runs = 100, least_runs = 20, most_tasks = 1'000'000;
    runs_.resize(std::clamp(most_tasks / std::max<std::size_t>(1, given.tasks()), least_runs, most_runs));
    for (std::size_t draw = 0; draw < runs_.size(); ++draw) runs_[draw] = {simulate(draw).makespan, draw};
    std::sort(runs_.begin(), runs_.end());
  }

  [[nodiscard]] ExpectedRun::Range range() const {
    std::vector<double> makespans;
    makespans.reserve(runs_.size());
    for (const auto& [makespan, draw] : runs_) makespans.push_back(static_cast<double>(to_ms(makespan)));
    const auto at = [&](double q) { return ms(std::llround(quantile_of(makespans, q))); };
    return {at(0.05), at(0.95)};
  }
  // The draw whose makespan is the median.
  [[nodiscard]] std::size_t middle() const { return runs_[(runs_.size() - 1) / 2].second; }
  [[nodiscard]] Workload workload(std::size_t draw) const {
    Random random(by_.context.seed, "times of submission", draw);
    return paced(given_, *by_.pace, random);
  }
  [[nodiscard]] SimulationResult simulate(std::size_t draw) const {
    return simulate_by(by_, workload(draw), by_.context.seed + draw);
  }

 private:
  const Simulated& by_;
  const Workload& given_;
  std::vector<std::pair<Duration, std::size_t>> runs_;  // makespan and draw, in ascending order
};

ExpectedRun expected_of(const Simulated& by, const Workload& given, const Workload& workload,
                        const SimulationResult& result) {
  const Context& context = by.context;
  if (const RunCounts counts = counts_of(result); counts.done < std::ssize(workload.jobs))
    context.note(fmt::format("under {}, only {} of {} jobs are done", by.scheduler, counts.done,
                             workload.jobs.size()));
  ExpectedRun expected{result.makespan, result.total_completion};
  // Completion counts from the time at which a job may be submitted.
  for (std::size_t i = 0; i < workload.jobs.size(); ++i)
    expected.total_completion += workload.jobs[i].submit - given.jobs[i].submit;
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    const JobOutcome& job = result.jobs[i];
    if (job.has_finished() && !job.failed) expected.jobs[workload.jobs[i].id] = {job.start, job.finish};
  }
  return expected;
}

// A makespan jumps with the times of submission: that of the median times may be one that hardly ever comes.
// So where earlier times are known, the run in the middle of many drawn ones is expected.
ExpectedRun simulated(const Simulated& by, const Workload& given) {
  if (by.pace && !by.pace->all_between.empty()) {
    const DrawnRuns drawn(by, given);
    const std::size_t middle = drawn.middle();
    ExpectedRun expected = expected_of(by, given, drawn.workload(middle), drawn.simulate(middle));
    expected.makespan_range = drawn.range();
    return expected;
  }
  const Workload workload = by.pace ? paced(given, *by.pace) : given;
  return expected_of(by, given, workload, simulate_by(by, workload, by.context.seed));
}

// As the dispatching queue lets the jobs go. Those that wait for others enter it at their own time.
ExpectedRun through_queue(const Simulated& by, const Workload& listed, const LiveOrdering& ordering) {
  DispatchQueue queue(make_reorder_policy(ordering.when), engine_of(ordering));
  const QueueRun run = run_queue(listed, queue);
  ExpectedRun expected = simulated(by, run.dispatched);
  // Completion counts from the arrival.
  for (const Job& job : run.dispatched.jobs) expected.total_completion += job.submit - Time{};
  for (const Job& job : listed.jobs) expected.total_completion -= job.submit - Time{};
  return expected;
}

// Priorities fall along the order. Where there are fewer of them than jobs, neighbours share one, and are
// served as they come.
int priority_of(std::size_t place, std::size_t jobs, int most) {
  const auto levels = static_cast<std::size_t>(most) + 1;
  return most - static_cast<int>(jobs <= levels ? place : place * levels / jobs);
}

void add_submissions(RunBatch& batch, const RunRequest& request, const std::optional<Cluster>& cluster) {
  const std::size_t jobs = batch.ordered.jobs.size();
  std::size_t bytes = 0;
  for (const Job& job : batch.ordered.jobs) {
    batch.settings.push_back(submission_settings(job, request, batch.plan));
    if (batch.energy) {
      const EnergyPlacement& placed = batch.energy->jobs.at(job.id);
      batch.settings.back().map_label = placed.map_label;
      batch.settings.back().reduce_label = placed.reduce_label;
    }
    if (request.most_priority)
      batch.settings.back().priority = priority_of(batch.settings.size() - 1, jobs, *request.most_priority);
    try {
      const std::string& queue = batch.settings.back().queue;
      refuse_long_texts(job, queue);
      if (lists_queues(cluster) && !queue.empty() && pool_of(request.pools, job.id) == nullptr)
        require_queue(cluster->queues, queue);
      batch.submissions.push_back(submission_of(job, batch.settings.back()));
      for (const std::string& word : batch.submissions.back().command) bytes += word.size();
      if (bytes > request.most_bytes)
        throw UsageError(
            fmt::format("up to it, the commands have more than {} MiB with what their words stand for",
                        request.most_bytes >> 20),
            "send fewer jobs at a time, or put long texts into files");
    } catch (const UsageError& error) {
      throw InputError({request.file == "-" ? "standard input" : request.file},
                       fmt::format("job '{}': {}", job.id, error.problem()), error.remedy());
    }
  }
}

// The part of a plan that is applied to each job: its caps, the classes that labels keep it off, and with the
// plug-in its places in both orders.
std::map<std::string, ToldJob> told_by(const RunBatch& batch, bool plugin) {
  const Plan& plan = *batch.plan;
  std::map<std::string, ToldJob> told;
  for (const PlanCap& cap : plan.caps) {
    told[cap.id].maps = cap.maps;
    told[cap.id].reduces = cap.reduces;
  }
  if (batch.energy) {
    for (const auto& [id, placed] : batch.energy->jobs) {
      told[id].no_maps = placed.no_maps;
      told[id].no_reduces = placed.no_reduces;
    }
  }
  if (!plugin) return told;
  const std::vector<std::string>& maps = order_of(plan);
  const std::vector<std::string>& reduces = plan.reduce_order.empty() ? maps : plan.reduce_order;
  for (std::size_t i = 0; i < maps.size(); ++i) told[maps[i]].map_rank = static_cast<Key>(i);
  for (std::size_t i = 0; i < reduces.size(); ++i) told[reduces[i]].reduce_rank = static_cast<Key>(i);
  return told;
}

Workload in_pools(Workload workload, const std::optional<PoolQueues>& pools) {
  for (Job& job : workload.jobs) {
    const PoolQueue* pool = pool_of(pools, job.id);
    if (pool != nullptr) job.queue = pools->path(*pool).substr(std::string_view("root.").size());
  }
  return workload;
}

}  // namespace

bool lists_queues(const std::optional<Cluster>& cluster) {
  return cluster && !cluster->queues.empty();
}

RunBatch prepare_added(Workload jobs, const RunRequest& request, const std::optional<Cluster>& cluster) {
  RunBatch batch;
  batch.listed = batch.ordered = std::move(jobs);
  add_submissions(batch, request, cluster);
  return batch;
}

RunBatch prepare_run(const Context& context, const RunRequest& request,
                     const std::optional<Cluster>& cluster) {
  RunBatch batch;
  batch.listed = JobReader(context).read(request.file);
  if (is_energy_plan(request.plan)) {
    batch.energy = energy_order(request.plan, batch.listed, cluster, context.seed);
    batch.plan.emplace().order = batch.energy->order;
    batch.not_applied = batch.energy->not_applied;
  } else if (!request.plan.empty()) {
    batch.plan = read_plan(request.plan);
    check_plan(*batch.plan, batch.listed, pool_of(*batch.plan).value_or(SlotPool{}), request.plan);
    batch.not_applied = not_applied(*batch.plan, request);
  }
  batch.ordered = batch.plan ? in_order_of(batch.listed, *batch.plan) : batch.listed;
  add_submissions(batch, request, cluster);
  return batch;
}

std::optional<double> Expectation::change(Objective objective) const {
  if (!ordered) return std::nullopt;
  const Duration before = planned_value(objective, listed.makespan, listed.total_completion);
  const Duration after = planned_value(objective, ordered->makespan, ordered->total_completion);
  if (before <= Duration{}) return std::nullopt;
  return static_cast<double>((after - before).count()) / static_cast<double>(before.count());
}

Expectation expect_run(const Context& context, const RunBatch& batch, const RunRequest& request,
                       const Cluster& given, const std::string& scheduler,
                       const std::optional<LiveOrdering>& ordering,
                       const std::optional<SubmissionPace>& pace) {
  if (batch.listed.tasks() == 0) {
    throw UsageError("no job has tasks, so there is nothing to expect",
                     "name their profiles (docs/formats/workload-file.md), or leave out --cluster");
  }
  const auto empty = std::count_if(batch.listed.jobs.begin(), batch.listed.jobs.end(),
                                   [](const Job& job) { return job.maps.empty() && job.reduces.empty(); });
  if (empty > 0)
    context.note(
        fmt::format("{} of {} jobs have no tasks and name no profile: they are taken to need no time", empty,
                    batch.listed.jobs.size()));
  // Nobody switches machines on: they are taken to be on.
  Cluster cluster = batch.energy ? all_machines_on(given) : given;
  if (request.slowstart) cluster.mode.slowstart = *request.slowstart;
  const Simulated by{context, cluster, scheduler, pace, {}};
  Expectation expected{scheduler, std::nullopt, simulated(by, batch.listed), std::nullopt, pace};
  if (batch.plan) {
    if (!batch.energy) expected.planned = {batch.plan->makespan, batch.plan->total_completion};
    const Cluster pooled = request.pools ? with_pool_queues(cluster, *request.pools) : cluster;
    const Simulated told{context, pooled, scheduler, pace, told_by(batch, request.plugin)};
    expected.ordered = simulated(told, in_pools(batch.ordered, request.pools));
  } else if (ordering) {
    expected.ordered = through_queue(by, batch.listed, *ordering);
  }
  return expected;
}

Json expectation_document(const RunBatch& batch, const Expectation& expected) {
  const auto times = [](const std::optional<ExpectedRun>& run) {
    if (!run) return Json(nullptr);
    const auto& range = run->makespan_range;
    return Json{{"makespan_ms", to_ms(run->makespan)},
                {"makespan_p5_ms", range ? Json(to_ms(range->p5)) : Json(nullptr)},
                {"makespan_p95_ms", range ? Json(to_ms(range->p95)) : Json(nullptr)},
                {"total_completion_ms", to_ms(run->total_completion)}};
  };
  Json document = {{"scheduler", expected.scheduler},
                   {"planned", times(expected.planned)},
                   {"ordered", times(expected.ordered)},
                   {"as_listed", times(expected.listed)}};
  // A plan for energy is not for time.
  const auto change = batch.plan && !batch.energy ? expected.change(batch.plan->objective) : std::nullopt;
  document["change_percent"] = change ? Json(100 * *change) : Json(nullptr);
  document["submission"] = expected.pace ? Json{{"until_accepted_ms", to_ms(expected.pace->until_accepted)},
                                                {"between_ms", to_ms(expected.pace->between)},
                                                {"jobs", expected.pace->jobs}}
                                         : Json(nullptr);
  return document;
}

std::vector<std::string> other_users(const Workload& jobs, const std::string& account) {
  std::vector<std::string> users;
  std::set<std::string_view> known = {"", account};
  for (const Job& job : jobs.jobs) {
    if (known.insert(job.user).second) users.push_back(job.user);
  }
  return users;
}

Json run_document(const RunBatch& batch, const RunRequest& request,
                  const std::optional<Expectation>& expected) {
  const auto text_or_null = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
  Json document = {{"run", request.run}, {"submitted", 0}, {"jobs", Json::array()}};
  for (std::size_t i = 0; i < batch.ordered.jobs.size(); ++i) {
    const Job& job = batch.ordered.jobs[i];
    const SubmissionSettings& settings = batch.settings[i];
    Json entry = {{"id", job.id},
                  {"name", job.name},
                  {"not_before_ms", to_ms(job.submit)},
                  {"after", job.after},
                  {"queue", text_or_null(settings.queue)},
                  {"priority", settings.priority ? Json(*settings.priority) : Json(nullptr)},
                  {"map_label", text_or_null(settings.map_label)},
                  {"reduce_label", text_or_null(settings.reduce_label)},
                  {"tags", settings.tags},
                  {"command", batch.submissions[i].command},
                  {"without", batch.submissions[i].without},
                  {"notes", batch.submissions[i].notes}};
    document["jobs"].push_back(std::move(entry));
  }
  document["not_applied"] = batch.not_applied;
  document["other_users"] = other_users(batch.listed, request.account);
  if (expected) document["expected"] = expectation_document(batch, *expected);
  return document;
}

}  // namespace wavewright::app
