// `wavewright serve`: a daemon that runs a queue of jobs on the cluster, with an HTTP API.
#include <csignal>
#include <filesystem>
#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "apps/choices.h"
#include "apps/commands/added_jobs.h"
#include "apps/commands/job_reader.h"
#include "apps/commands/live_view.h"
#include "apps/commands/ordering_options.h"
#include "apps/commands/promised_jobs.h"
#include "apps/commands/run_batch.h"
#include "apps/commands/run_live.h"
#include "apps/commands/serve_accounts.h"
#include "apps/commands/test_only.h"
#include "apps/commands/why_document.h"
#include "apps/context.h"
#include "apps/data_folder.h"
#include "apps/policies.h"
#include "apps/serve/http_server.h"
#include "apps/serve/json_lines.h"
#include "apps/settings/fill_options.h"
#include "apps/whole_number.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/keytab.h"
#include "wavewright/core/when.h"
#include "wavewright/dispatch/reorder_policy.h"
#include "wavewright/live/batch_archive.h"
#include "wavewright/live/outlook_store.h"
#include "wavewright/live/program_name.h"
#include "wavewright/live/resource_manager.h"
#include "wavewright/live/target_placer.h"
#include "wavewright/plan/all_methods.h"
#include "wavewright/sched/plan_file.h"

namespace wavewright::app {

namespace {

struct Options {
  std::string batch = "queue", listen = "127.0.0.1:8190", cluster, queue, certificate, key;
  LiveRequest live;
  OrderingOptions ordering;
  Count most_at_once = 0, lowest_account = wavewright::lowest_account;
  std::string keep_ended = "7d";
  Count most_ended = 10'000;
  bool sealed_only = false, promise = false;
};

// The batch of the daemon, which is made if there is none.
LiveBatch own_batch(const Store& store, const Options& options, const std::optional<LiveOrdering>& ordering) {
  const BatchStore batches(store);
  if (auto batch = batches.read(options.batch)) {
    if (!batch->endless)
      throw UsageError(fmt::format("batch {} is one of 'wavewright run'", options.batch),
                       "name another with --run");
    if (ordering && batch->ordering != ordering)
      throw UsageError(
          fmt::format("batch {} has another ordering than --when and --objective", options.batch),
          "leave them out, or name another batch with --run");
    return std::move(*batch);
  }
  LiveBatch batch;
  batch.name = options.batch;
  batch.began = now_instant();
  batch.tag = run_tag(tagged_text(batch.name, batch.began));
  batch.submissions = submissions_folder(batch.tag);
  batch.directory = std::filesystem::current_path().string();
  batch.endless = true;
  batch.ordering = ordering;
  make_private_folder(batch.submissions);
  batches.create(batch);
  return batch;
}

std::string policies_text() {
  Json document = {{"when", Json::array()}, {"objectives", Json::array()}, {"schedulers", Json::array()}};
  for (const ReorderPolicyEntry& entry : reorder_policies())
    document["when"].push_back({{"usage", entry.usage()}, {"description", entry.description}});
  for (const Objective objective : queue_objectives) {
    const ObjectiveEntry& entry = entry_of(objective);
    document["objectives"].push_back({{"name", entry.name}, {"description", entry.description}});
  }
  const PolicyRegistry registry = command_policies();
  for (const PolicyEntry& entry : registry.entries())
    document["schedulers"].push_back({{"usage", entry.usage()}, {"description", entry.description}});
  return document.dump();
}

// Carries out requests over a connection to the store of its own, one request at a time.
class Office {
  // Reads twice if need be: the first read after the server's restart finds the old connection closed.
  template <class Read>
  auto looked_up(const Read& read) {
    const std::scoped_lock lock(mutex_);
    try {
      return read();
    } catch (const ExternalError&) {
      return read();
    }
  }

 public:
  Office(const Context& context, const Options& options, LiveBatch batch, LiveBoard& board)
      : context_(context),
        options_(options),
        cluster_file_(options.cluster.empty() ? std::nullopt : std::optional(read_cluster(options.cluster))),
        batch_(std::move(batch)),
        board_(board),
        store_(Store::open(context.store_url(), Store::Access::existing)),
        cluster_server_(server_urls(options.live.resource_manager, 8088), options.live.ca_file) {}

  std::optional<ApiToken> find_token(std::string_view token) {
    return looked_up([&] { return TokenStore(store_).find(token); });
  }

  AddedJobs add_jobs(const NewJobs& jobs) {
    const std::scoped_lock lock(mutex_);
    const JobOwner owner{account_of(jobs.token, static_cast<uid_t>(options_.lowest_account)),
                         &options_.live.rules};
    Workload more = JobReader(context_).parse_more(json_lines(jobs.text), "request", board_.ids(),
                                                   JobReader::most_tasks_of_request);
    const AddedToBatch added = add_to_batch(BatchStore(store_), batch_, std::move(more), "request",
                                            jobs.queue.empty() ? options_.queue : jobs.queue, cluster_file_,
                                            jobs.dry_run, owner, promising(jobs));
    AddedJobs told{{}, added.document.dump()};
    if (jobs.dry_run) return told;
    board_.add(added.jobs);
    for (const LiveJob& job : added.jobs) told.ids.push_back(job.id);
    return told;
  }

  std::string test_jobs(const NewJobs& given) {
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

  std::string why(const LiveJob& job) {
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

  void wish(const std::string& job, Wish wish) {
    const std::scoped_lock lock(mutex_);
    BatchStore(store_).wish(batch_.name, job, wish, now_instant());
  }

  std::vector<LiveJob> past_jobs(const EndedQuestion& question) {
    return looked_up([&] { return BatchArchive(store_, batch_.name).jobs(question); });
  }

  std::optional<LiveJob> past_job(const std::string& id) {
    return looked_up([&] { return BatchArchive(store_, batch_.name).find(id); });
  }

  std::string preview(const std::string& text) {
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
    slots.pool = options_.ordering.engine_for(*cluster_file_).pool;
    const PlanningProblem problem{batch, slots, Objective::makespan, context_.seed};
    const std::vector<Plan> plans =
        plan_by_all(problem, {.limit = ms(2'000), .interrupted = &context_.interrupted});
    return plan_to_json(best_plan(plans)).dump();
  }

  std::string cluster() {
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

  void take(const std::shared_ptr<const SeenCluster>& seen) {
    const std::scoped_lock lock(seen_mutex_);
    seen_ = seen;
  }

 private:
  // Jobs get their bounds, so that it is known how long those without promise run.
  AddedJobsRules promising(const NewJobs& jobs) {
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

  std::shared_ptr<const SeenCluster> seen() {
    const std::scoped_lock lock(seen_mutex_);
    if (!seen_) throw ExternalError({"cluster"}, "has not been looked at yet", "ask again in some seconds");
    return seen_;
  }

  const Context& context_;
  const Options& options_;
  std::optional<Cluster> cluster_file_;
  LiveBatch batch_;
  LiveBoard& board_;
  std::mutex mutex_, planning_, cluster_mutex_, seen_mutex_;
  std::shared_ptr<const SeenCluster> seen_;  // null at first
  Store store_;
  WebServer cluster_server_;
  std::string cluster_told_;
  std::chrono::steady_clock::time_point cluster_asked_;
};

// Returns true once nobody leads the batch: whoever does writes each second. False: Ctrl-C.
bool wait_for_the_lead(const Context& context, const Store& store, const std::string& name) {
  constexpr auto silence = std::chrono::seconds(5);
  const BatchStore batches(store);
  std::optional<BatchStore::Lead> seen;
  bool told = false;
  for (auto since = std::chrono::steady_clock::now(); !context.interrupted.load();) {
    const auto now = std::chrono::steady_clock::now();
    try {
      const BatchStore::Lead lead = batches.lead_of(name);
      if (lead.program.empty() || has_died_here(lead.program)) return true;
      if (!seen || lead.writes != seen->writes) {
        if (seen && !std::exchange(told, true))
          context.note(
              fmt::format("another daemon leads batch {}; this one takes over if it is silent", name));
        seen = lead;
        since = now;
      } else if (now - since >= silence) {
        return true;
      }
    } catch (const ExternalError&) {  // the leader cannot write either
      since = now;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  return false;
}

// What the board lacks, from the store: an event has the same number for every daemon, and jobs that others
// add stand where the store has put them. A store that is away is read after the next step.
std::vector<LiveEvent> log_behind(const Store& store, const std::string& name, std::int64_t number) {
  constexpr std::int64_t at_most = 5'000;
  try {
    return BatchStore(store).events(name, number, at_most);
  } catch (const ExternalError&) {
    return {};
  }
}

// Leads the batch and answers requests, until Ctrl-C. Throws LeadLost if another daemon takes over.
void lead(const Context& context, const Options& options, const ListenOptions& listen, Store& store,
          const std::string& name) {
  const LiveBatch batch = find_batch(BatchStore(store), name);
  LiveBoard board;
  const std::int64_t events = BatchStore(store).count_events(name);
  constexpr std::int64_t most_shown = 1'000;
  board.reset(batch, events, BatchStore(store).events(name, std::max<std::int64_t>(0, events - most_shown)));
  if (const auto before = OutlookStore(store).read(name))
    board.show(std::make_shared<const Outlook>(*before));
  Office office(context, options, batch, board);
  const Api api(board,
                {.find_token = [&](std::string_view token) { return office.find_token(token); },
                 .add_jobs = [&](const NewJobs& jobs) { return office.add_jobs(jobs); },
                 .test_jobs = [&](const NewJobs& jobs) { return office.test_jobs(jobs); },
                 .why = [&](const LiveJob& job) { return office.why(job); },
                 .wish = [&](const std::string& job, Wish wish) { office.wish(job, wish); },
                 .past_jobs = [&](const EndedQuestion& question) { return office.past_jobs(question); },
                 .past_job = [&](const std::string& id) { return office.past_job(id); },
                 .preview_plan = [&](const std::string& text) { return office.preview(text); },
                 .cluster = [&] { return office.cluster(); },
                 .policies = policies_text(),
                 .openapi = read_file(data_folder() / "openapi.json")});
  const std::unique_ptr<HttpServer> server = start_http_server(listen, api, board);
  context.note(fmt::format("{}  batch {}: {} jobs; listening on {}", format_clock(now_instant()), name,
                           batch.jobs.size(), server->url()));
  const struct Closing {  // before the server ends, which waits for the streams
    LiveBoard& board;
    ~Closing() { board.close(); }
  } closing{board};
  (void)follow_batch(context, options.live, store, name,
                     {.endless = true,
                      .told =
                          [&](std::vector<LiveJob>&& jobs, const std::vector<LiveEvent>& /*told*/) {
                            board.update(jobs, log_behind(store, name, board.last_event()));
                          },
                      .looked = [&](const std::shared_ptr<const Outlook>& outlook) { board.show(outlook); },
                      .stands = [&](const std::shared_ptr<const SeenCluster>& seen) { office.take(seen); },
                      .archived = [&](const std::vector<LiveJob>& jobs) { board.remove(jobs); },
                      .keep_ended = parse_duration(options.keep_ended),
                      .most_ended = static_cast<std::size_t>(options.most_ended)});
}

// Promises need all slots, the order of promised jobs, and a cluster that follows both.
void check_promises(const Options& options) {
  if (!options.live.cluster)
    throw UsageError("--promise needs the cluster file, for its slots", "add --cluster FILE");
  (void)promise_rules(*options.live.cluster, {});
  if (options.live.targets.empty())
    throw UsageError(
        "--promise needs the plug-in in the ResourceManager, which keeps slots for promised jobs",
        "add --targets FILE --targets-key FILE, as plugins/yarn/README.md says");
  if (!options.ordering.when.empty() || options.live.most_at_once > 0)
    throw UsageError("with --promise, promised jobs are submitted at once, and first",
                     "leave --when and --at-once out");
}

void end_as_with_ctrl_c(int /*signal*/) {
  (void)std::raise(SIGINT);
}

int serve(const Context& context, const Options& given) {
  context.ends_itself = true;
  Options options = given;
  options.live.most_at_once = static_cast<std::size_t>(options.most_at_once);
  if (options.live.resource_manager.empty())
    throw UsageError("no ResourceManager is named",
                     "name its web address with --resource-manager URL, once for all with 'wavewright config "
                     "set resource_manager URL'");
  (void)parse_duration(options.keep_ended);
  (void)parse_target_placer(options.live.placer);
  if (options.certificate.empty() != options.key.empty())
    throw UsageError("--tls-certificate and --tls-key go together", "give both");
  ListenOptions listen = parse_listen(options.listen);
  listen.certificate = options.certificate;
  listen.key = options.key;
  std::optional<Cluster> cluster;
  if (!options.cluster.empty()) cluster = read_cluster(options.cluster);
  options.live.cluster = cluster;
  options.live.promises = options.promise;
  if (options.promise) check_promises(options);
  const std::optional<LiveOrdering> ordering = live_ordering(options.ordering, cluster);
  std::signal(SIGTERM, end_as_with_ctrl_c);
  use_keytab(options.live.keytab);

  Store store = Store::open(context.store_url(), Store::Access::create);
  const LiveBatch batch = own_batch(store, options, ordering);
  make_own_token(context, TokenStore(store));
  options.live.rules = start_rules(context, TokenStore(store), options.sealed_only,
                                   static_cast<uid_t>(options.lowest_account));
  while (wait_for_the_lead(context, store, batch.name)) {
    try {
      lead(context, options, listen, store, batch.name);
      break;
    } catch (const LeadLost&) {
      context.note(
          fmt::format("{}  another daemon has taken batch {} over", format_clock(now_instant()), batch.name));
    }
  }
  const LiveBatch last = find_batch(BatchStore(store), batch.name);
  context.note(fmt::format("ended; {}; what is on the cluster goes on", states_text(last)));
  return 0;
}

}  // namespace

void add_serve(CLI::App& root, Context& context) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = root.add_subcommand("serve", "Run a queue of jobs on the cluster, with an HTTP API");
  command->footer(
      "Example: wavewright serve --resource-manager http://resourcemanager:8088 --cluster cluster.toml "
      "--when "
      "'tp-ati(30s)'");
  command->add_option("--run", options->batch, "name of its batch (default: queue)")->type_name("NAME");
  command
      ->add_option("--listen", options->listen,
                   "address and port (default 127.0.0.1:8190; port 0: any); other machines reach it with TLS "
                   "only")
      ->type_name("HOST:PORT");
  command->add_option("--tls-certificate", options->certificate, "its certificate and those above it (PEM)")
      ->type_name("FILE");
  command->add_option("--tls-key", options->key, "the certificate's key (PEM)")->type_name("FILE");
  from_setting(
      command->add_option("--cluster", options->cluster, "cluster file: for --when and for plan previews")
          ->type_name("FILE"),
      "cluster");
  command
      ->add_option(
          "--keep-ended", options->keep_ended,
          "so long after its end a job stays in the queue; then it is in the archive, and its logs are "
          "removed (default 7d)")
      ->type_name("TIME");
  command
      ->add_option("--keep-at-most", options->most_ended, "ended jobs in the queue at most (default 10000)")
      ->type_name("N")
      ->check(whole_number(0));
  command
      ->add_option("--lowest-account", options->lowest_account,
                   "accounts with a lower number are the system's: no command runs under them (1000)")
      ->type_name("NUMBER")
      ->check(whole_number(1));
  command->add_flag("--sealed-only", options->sealed_only,
                    "run only jobs that came by the API of a daemon with the same key, none from the store");
  command->add_flag(
      "--promise", options->promise,
      "promise deadlines to jobs of 'submit --admit'; needs --cluster, with slots, and --targets");
  options->ordering.when.clear();
  options->ordering.declare(*command, "none: the order in which they were added");
  command->add_option("--queue", options->queue, "queue of jobs that name none")->type_name("NAME");
  declare_live(*command, options->live, options->most_at_once);
  command->callback(
      [&context, options] { context.run = [&context, options] { return serve(context, *options); }; });
}

}  // namespace wavewright::app
