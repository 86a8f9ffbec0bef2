#include "apps/commands/run_live.h"

#include <unistd.h>

#include <filesystem>
#include <iostream>

#include <fmt/format.h>

#include "apps/commands/live_view.h"
#include "apps/commands/night.h"
#include "apps/keytab_option.h"
#include "apps/settings/fill_options.h"
#include "apps/whole_number.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/keytab.h"
#include "wavewright/core/when.h"
#include "wavewright/dispatch/reorder_policy.h"
#include "wavewright/live/batch/batch_store.h"
#include "wavewright/live/batch/live_document.h"
#include "wavewright/live/yarn/active_server.h"
#include "wavewright/live/yarn/resource_manager.h"
#include "wavewright/live/yarn/targets.h"
#include "wavewright/live/yarn/yarn_driver.h"
#include "wavewright/store/store.h"

namespace wavewright::app {

namespace {

namespace fs = std::filesystem;

// When the last job was expected to end, from the beginning; absent if of some job nothing was expected.
std::optional<Duration> expected_makespan(const LiveBatch& batch) {
  Duration last{};
  for (const LiveJob& job : batch.jobs) {
    if (!job.expected_end) return std::nullopt;
    last = std::max(last, *job.expected_end - batch.began);
  }
  return last;
}

// The batch, and what was expected of it before it began, if that is known.
Json document_with(const LiveBatch& batch, const std::optional<Json>& expectation) {
  Json document = live_document(batch);
  if (expectation) document["expected"] = *expectation;
  return document;
}

// None also where the clocks of the cluster and of this machine do not agree.
std::optional<Duration> shown_makespan(const LiveBatch& batch) {
  const std::optional<Duration> took = makespan_of(batch);
  return took && *took >= Duration{} ? took : std::nullopt;
}

int end_of(const Context& context, const LiveRequest& request, const Store& store, const LiveBatch& batch,
           const std::optional<Json>& expectation) {
  const std::optional<Duration> took = shown_makespan(batch);
  const std::optional<Duration> expected = expected_makespan(batch);
  if (context.json) {
    Json document = document_with(batch, expectation);
    document["expected_makespan_ms"] = expected ? Json(to_ms(*expected)) : Json(nullptr);
    context.print(document);
  } else {
    print_live(batch);
    if (took) std::cout << fmt::format("it took {}", format_duration(*took));
    if (took && expected && *expected > Duration{}) {
      const double off =
          static_cast<double>((*took - *expected).count()) / static_cast<double>(expected->count());
      std::cout << fmt::format("; {} were expected ({:+.1f} %)", format_duration(*expected), 100 * off);
    }
    if (took) std::cout << '\n';
  }
  const bool all_done = std::all_of(batch.jobs.begin(), batch.jobs.end(),
                                    [](const LiveJob& job) { return job.state == LiveState::done; });
  std::cout.flush();
  bool kept = true;
  if (!request.no_check) {
    const NightCheck night = night_of(store, batch, batch.began - std::chrono::hours(24));
    kept = night.broken == 0;
    if (const std::string text = night_summary(night); !text.empty())
      context.note(text + "job by job: wavewright night --check --run " + shell_text({batch.name}));
  }
  return static_cast<int>(all_done && kept ? ExitStatus::done : ExitStatus::no);
}

int interrupted(const Context& context, const LiveBatch& batch, const std::optional<Json>& expectation) {
  if (context.json) {
    Json document = document_with(batch, expectation);
    document["partial"] = true;
    context.print(document);
  }
  context.note(fmt::format("{}; what is on the cluster goes on", states_text(batch)));
  context.note(fmt::format("to go on: wavewright run --continue {}", shell_text({batch.name})));
  return static_cast<int>(ExitStatus::interrupted);
}

int follow(const Context& context, const LiveRequest& request, Store& store, const std::string& name,
           BatchPools& pools, const std::optional<Json>& expectation = std::nullopt) {
  LiveBatch last;
  LiveWatch watch;
  watch.pools = &pools;
  try {
    last = follow_batch(context, request, store, name, watch);
  } catch (const LeadLost&) {
    throw ExternalError({name}, "another wavewright has taken this batch over",
                        "look at it with 'wavewright queue'");
  }
  const bool finished = std::all_of(last.jobs.begin(), last.jobs.end(),
                                    [](const LiveJob& job) { return has_ended(job.state); });
  if (!finished) {
    pools.tell_that_they_stay();
    return interrupted(context, last, expectation);
  }
  const bool removed = pools.remove();
  const int status = end_of(context, request, store, last, expectation);
  return removed ? status : static_cast<int>(ExitStatus::outside);
}

}  // namespace

void declare_live(CLI::App& command, LiveRequest& live, Count& most_at_once) {
  from_setting(
      command
          .add_option(
              "--resource-manager", live.resource_manager,
              "web address of YARN's ResourceManager; of several, with commas between them, the active "
              "one is asked")
          ->type_name("URL"),
      "resource_manager");
  from_setting(
      command
          .add_option(
              "--history-server", live.history_server,
              "web address of the JobHistory server: jobs that have ended are imported from it, and it knows "
              "what the ResourceManager has forgotten")
          ->type_name("URL"),
      "history_server");
  auto* targets = command.add_option("--targets", live.targets,
                                     "file in which the ResourceManager's plug-in finds each job's ranks and "
                                     "limits (plugins/yarn)");
  auto* key = command.add_option("--targets-key", live.targets_key, "the secret that signs it");
  targets->type_name("FILE")->needs(key);
  key->type_name("FILE")->needs(targets);
  command
      .add_option("--placer", live.placer,
                  "how the plug-in chooses nodes of maps: delay(3s, rack=2s), matchmaking (default: as YARN "
                  "does)")
      ->type_name("SPEC")
      ->needs(targets);
  from_setting(
      command.add_option("--ca-file", live.ca_file, "certificates to trust (PEM)")->type_name("FILE"),
      "ca_file");
  declare_keytab(command, live.keytab);
  command.add_option("--at-once", most_at_once, "jobs on the cluster at most (default: no limit)")
      ->type_name("N")
      ->check(whole_number(1));
}

LiveOrdering replanning(const OrderingOptions& options, const Cluster& cluster, Objective objective,
                        std::uint64_t seed) {
  OrderingEngine engine = options.engine_for(cluster, seed);
  engine.objective = objective;
  check(engine);
  return {std::string(when_drifted), engine.objective, engine.mode,
          engine.search_up_to,       engine.pool,      engine.planned};
}

std::optional<LiveOrdering> live_ordering(const OrderingOptions& options,
                                          const std::optional<Cluster>& cluster, std::uint64_t seed) {
  if (options.when.empty()) return std::nullopt;
  if (!cluster)
    throw UsageError("--when needs the cluster file, for the sizes of both stages", "add --cluster FILE");
  const OrderingEngine engine = options.engine_for(*cluster, seed);
  check(engine);
  return LiveOrdering{make_reorder_policy(options.when)->name(),
                      engine.objective,
                      engine.mode,
                      engine.search_up_to,
                      engine.pool,
                      engine.planned};
}

std::filesystem::path state_folder() {
  const char* given = std::getenv("XDG_STATE_HOME");
  if (given != nullptr && *given != '\0') return fs::path(given) / "wavewright";
  const char* home = std::getenv("HOME");
  return fs::path(home != nullptr ? home : ".") / ".local/state/wavewright";
}

std::filesystem::path seal_file() {
  return state_folder() / "serve.key";
}

std::string submissions_folder(const std::string& tag) {
  return (state_folder() / "batches" / tag).string();
}

namespace {

// The targets that a plan gives to the ResourceManager's plug-in.
class PlanRanks {
 public:
  explicit PlanRanks(const std::optional<Plan>& plan) {
    if (!plan) return;
    const auto& maps = plan->map_order.empty() ? plan->order : plan->map_order;
    const auto& reduces = plan->reduce_order.empty() ? maps : plan->reduce_order;
    for (std::size_t i = 0; i < maps.size(); ++i) targets_[maps[i]].map_rank = static_cast<std::int64_t>(i);
    for (std::size_t i = 0; i < reduces.size(); ++i)
      targets_[reduces[i]].reduce_rank = static_cast<std::int64_t>(i);
    for (const PlanCap& cap : plan->caps) {
      targets_[cap.id].maps = cap.maps;
      targets_[cap.id].reduces = cap.reduces;
    }
  }
  [[nodiscard]] std::optional<LiveTarget> of(const std::string& id) const {
    const auto found = targets_.find(id);
    return found == targets_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::map<std::string, LiveTarget> targets_;
};

}  // namespace

std::string tagged_text(const std::string& name, Time began) {
  return fmt::format("{} {}", name, to_ms(began));
}

std::vector<LiveJob> live_jobs(const RunBatch& batch, const RunRequest& request, Time begin,
                               const ExpectedRun* expected) {
  const PlanRanks ranks(batch.plan);
  std::vector<LiveJob> jobs;
  jobs.reserve(batch.ordered.jobs.size());
  for (std::size_t i = 0; i < batch.ordered.jobs.size(); ++i) {
    const Job& job = batch.ordered.jobs[i];
    const WaitingJob waiting = waiting_job(job);
    LiveJob each;
    each.id = job.id;
    each.name = job.name;
    each.profile = job.profile;
    each.queue = batch.settings[i].queue;
    each.after = job.after;
    each.not_before = begin + (job.submit - Time{});
    each.command = batch.submissions[i].command;
    each.directory = fs::current_path().string();
    each.tag = job_tag(request.tagged, job.id);
    each.many_applications = batch.submissions[i].many_applications;
    each.maps = waiting.maps;
    each.reduces = waiting.reduces;
    each.weight = waiting.weight;
    each.memory = job.memory;
    if (batch.plan) each.target = ranks.of(job.id);
    if (job.deadline) each.deadline = begin + (*job.deadline - Time{});
    if (expected != nullptr) {
      if (const auto times = expected->jobs.find(job.id); times != expected->jobs.end()) {
        each.expected_start = begin + (times->second.start - Time{});
        each.expected_end = begin + (times->second.end - Time{});
      }
    }
    jobs.push_back(std::move(each));
  }
  return jobs;
}

LiveBatch live_batch(const RunBatch& batch, const RunRequest& request, Time began,
                     const std::optional<LiveOrdering>& ordering, const ExpectedRun* expected) {
  LiveBatch live;
  live.name = request.run;
  live.began = began;
  live.tag = run_tag(request.tagged);
  live.submissions = submissions_folder(live.tag);
  live.directory = fs::current_path().string();
  live.ordering = ordering;
  live.jobs = live_jobs(batch, request, began, expected);
  return live;
}

int run_live(const Context& context, const LiveRequest& request, const LiveBatch& batch,
             const std::optional<PoolQueues>& pools, const std::optional<Json>& expectation) {
  use_keytab(request.keytab);
  const WebServer server(server_urls(request.resource_manager, 8088), request.ca_file, &context.interrupted);
  find_resource_manager(server);
  (void)parse_applications(fetch_json(server, "/ws/v1/cluster/apps?applicationTags=" + batch.tag),
                           server.base());
  // A wrong key or file is refused before the batch is in the store.
  (void)parse_target_placer(request.placer);
  if (!request.targets.empty()) (void)TargetsFile(request.targets, request.targets_key);
  Store store = Store::open(context.store_url(), Store::Access::create);
  make_private_folder(batch.submissions);
  const BatchStore batches(store);
  batches.create(batch);
  BatchPools queues(context, store, server, batch.name);
  try {
    if (pools) queues.make_first(*pools);
  } catch (...) {
    batches.forget(batch.name);
    throw;
  }
  context.note(fmt::format("batch {}: {} jobs", batch.name, batch.jobs.size()));
  return follow(context, request, store, batch.name, queues, expectation);
}

int continue_live(const Context& context, const LiveRequest& request, const std::string& name) {
  Store store = Store::open(context.store_url(), Store::Access::existing);
  const LiveBatch batch = find_batch(BatchStore(store), name);
  const WebServer server(server_urls(request.resource_manager, 8088), request.ca_file, &context.interrupted);
  BatchPools queues(context, store, server, batch.name);
  return follow(context, request, store, batch.name, queues);
}

}  // namespace wavewright::app
