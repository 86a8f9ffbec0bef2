// `wavewright queue`: jobs arrive over time, wait in a dispatching queue and are reordered there.
#include "apps/choices.h"
#include "apps/commands/batch_desk.h"
#include "apps/commands/job_reader.h"
#include "apps/commands/live_view.h"
#include "apps/commands/ordering_options.h"
#include "apps/commands/profile_lengths.h"
#include "apps/commands/queue_view.h"
#include "apps/context.h"
#include "apps/job_listing.h"
#include "apps/policies.h"
#include "apps/pool_options.h"
#include "apps/settings/fill_options.h"
#include "apps/whole_number.h"
#include "wavewright/core/error.h"
#include "wavewright/job/workload_file.h"
#include "wavewright/plan/planner.h"
#include "wavewright/report/documents/queue_document.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright::app {

namespace {

struct Options {
  std::string workload, policy = "fifo";
  OrderingOptions ordering;
  Count most_jobs = 0;
  DeskOptions desk;
  bool ended = false;
  Count limit = 1'000;
  bool start = false;
  JobListing listing;
  PoolOptions pool;
  PolicyLibraries libraries;
};

bool is_to_start(LiveState state) {
  return !has_ended(state) && state != LiveState::running;
}

// The jobs of a batch that runs on a cluster.
int live_queue(const Context& context, const Options& options) {
  const std::unique_ptr<BatchDesk> desk = open_desk(context, options.desk);
  LiveBatch batch = options.ended ? desk->head() : desk->read();
  if (options.ended) batch.jobs = desk->ended(static_cast<std::size_t>(options.limit));
  const Outlook outlook = options.ended ? Outlook{} : desk->outlook();
  if (options.start) std::erase_if(batch.jobs, [](const LiveJob& job) { return !is_to_start(job.state); });
  if (context.json) {
    Json document = live_document(batch, outlook);
    if (options.ended) document["makespan_ms"] = nullptr;  // of some of its jobs
    context.print(document);
  } else if (options.start) {
    print_starts(batch, outlook);
  } else {
    print_live(batch, outlook);
  }
  return 0;
}

int queue_command(const Context& context, const Options& options) {
  if (options.workload.empty()) return live_queue(context, options);
  if (options.ended) throw UsageError("--ended is of a batch that runs", "leave out the workload file");
  if (options.start)
    throw UsageError("--start is of a batch that runs, and there is a workload file",
                     "leave one of them out");
  if (!options.desk.batch.empty() || options.desk.daemon_by_flag)
    throw UsageError("--run and --daemon name a batch that runs, and there is a workload file",
                     "leave one of them out");
  const Cluster cluster = options.pool.cluster_or_flat();
  DispatchQueue queue(make_reorder_policy(options.ordering.when),
                      options.ordering.engine_for(cluster, context.seed),
                      static_cast<std::size_t>(options.most_jobs));
  const PolicyRegistry registry = options.libraries.registry();
  Policy ordered_policy = make_policy_on(options.policy, cluster, registry);
  Policy unordered_policy = make_policy_on(options.policy, cluster, registry);
  const auto workload = shared(JobReader(context).read(options.workload));
  ClusterOptions how;
  how.cluster = cluster;
  how.seed = context.seed;
  QueueOutcome outcome{workload, queue.policy().name(), queue.engine(), run_queue(*workload, queue), {},
                       {},       ordered_policy.name()};
  outcome.ordered = simulate_on(outcome.run.dispatched, ordered_policy, how);
  outcome.unordered = simulate_on(*workload, unordered_policy, how);
  const std::map<std::string, TrackRecord> records = records_of(context, *workload);
  if (context.json) {
    Json document = queue_document(outcome);
    add_records(document, records);
    context.print(document);
  } else {
    print(outcome, options.listing);
    show_records(records);
  }
  return 0;
}

}  // namespace

void add_queue(CLI::App& root, Context& context) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = root.add_subcommand(
      "queue", "Jobs of the batch that runs; or simulate a queue that reorders jobs over time");
  command->footer(
      "Example: wavewright queue day.jsonl --map-slots 40 --reduce-slots 20 --when 'tp-ati(30s)'");
  command->add_option(
      "WORKLOAD", options->workload,
      "workload file whose jobs arrive over time (docs/use/queue.md); - = standard input; without "
      "one, the batch that runs on the cluster is shown (docs/use/run.md)");
  options->desk.declare(*command, "the batch to show");
  command->add_flag("--ended", options->ended,
                    "its jobs that have ended, the latest first, with those of the archive");
  command->add_option("--limit", options->limit, "with --ended: so many at most (default 1000)")
      ->type_name("N")
      ->check(whole_number(1));
  command->add_flag("--start", options->start,
                    "show when each job that waits is expected to start and end, as an interval");
  options->pool.declare(*command);
  options->ordering.declare(*command, "tp-ati(10s)");
  command->add_option("--most-jobs", options->most_jobs, "jobs of a round at most (default: all that wait)")
      ->type_name("N")
      ->check(whole_number(1));
  auto* policy = command->add_option("--policy", options->policy,
                                     "policy of the cluster that they are dispatched to (default fifo)");
  from_setting(offer_names(policy->type_name("SPEC"), command_policies().entries()), "policy");
  options->libraries.declare(*command);
  options->listing.declare(*command);
  command->callback([&context, options] {
    options->desk.parsed();
    context.run = [&context, options] { return queue_command(context, *options); };
  });
}

}  // namespace wavewright::app
