#include "apps/commands/serve_requests.h"

#include <utility>

#include <fmt/format.h>

#include "apps/commands/job_reader.h"
#include "apps/commands/promised_jobs.h"
#include "apps/commands/serve_accounts.h"
#include "apps/commands/test_only.h"
#include "apps/commands/why_document.h"
#include "apps/serve/json_lines.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/error.h"
#include "wavewright/core/when.h"
#include "wavewright/live/yarn/resource_manager.h"
#include "wavewright/plan/all_methods.h"
#include "wavewright/sched/plan_file.h"

namespace wavewright::app {

ServeRequests::ServeRequests(const Context& context, const ServeOptions& options, LiveBatch batch,
                             LiveBoard& board)
    : context_(context),
      options_(options),
      cluster_file_(options.cluster.empty() ? std::nullopt : std::optional(read_cluster(options.cluster))),
      batch_(std::move(batch)),
      board_(board),
      store_(Store::open(context.store_url(), Store::Access::existing)),
      cluster_server_(server_urls(options.live.resource_manager, 8088), options.live.ca_file),
      queue_names_(cluster_server_) {}

std::optional<ApiToken> ServeRequests::find_token(std::string_view token) {
  return looked_up([&] { return TokenStore(store_).find(token); });
}

AddedJobs ServeRequests::add_jobs(const NewJobs& jobs) {
  if (jobs.admit && options_.promise) wait_until_seen();
  const std::scoped_lock lock(mutex_);
  const JobOwner owner{account_of(jobs.token, static_cast<uid_t>(options_.lowest_account)),
                       &options_.live.rules};
  Workload more = JobReader(context_).parse_more(json_lines(jobs.text), "request", board_.ids(),
                                                 JobReader::most_tasks_of_request);
  AddedJobsRules rules = promising(jobs);
  if (!lists_queues(cluster_file_)) rules.queues = &queue_names_;
  const AddedToBatch added = add_to_batch(BatchStore(store_), batch_, std::move(more), "request",
                                          jobs.queue.empty() ? options_.queue : jobs.queue, cluster_file_,
                                          jobs.dry_run, owner, rules);
  AddedJobs told{{}, added.document.dump()};
  if (jobs.dry_run) return told;
  board_.add(added.jobs);
  for (const LiveJob& job : added.jobs) told.ids.push_back(job.id);
  return told;
}

std::string ServeRequests::test_jobs(const NewJobs& given) {
  const std::scoped_lock lock(mutex_);
  LiveBatch batch = batch_;
  Workload more = JobReader(context_).parse_more(json_lines(given.text), "request", board_.ids());
  const std::vector<LiveJob> jobs =
      add_to_batch(BatchStore(store_), batch, std::move(more), "request",
                   given.queue.empty() ? options_.queue : given.queue, cluster_file_, true)
          .jobs;
  batch.jobs = board_.all();
  return test_document(app::test_jobs(store_, std::move(batch), *board_.outlook(), jobs,
                                      {.cluster = cluster_file_,
                                       .resource_manager = &cluster_server_,
                                       .most_at_once = options_.live.most_at_once}))
      .dump();
}

std::string ServeRequests::why(const LiveJob& job) {
  WhyFacts facts;
  facts.outlook = *board_.outlook();
  if (cluster_file_) facts.containers = cluster_file_->containers;
  facts.yarn = words_about(job, &cluster_server_);
  LiveBatch batch = batch_;
  batch.jobs = board_.all();
  return why_document(batch, job, wavewright::why(batch, job, facts, now_instant()),
                      facts.outlook.record_of(job))
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

void ServeRequests::wish(const std::string& job, Wish wish) {
  const std::scoped_lock lock(mutex_);
  BatchStore(store_).wish(batch_.name, job, wish, now_instant());
}

std::vector<LiveJob> ServeRequests::past_jobs(const EndedQuestion& question) {
  return looked_up([&] { return BatchArchive(store_, batch_.name).jobs(question); });
}

std::optional<LiveJob> ServeRequests::past_job(const std::string& id) {
  return looked_up([&] { return BatchArchive(store_, batch_.name).find(id); });
}

std::string ServeRequests::preview(const std::string& text) {
  if (!cluster_file_)
    throw Infeasible("there is no cluster to plan for", "start the daemon with --cluster FILE");
  const std::unique_lock planning(planning_, std::try_to_lock);
  if (!planning)
    throw ExternalError({"planner"}, "is busy with another request", "ask again in some seconds");
  const auto batch = shared(
      JobReader(context_).parse_more(json_lines(text), "request", {}, JobReader::most_tasks_of_request));
  if (batch->tasks() == 0)
    throw UsageError("no job has tasks, so there is nothing to plan", "list them, or name profiles");
  SlotCluster slots;
  slots.pool = options_.ordering.engine_for(*cluster_file_, context_.seed).pool;
  const PlanningProblem problem{batch, slots, Objective::makespan, context_.seed};
  const std::vector<Plan> plans =
      plan_by_all(problem, {.limit = ms(2'000), .interrupted = &context_.interrupted});
  return plan_to_json(best_plan(plans)).dump();
}

std::string ServeRequests::cluster() {
  const std::scoped_lock lock(cluster_mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (cluster_told_.empty() || now - cluster_asked_ > std::chrono::seconds(1)) {
    Json document = {{"resource_manager", cluster_server_.base()}};
    const Json told = Json::parse(fetch_json(cluster_server_, "/ws/v1/cluster/metrics"), nullptr, false);
    if (!told.is_object() || !told.contains("clusterMetrics") || !told["clusterMetrics"].is_object())
      throw ExternalError({cluster_server_.base()}, "is no ResourceManager", "name another address");
    document["metrics"] = told["clusterMetrics"];
    cluster_told_ = document.dump();
    cluster_asked_ = now;
  }
  return cluster_told_;
}

void ServeRequests::take(const std::shared_ptr<const SeenCluster>& seen) {
  const std::scoped_lock lock(seen_mutex_);
  seen_ = seen;
  taken_.notify_all();
}

void ServeRequests::wait_until_seen() {
  std::unique_lock lock(seen_mutex_);
  taken_.wait_for(lock, std::chrono::seconds(5), [&] { return seen_ != nullptr; });
}

AddedJobsRules ServeRequests::promising(const NewJobs& jobs) {
  if (!options_.promise) {
    if (!jobs.admit) return {};
    throw Infeasible("this daemon promises no deadlines", "start it with --promise");
  }
  const double share = parse_confidence(jobs.confidence);
  return {.slowstart = 1,
          .prepare = [this, &jobs, share](const Workload& listed, std::vector<LiveJob>& added) {
            for (std::size_t i = 0; i < added.size(); ++i)
              added[i].bounds = task_bounds(store_, listed.jobs[i], share);
            if (!jobs.admit) return;
            LiveBatch batch = batch_;
            batch.jobs = board_.all();
            promise_all(std::move(batch), *seen(), *cluster_file_, jobs.confidence, added, now_instant());
          }};
}

std::shared_ptr<const SeenCluster> ServeRequests::seen() {
  const std::scoped_lock lock(seen_mutex_);
  if (!seen_) throw ExternalError({"cluster"}, "has not been looked at yet", "ask again in some seconds");
  return seen_;
}

}  // namespace wavewright::app
