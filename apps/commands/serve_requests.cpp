#include "apps/commands/serve_requests.h"

#include <set>
#include <utility>

#include <fmt/format.h>

#include "apps/commands/job_reader.h"
#include "apps/commands/profile_lengths.h"
#include "apps/commands/promised_jobs.h"
#include "apps/commands/serve_accounts.h"
#include "apps/commands/test_only.h"
#include "apps/commands/why_document.h"
#include "apps/give_way.h"
#include "apps/serve/json_lines.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/when.h"
#include "wavewright/live/submission/command_environment.h"
#include "wavewright/live/submission/program_name.h"
#include "wavewright/live/yarn/resource_manager.h"
#include "wavewright/plan/all_methods.h"
#include "wavewright/sched/plan_file.h"

namespace wavewright::app {

namespace {

// The largest request has 8 MiB. Its commands may ask for a name again and again.
constexpr std::size_t most_bytes_of_commands = std::size_t{16} << 20;

}  // namespace

ServeRequests::ServeRequests(const Context& context, const ServeOptions& options, LiveBatch batch,
                             LiveBoard& board)
    : context_(context),
      options_(options),
      cluster_file_(options.cluster.empty() ? std::nullopt : std::optional(read_cluster(options.cluster))),
      batch_(std::move(batch)),
      board_(board),
      store_(Store::open(context.store_url(), Store::Access::existing)),
      cluster_server_(server_urls(options.live.resource_manager, 8088), options.live.ca_file,
                      &context.interrupted),
      queue_names_(cluster_server_),
      tested_names_(cluster_server_),
      queue_access_(cluster_server_.bases(), options.live.ca_file, &context.interrupted),
      tested_access_(cluster_server_.bases(), options.live.ca_file, &context.interrupted) {}

std::optional<ApiToken> ServeRequests::find_token(std::string_view token) {
  return looked_up([&] { return TokenStore(store_).find(token); });
}

AddedJobs ServeRequests::add_jobs(const NewJobs& jobs) {
  if (jobs.admit && options_.promise) wait_until_seen();
  try {
    return check_and_add(jobs);
  } catch (const NotPromised& refused) {  // other requests are answered meanwhile
    throw NotPromised(giving_way([&] { return with_records(refused.refusals()); }));
  }
}

AddedJobs ServeRequests::check_and_add(const NewJobs& jobs) {
  const std::scoped_lock lock(mutex_);
  const JobOwner owner = owner_of(jobs);
  Workload more = JobReader(context_).parse_more(json_lines(jobs.text), "request", board_.ids(),
                                                 JobReader::most_tasks_of_request);
  AddedJobsRules rules = promising(jobs);
  rules.queues = &queue_names_;
  rules.access = &queue_access_;
  rules.submitter.environment = environment_of_commands();
  rules.most_bytes = most_bytes_of_commands;
  const AddedToBatch added = add_to_batch(BatchStore(store_), batch_, std::move(more), "request",
                                          jobs.queue.empty() ? options_.queue : jobs.queue, cluster_file_,
                                          jobs.dry_run, owner, rules);
  AddedJobs told{{}, added.document.dump()};
  if (jobs.dry_run) return told;
  board_.add(added.jobs);
  for (const LiveJob& job : added.jobs) told.ids.push_back(job.id);
  return told;
}

JobOwner ServeRequests::owner_of(const NewJobs& jobs) const {
  return {account_of(jobs.token, static_cast<uid_t>(options_.lowest_account)), &options_.live.rules};
}

std::vector<PromiseRefusal> ServeRequests::with_records(std::vector<PromiseRefusal> refusals) {
  std::set<std::string> profiles;
  for (const PromiseRefusal& each : refusals) {
    if (!each.profile.empty()) profiles.insert(each.profile);
  }
  const std::scoped_lock lock(records_mutex_);
  const std::map<std::string, TrackRecord> records = records_of(context_, profiles);
  for (PromiseRefusal& each : refusals) {
    if (const auto record = records.find(each.profile); record != records.end()) each.record = record->second;
  }
  return refusals;
}

// Takes seconds where thousands of jobs wait, and may ask the cluster: other requests are answered meanwhile.
std::string ServeRequests::test_jobs(const NewJobs& given) {
  constexpr std::chrono::seconds patience(5);
  const std::unique_lock testing(testing_, patience);
  if (!testing)
    throw ExternalError({"forecasts"}, "are busy with other requests", "ask again in some seconds");
  const Store store = Store::open(context_.store_url(), Store::Access::existing);
  LiveBatch batch = batch_;
  Workload more = JobReader(context_).parse_more(json_lines(given.text), "request", board_.ids(),
                                                 JobReader::most_tasks_of_request);
  AddedJobsRules rules{.slowstart = options_.live.slowstart};
  rules.queues = &tested_names_;
  rules.access = &tested_access_;
  rules.submitter.environment = environment_of_commands();
  rules.most_bytes = most_bytes_of_commands;
  const std::vector<LiveJob> jobs = add_to_batch(BatchStore(store), batch, std::move(more), "request",
                                                 given.queue.empty() ? options_.queue : given.queue,
                                                 cluster_file_, true, owner_of(given), rules)
                                        .jobs;
  batch.jobs = board_.all();
  return test_document(app::test_jobs(store, std::move(batch), *board_.outlook(), jobs,
                                      {.cluster = cluster_file_,
                                       .resource_manager = &cluster_server_,
                                       .most_at_once = options_.live.most_at_once,
                                       .slowstart = options_.live.slowstart,
                                       .stop = &context_.interrupted}))
      .dump();
}

std::string ServeRequests::why(const LiveJob& job) {
  WhyFacts facts;
  facts.outlook = board_.outlook();
  if (cluster_file_) facts.containers = cluster_file_->containers;
  facts.yarn = words_about(job, &cluster_server_);
  Why told;
  board_.look([&](std::span<const LiveJob> jobs) {
    told = wavewright::why(batch_, jobs, job, facts, now_instant());
  });
  return why_document(batch_, job, told, facts.outlook->record_of(job))
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
  slots.slowstart = options_.live.slowstart.value_or(slots.slowstart);
  const PlanningProblem problem{batch, slots, Objective::makespan, context_.seed};
  const std::vector<Plan> plans =
      plan_by_all(problem, {.limit = ms(2'000), .interrupted = &context_.interrupted});
  Json document = plan_to_json(best_plan(plans));
  add_records(document, records_of(context_, *batch));
  return document.dump();
}

// A ResourceManager that hangs holds up one thread, for some seconds. The others tell what it told last, or
// that it gives no answer.
std::string ServeRequests::cluster() {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds fresh(1), pause(3), oldest(10);
  const auto told_or_refused = [&] {
    if (!cluster_told_.empty() && Clock::now() - cluster_told_at_ <= oldest) return cluster_told_;
    throw ExternalError({cluster_server_.base()},
                        cluster_silence_.empty() ? "has not answered yet" : cluster_silence_,
                        cluster_remedy_.empty() ? "ask again in some seconds" : cluster_remedy_);
  };
  std::unique_lock lock(cluster_mutex_);
  if (!cluster_told_.empty() && Clock::now() - cluster_told_at_ <= fresh) return cluster_told_;
  const bool failed_lately = !cluster_silence_.empty() && Clock::now() - cluster_asked_ <= pause;
  if (cluster_asking_ || failed_lately) return told_or_refused();
  cluster_asking_ = true;
  lock.unlock();
  std::string told, silence, remedy;
  try {
    told = ask_cluster();
  } catch (const Error& error) {
    silence = error.problem();
    remedy = error.remedy();
  } catch (const std::exception& error) {  // as Interrupted
    silence = error.what();
  }
  lock.lock();
  cluster_asking_ = false;
  cluster_asked_ = Clock::now();
  cluster_silence_ = std::move(silence);
  cluster_remedy_ = std::move(remedy);
  if (!cluster_silence_.empty()) return told_or_refused();
  cluster_told_ = std::move(told);
  cluster_told_at_ = cluster_asked_;
  return cluster_told_;
}

std::string ServeRequests::ask_cluster() const {
  constexpr std::chrono::seconds patience(3);
  HttpLimits limits;
  limits.body = std::size_t{1} << 20;
  limits.connect = limits.silence = limits.total = patience;
  Json document = {{"resource_manager", cluster_server_.base()}};
  const ServerAnswer answer = cluster_server_.bytes("/ws/v1/cluster/metrics", limits);
  if (!answer.good()) cluster_server_.refuse("/ws/v1/cluster/metrics", answer);
  const Json told = Json::parse(answer.body, nullptr, false);
  if (!told.is_object() || !told.contains("clusterMetrics") || !told["clusterMetrics"].is_object())
    throw ExternalError({cluster_server_.base()}, "is no ResourceManager", "name another address");
  document["metrics"] = told["clusterMetrics"];
  return document.dump();
}

std::optional<std::string> ServeRequests::targets() {
  if (options_.live.targets.empty()) return std::nullopt;
  constexpr std::size_t most = std::size_t{8} << 20;  // as the plug-in takes
  try {
    return read_file(options_.live.targets, most);
  } catch (const Error&) {  // without the path, which is nothing for readers without a token
    throw ExternalError({"targets"}, "cannot be read now", "ask again in some seconds");
  }
}

void ServeRequests::take(const std::shared_ptr<const SeenCluster>& seen) {
  const std::scoped_lock lock(seen_mutex_);
  seen_ = seen;
  taken_.notify_all();
}

void ServeRequests::wait_until_seen() {
  std::unique_lock lock(seen_mutex_);
  taken_.wait_for(lock, std::chrono::seconds(3), [&] { return seen_ != nullptr; });
}

AddedJobsRules ServeRequests::promising(const NewJobs& jobs) {
  if (!options_.promise) {
    if (!jobs.admit) return {.slowstart = options_.live.slowstart};
    throw Infeasible("this daemon promises no deadlines", "start it with --promise");
  }
  const double share = parse_confidence(jobs.confidence);
  // One that has lost the lead knows nothing of what the new leader has promised.
  return {.slowstart = options_.live.slowstart,
          .led_by = jobs.admit ? this_program() : std::string(),
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
  if (!seen_)
    throw Infeasible("the nodes of the cluster are not known yet, so that no deadline is promised",
                     "ask again in some seconds");
  return seen_;
}

}  // namespace wavewright::app
