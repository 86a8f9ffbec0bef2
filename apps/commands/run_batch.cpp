#include "apps/commands/run_batch.h"

#include <algorithm>

#include <fmt/format.h>

#include "apps/commands/job_reader.h"
#include "apps/commands/plan_commands.h"
#include "apps/policies.h"
#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/dispatch/run_queue.h"
#include "wavewright/plan/job_ids.h"
#include "wavewright/sched/plan_check.h"
#include "wavewright/sched/plan_file.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/metrics/run_counts.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright::app {

namespace {

const std::vector<std::string>& order_of(const Plan& plan) {
  return plan.map_order.empty() ? plan.order : plan.map_order;
}

std::vector<std::string> not_applied(const Plan& plan, bool plugin) {
  std::vector<std::string> lost;
  const auto lose = [&](bool has, const char* what) {
    if (has) lost.emplace_back(what);
  };
  lose(plan.pools.size() > 1, "its pools");
  lose(!plugin && !plan.reduce_order.empty() && plan.reduce_order != order_of(plan),
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

// A name without a path stands for any queue of that last name, as YARN takes it.
bool is_queue_of(const Cluster& cluster, const std::string& name) {
  return std::any_of(cluster.queues.begin(), cluster.queues.end(), [&](const Queue& queue) {
    return queue.name == name || queue.name.ends_with("." + name) || "root." + queue.name == name;
  });
}

void check_queue(const std::optional<Cluster>& cluster, const std::string& queue) {
  if (!cluster || cluster->queues.empty() || queue.empty() || is_queue_of(*cluster, queue)) return;
  std::vector<std::string> known;
  for (const Queue& each : cluster->queues) known.push_back(each.name);
  throw UsageError(fmt::format("the cluster has no queue '{}'", queue), suggestion(queue, known));
}

SubmissionSettings submission_settings(const Job& job, const RunRequest& request,
                                       const std::optional<Plan>& plan) {
  SubmissionSettings settings;
  settings.tags = {run_tag(request.tagged), job_tag(request.tagged, job.id)};
  settings.queue = job.queue.empty() ? request.queue : job.queue;
  if (!plan || request.plugin) return settings;
  const auto cap = std::find_if(plan->caps.begin(), plan->caps.end(),
                                [&](const PlanCap& each) { return each.id == job.id; });
  if (cap == plan->caps.end()) return settings;
  settings.map_limit = cap->maps;
  settings.reduce_limit = cap->reduces;
  return settings;
}

ExpectedRun simulated(const Context& context, const Workload& workload, const Cluster& cluster,
                      const std::string& scheduler) {
  Policy policy = make_policy_on(scheduler, cluster, command_policies());
  ClusterOptions how;
  how.cluster = cluster;
  how.seed = context.seed;
  const SimulationResult result = simulate_on(workload, policy, how);
  if (const RunCounts counts = counts_of(result); counts.done < std::ssize(workload.jobs))
    context.note(
        fmt::format("under {}, only {} of {} jobs are done", scheduler, counts.done, workload.jobs.size()));
  ExpectedRun expected{result.makespan, result.total_completion};
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    const JobOutcome& job = result.jobs[i];
    if (job.has_finished() && !job.failed) expected.jobs[workload.jobs[i].id] = {job.start, job.finish};
  }
  return expected;
}

// As the dispatching queue lets the jobs go. Those that wait for others enter it at their own time.
ExpectedRun through_queue(const Context& context, const Workload& listed, const LiveOrdering& ordering,
                          const Cluster& cluster, const std::string& scheduler) {
  DispatchQueue queue(make_reorder_policy(ordering.when), engine_of(ordering));
  const QueueRun run = run_queue(listed, queue);
  ExpectedRun expected = simulated(context, run.dispatched, cluster, scheduler);
  // Completion counts from the arrival.
  for (const Job& job : run.dispatched.jobs) expected.total_completion += job.submit - Time{};
  for (const Job& job : listed.jobs) expected.total_completion -= job.submit - Time{};
  return expected;
}

void add_submissions(RunBatch& batch, const RunRequest& request, const std::optional<Cluster>& cluster) {
  for (const Job& job : batch.ordered.jobs) {
    batch.settings.push_back(submission_settings(job, request, batch.plan));
    try {
      check_queue(cluster, batch.settings.back().queue);
      batch.submissions.push_back(submission_of(job, batch.settings.back()));
    } catch (const UsageError& error) {
      throw InputError({request.file == "-" ? "standard input" : request.file},
                       fmt::format("job '{}': {}", job.id, error.problem()), error.remedy());
    }
  }
}

}  // namespace

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
  if (!request.plan.empty()) {
    batch.plan = read_plan(request.plan);
    check_plan(*batch.plan, batch.listed, pool_of(*batch.plan).value_or(SlotPool{}), request.plan);
    batch.not_applied = not_applied(*batch.plan, request.plugin);
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

Expectation expect_run(const Context& context, const RunBatch& batch, const Cluster& cluster,
                       const std::string& scheduler, const std::optional<LiveOrdering>& ordering) {
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
  Expectation expected{scheduler, std::nullopt, simulated(context, batch.listed, cluster, scheduler),
                       std::nullopt};
  if (batch.plan) {
    expected.planned = {batch.plan->makespan, batch.plan->total_completion};
    expected.ordered = simulated(context, batch.ordered, cluster, scheduler);
  } else if (ordering) {
    expected.ordered = through_queue(context, batch.listed, *ordering, cluster, scheduler);
  }
  return expected;
}

Json run_document(const RunBatch& batch, const RunRequest& request,
                  const std::optional<Expectation>& expected) {
  Json document = {{"run", request.run}, {"submitted", 0}, {"jobs", Json::array()}};
  for (std::size_t i = 0; i < batch.ordered.jobs.size(); ++i) {
    const Job& job = batch.ordered.jobs[i];
    const SubmissionSettings& settings = batch.settings[i];
    Json entry = {{"id", job.id},
                  {"name", job.name},
                  {"not_before_ms", to_ms(job.submit)},
                  {"after", job.after},
                  {"queue", settings.queue.empty() ? Json(nullptr) : Json(settings.queue)},
                  {"tags", settings.tags},
                  {"command", batch.submissions[i].command},
                  {"without", batch.submissions[i].without}};
    document["jobs"].push_back(std::move(entry));
  }
  document["not_applied"] = batch.not_applied;
  if (!expected) return document;
  const auto times = [](const std::optional<ExpectedRun>& run) {
    if (!run) return Json(nullptr);
    return Json{{"makespan_ms", to_ms(run->makespan)}, {"total_completion_ms", to_ms(run->total_completion)}};
  };
  document["expected"] = {{"scheduler", expected->scheduler},
                          {"planned", times(expected->planned)},
                          {"ordered", times(expected->ordered)},
                          {"as_listed", times(expected->listed)}};
  const auto change = batch.plan ? expected->change(batch.plan->objective) : std::nullopt;
  document["expected"]["change_percent"] = change ? Json(100 * *change) : Json(nullptr);
  return document;
}

}  // namespace wavewright::app
