// `wavewright serve`: a daemon that runs a queue of jobs on the cluster, with an HTTP API.
#include <malloc.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "apps/choices.h"
#include "apps/commands/live_view.h"
#include "apps/commands/ordering_options.h"
#include "apps/commands/promised_jobs.h"
#include "apps/commands/run_batch.h"
#include "apps/commands/run_live.h"
#include "apps/commands/serve_accounts.h"
#include "apps/commands/serve_requests.h"
#include "apps/context.h"
#include "apps/data_folder.h"
#include "apps/give_way.h"
#include "apps/policies.h"
#include "apps/serve/http_server.h"
#include "apps/settings/fill_options.h"
#include "apps/spread_options.h"
#include "apps/whole_number.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/keytab.h"
#include "wavewright/core/when.h"
#include "wavewright/dispatch/reorder_policy.h"
#include "wavewright/live/outlook/outlook_store.h"
#include "wavewright/live/submission/program_name.h"
#include "wavewright/live/yarn/target_placer.h"
#include "wavewright/live/yarn/targets.h"

namespace wavewright::app {

namespace {

// The C library gives threads heaps of their own, and what a large request used stays in that of its thread.
// With two heaps for all threads a daemon with 10,000 jobs takes about half as much memory.
void share_memory() {
#ifdef M_ARENA_MAX
  mallopt(M_ARENA_MAX, 2);
#endif
}

using Options = ServeOptions;

// The batch of the daemon, which is made if there is none.
LiveBatch own_batch(const Store& store, const Options& options, const std::optional<LiveOrdering>& ordering) {
  const BatchStore batches(store);
  if (auto batch = batches.read(options.batch)) {
    if (!batch->endless)
      throw UsageError(fmt::format("batch {} is one of 'wavewright run'", options.batch),
                       "name another with --run");
    if (ordering && batch->ordering != ordering)
      throw UsageError(
          fmt::format("batch {} has another ordering than --when, --objective and --engine", options.batch),
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
  ServeRequests requests(context, options, batch, board);
  const Api api(
      board,
      {.find_token = [&](std::string_view token) { return requests.find_token(token); },
       .add_jobs = [&](const NewJobs& jobs) { return requests.add_jobs(jobs); },
       .test_jobs = [&](const NewJobs& jobs) { return giving_way([&] { return requests.test_jobs(jobs); }); },
       .why = [&](const LiveJob& job) { return requests.why(job); },
       .wish = [&](const std::string& job, Wish wish) { requests.wish(job, wish); },
       .past_jobs = [&](const EndedQuestion& question) { return requests.past_jobs(question); },
       .past_job = [&](const std::string& id) { return requests.past_job(id); },
       .preview_plan =
           [&](const std::string& text) { return giving_way([&] { return requests.preview(text); }); },
       .cluster = [&] { return requests.cluster(); },
       .policies = policies_text(),
       .openapi = read_file(data_folder() / "openapi.json"),
       .targets = [&] { return requests.targets(); }});
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
                      .stands = [&](const std::shared_ptr<const SeenCluster>& seen) { requests.take(seen); },
                      .decided =
                          [&](std::chrono::nanoseconds took) {
                            board.decided(std::chrono::duration<double, std::milli>(took).count());
                          },
                      .archived = [&](const std::vector<LiveJob>& jobs) { board.remove(jobs); },
                      .keep_ended = parse_duration(options.keep_ended),
                      .most_ended = static_cast<std::size_t>(options.most_ended)});
}

// Promises count with reduces that start when all maps of their job are done.
void settle_slowstart(Options& options) {
  if (!options.slowstart.empty()) options.live.slowstart = parse_part(options.slowstart, "--slowstart");
  if (!options.promise) return;
  if (options.live.slowstart.value_or(1) != 1)
    throw UsageError("with --promise, reduces start when all maps of their job are done",
                     "leave --slowstart out");
  options.live.slowstart = 1;
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
  if (!options.live.placer.empty())
    throw UsageError("with --promise, free slots are taken at once, and a placer may let them wait",
                     "leave --placer out");
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
  require_ca_file(options.live.ca_file);
  (void)parse_duration(options.keep_ended);
  (void)parse_target_placer(options.live.placer);
  if (!options.live.targets.empty()) check_targets_key(options.live.targets_key);
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
  settle_slowstart(options);
  const std::optional<LiveOrdering> ordering = live_ordering(options.ordering, cluster, context.seed);
  std::signal(SIGTERM, end_as_with_ctrl_c);
  share_memory();
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
  command
      ->add_option(
          "--slowstart", options->slowstart,
          "part of a job's maps that must be done before its reduces start, for jobs that come by the "
          "API (default: the cluster's; with --promise all)")
      ->type_name("SHARE");
  options->ordering.when.clear();
  options->ordering.declare(*command, "none: the order in which they were added");
  command->add_option("--queue", options->queue, "queue of jobs that name none")->type_name("NAME");
  declare_live(*command, options->live, options->most_at_once);
  command->callback(
      [&context, options] { context.run = [&context, options] { return serve(context, *options); }; });
}

}  // namespace wavewright::app
