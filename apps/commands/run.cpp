// `wavewright run`: a batch on the cluster, in the order of a plan.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <functional>
#include <iostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/commands/live_feedback.h"
#include "apps/commands/run_batch.h"
#include "apps/commands/run_checks.h"
#include "apps/commands/run_daemon.h"
#include "apps/commands/run_live.h"
#include "apps/commands/run_options.h"
#include "apps/commands/run_pools.h"
#include "apps/commands/run_rent.h"
#include "apps/commands/run_view.h"
#include "apps/context.h"
#include "apps/job_listing.h"
#include "apps/policies.h"
#include "apps/settings/settings.h"
#include "apps/table.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/error.h"
#include "wavewright/core/keytab.h"
#include "wavewright/core/when.h"
#include "wavewright/energy/plan/evaluate_energy.h"
#include "wavewright/live/batch/batch_store.h"
#include "wavewright/live/submission/submission.h"
#include "wavewright/live/yarn/active_server.h"
#include "wavewright/live/yarn/label_access.h"
#include "wavewright/live/yarn/resource_manager.h"
#include "wavewright/live/yarn/rest_answer.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright::app {

namespace {

// What it takes to submit a job: as told, else from earlier batches of the store; absent if there are none.
std::optional<SubmissionPace> pace_of(const Context& context, const RunOptions& options) {
  if (!options.submission_time.empty()) {
    const Duration each = parse_duration(options.submission_time);
    return SubmissionPace{each, each, 0};
  }
  constexpr std::size_t latest = 10;
  std::vector<LiveBatch> batches;
  try {
    const Store store = Store::open(context.store_url(), Store::Access::existing);
    const BatchStore stored(store);
    for (const std::string& name : stored.names()) {
      if (std::optional<LiveBatch> batch = stored.read(name)) batches.push_back(std::move(*batch));
      if (batches.size() == latest) break;
    }
  } catch (const ExternalError&) {  // no store yet
  }
  const SubmissionPace pace = learn_pace(batches);
  if (pace.jobs > 0) return pace;
  context.note(
      "nothing is known yet of the seconds until YARN has a job, so they are not in what is expected "
      "(--submission-time)");
  return std::nullopt;
}

// The cluster's largest application priority.
int most_priority(const WebServer& resource_manager) {
  const std::string key = "yarn.cluster.max-application-priority";
  const std::string text = parse_setting(fetch_json(resource_manager, "/conf"), key, resource_manager.base());
  int most = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), most);
  if (error == std::errc{} && end == text.data() + text.size() && most > 0) return most;
  throw ExternalError({resource_manager.base()},
                      fmt::format("knows no priorities: its {} is {}", key, text.empty() ? "0" : text),
                      "set it to the number of jobs of a batch, or leave out --priorities");
}

// What the cluster itself must be asked before a batch is prepared.
void ask_cluster(RunOptions& options) {
  const bool pools = !options.pools.parent.empty();
  if (!pools && !options.priorities) return;
  if (options.live.resource_manager.empty())
    throw UsageError(fmt::format("{} asks the ResourceManager", pools ? "--pools-under" : "--priorities"),
                     "name its web address with --resource-manager URL");
  if (pools && options.request.plan.empty())
    throw UsageError("--pools-under takes the pools of a plan", "name one with --plan FILE");
  require_ca_file(options.live.ca_file);
  use_keytab(options.live.keytab);
  const WebServer server(server_urls(options.live.resource_manager, 8088), options.live.ca_file);
  find_resource_manager(server);
  if (pools)
    options.request.pools = planned_pools(options.pools, options.request.plan,
                                          run_tag(options.request.tagged), options.request.plugin, server);
  if (options.priorities) options.request.most_priority = most_priority(server);
}

// The queues of the pools, once the jobs' tasks are known.
void make_room_for_masters(RunOptions& options, const RunBatch& batch,
                           const std::optional<Cluster>& cluster) {
  std::optional<PoolQueues>& pools = options.request.pools;
  if (!pools || !batch.plan) return;
  const WebServer server(server_urls(options.live.resource_manager, 8088), options.live.ca_file);
  constexpr double of_plans = 1;
  pools = pools_with_masters(std::move(*pools), *batch.plan, batch.listed, cluster,
                             options.request.slowstart.value_or(of_plans), server);
}

// Refuses what cannot run here. A dry run is refused likewise, but not for a ResourceManager that does not
// answer now: a note tells of it, and it is false.
bool check_batch(const Context& context, const RunOptions& options, const RunBatch& batch) {
  check_programs(batch, options.request.file);
  try {
    check_cluster(context, options, batch);
    return true;
  } catch (const LabelRefused&) {
    throw;
  } catch (const ExternalError& error) {
    if (!options.dry_run) throw;
    context.note(fmt::format("'run' would end here: {}", error.what()));
    return false;
  }
}

// Expects the batch on a cluster file's cluster. Where there is none, or it has slots, which YARN has not, it
// is the ResourceManager's containers on which a plan must be good.
class Foresight {
 public:
  // `answers`: the ResourceManager can be asked.
  Foresight(const Context& context, const RunOptions& options, const RunBatch& batch,
            const std::optional<LiveOrdering>& ordering, bool answers)
      : context_(context), options_(options), batch_(batch), ordering_(ordering), answers_(answers) {}

  std::optional<Expectation> expect(const std::optional<Cluster>& cluster, const std::string& scheduler) {
    const bool has_slots = cluster && cluster->mode.kind == ClusterMode::Kind::slots && !batch_.energy;
    const bool wanted = has_slots || (!cluster && (batch_.plan || options_.dry_run));
    if (wanted && may_ask()) {
      if (std::optional<Expectation> expected = as_told()) return expected;
    }
    if (!cluster) return std::nullopt;
    if (has_slots && !options_.live.resource_manager.empty())
      context_.note(
          fmt::format("{} has slots, and YARN gives containers: what is expected here may be far off there",
                      options_.cluster));
    return on(*cluster, scheduler);
  }

 private:
  // Machines that are rented for the batch are not there yet.
  [[nodiscard]] bool may_ask() const {
    return answers_ && options_.rent.empty() && !batch_.energy &&
           std::all_of(batch_.listed.jobs.begin(), batch_.listed.jobs.end(),
                       [](const Job& job) { return !job.maps.empty() || !job.reduces.empty(); });
  }

  Expectation on(const Cluster& cluster, const std::string& scheduler) {
    if (!paced_) pace_ = pace_of(context_, options_);
    paced_ = true;
    return expect_run(context_, batch_, options_.request, cluster, scheduler, ordering_, pace_);
  }

  // Nothing that goes wrong here keeps the batch from running.
  std::optional<Expectation> as_told() {
    try {
      const WebServer server(server_urls(options_.live.resource_manager, 8088), options_.live.ca_file,
                             &context_.interrupted);
      const FoundCluster found = find_cluster(server);
      Expectation expected =
          on(found.cluster, options_.policy.empty() ? own_scheduler(found) : options_.policy);
      context_.note(
          fmt::format("expected on the nodes and queues of {}; containers have the sizes that the jobs name, "
                      "else Hadoop's",
                      server.base()));
      return expected;
    } catch (const InternalError&) {
      throw;
    } catch (const Error& error) {
      context_.note(fmt::format("nothing is expected on YARN's containers: {}", error.what()));
      return std::nullopt;
    }
  }

  const Context& context_;
  const RunOptions& options_;
  const RunBatch& batch_;
  const std::optional<LiveOrdering>& ordering_;
  bool answers_;
  bool paced_ = false;
  std::optional<SubmissionPace> pace_ = {};
};

// `run` is the program that runs the batch, where other commands ask the daemon of the settings.
void note_daemon(const Context& context, const std::string& file) {
  if (context.store_by_flag) return;
  std::error_code ignored;
  const Settings settings = Settings::load(std::filesystem::current_path(ignored));
  const std::optional<SettingValue> daemon = settings.find("daemon");
  if (!daemon || daemon->value.empty()) return;
  context.note(harmless(fmt::format(
      "this program runs the batch itself, beside the daemon of the settings; to give it the jobs: "
      "wavewright run {} --daemon {}",
      shell_text({file}), shell_text({daemon->value}))));
}

void check_submit_at_once(const RunOptions& options, const RunBatch& batch) {
  if (options.submit_at_once == 1 || options.request.plugin) return;
  const auto jobs = static_cast<int>(batch.ordered.jobs.size());
  if (!options.priorities)
    throw UsageError("jobs that are submitted at the same time may reach YARN in any order",
                     "add --priorities or --targets, which keep it, or leave out --submit-at-once");
  if (jobs > *options.request.most_priority + 1)
    throw UsageError(
        fmt::format("{} jobs need as many priorities to keep their order, and the cluster has {}", jobs,
                    *options.request.most_priority + 1),
        "leave out --submit-at-once");
}

// Runs or continues the batch. Its rented machines are given back when its last job has ended.
int with_machines(const Context& context, const std::string& batch, const CloudOptions& cloud,
                  const std::function<int()>& run) {
  int status = 0;
  try {
    status = run();
  } catch (...) {
    tell_that_machines_stay(context, batch);
    throw;
  }
  if (status == static_cast<int>(ExitStatus::interrupted)) {
    tell_that_machines_stay(context, batch);
    return status;
  }
  return give_back_after_run(context, batch, cloud) ? status : static_cast<int>(ExitStatus::outside);
}

int run_command(const Context& context, const RunOptions& given) {
  RunOptions options = given;
  if (!options.desk.daemon.empty()) {
    options.refuse_beside_daemon();
    if (options.request.file.empty())
      throw UsageError("no workload file is named", "as in 'wavewright run night.jsonl --daemon URL'");
    options.desk.batch = options.request.run;
    options.desk.ca_file = options.live.ca_file;
    options.desk.daemon_by_flag = true;
    return run_at_daemon(context, options.desk,
                         {.file = options.request.file, .queue = options.request.queue},
                         options.live.no_check);
  }
  options.settle();
  if (!options.resume.empty())
    return with_machines(context, options.resume, {.ca_file = options.live.ca_file},
                         [&] { return continue_live(context, options.live, options.resume); });
  std::optional<RunMachines> machines;
  if (!options.rent.empty())
    machines = read_run_machines(options.rent, options.request.run, options.live.resource_manager,
                                 options.live.ca_file);
  std::optional<Cluster> cluster;
  std::string scheduler = options.policy;
  if (!options.cluster.empty()) {
    cluster = read_cluster(options.cluster);
    if (scheduler.empty()) scheduler = own_scheduler(*cluster);
    (void)make_policy_on(scheduler, *cluster, command_policies());  // a wrong one fails before the work
    options.live.cluster = cluster;
    options.live.policy = scheduler;
  }
  std::optional<LiveOrdering> ordering = live_ordering(options.ordering, cluster, context.seed);
  const Time began = now_instant();
  options.request.plugin = !options.live.targets.empty();
  options.request.account = submitting_user();
  options.request.tagged = options.dry_run ? options.request.run : tagged_text(options.request.run, began);
  ask_cluster(options);
  const RunBatch batch = prepare_run(context, options.request, cluster);
  if (options.replan) ordering = replanning(options.ordering, *cluster, batch.plan->objective, context.seed);
  make_room_for_masters(options, batch, cluster);
  if (batch.energy) options.live.cluster = all_machines_on(*cluster);
  check_submit_at_once(options, batch);
  const bool named =
      !options.live.resource_manager.empty();  // else it is a dry run, which can be made anywhere
  const bool answers = named && check_batch(context, options, batch);
  const std::optional<Expectation> expected =
      Foresight(context, options, batch, ordering, answers).expect(cluster, scheduler);
  if (!named) note_programs(context, batch);
  const std::string& account = options.request.account;
  if (const std::string users = users_note(other_users(batch.listed, account), account); !users.empty())
    context.note(users);
  note_commands(context, batch);
  if (options.dry_run) {
    const std::optional<Json> rent =
        machines ? std::optional(rent_document(context, *machines)) : std::nullopt;
    print_dry_run(context, batch, options.request, options.live, options.listing, expected, rent);
    return 0;
  }
  if (!context.json && expected) {
    print_expectation(batch, *expected);
    print_records(context, batch);
  }
  if (context.json && expected) warn_of_plan(context, batch, *expected);
  if (!batch.not_applied.empty())
    context.note(fmt::format("not applied, as the cluster's scheduler cannot be told: {}",
                             fmt::join(batch.not_applied, ", ")));
  note_daemon(context, options.request.file);
  std::cout.flush();
  const std::optional<Json> expectation =
      expected ? std::optional(expectation_document(batch, *expected)) : std::nullopt;
  // The batch begins when its machines are there.
  if (machines) rent_for_run(context, *machines);
  const LiveBatch live = live_batch(batch, options.request, machines ? now_instant() : began, ordering,
                                    expected ? &expected->chosen() : nullptr);
  return with_machines(context, live.name, machines ? machines->cloud : CloudOptions{}, [&] {
    return run_live(context, options.live, live, options.request.pools, expectation);
  });
}

}  // namespace

void add_run(CLI::App& root, Context& context) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command = root.add_subcommand("run", "Run a batch on the cluster, in the order of a plan");
  command->footer(
      "Example: wavewright run night.jsonl --plan night.plan.json --cluster cluster.toml --dry-run\n"
      "         wavewright run night.jsonl --plan night.plan.json --resource-manager rm.example.org\n"
      "         wavewright run night.jsonl --rent machines.toml --resource-manager rm.example.org\n"
      "         wavewright run night.jsonl --daemon https://wavewright.example.org:8190\n"
      "         wavewright run --continue night-2026-11-23-220000");
  options->declare(*command);
  command->callback(
      [&context, options] { context.run = [&context, options] { return run_command(context, *options); }; });
}

}  // namespace wavewright::app
