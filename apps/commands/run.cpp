// `wavewright run`: a batch on the cluster, in the order of a plan.
#include <algorithm>
#include <filesystem>
#include <iostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/choices.h"
#include "apps/commands/ordering_options.h"
#include "apps/commands/run_batch.h"
#include "apps/commands/run_live.h"
#include "apps/context.h"
#include "apps/job_listing.h"
#include "apps/policies.h"
#include "apps/settings/fill_options.h"
#include "apps/table.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/error.h"
#include "wavewright/core/when.h"
#include "wavewright/job/job_labels.h"
#include "wavewright/plan/job_ids.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright::app {

namespace {

struct Options {
  RunRequest request;
  std::string cluster, policy;
  std::string resume;
  LiveRequest live;
  Count most_at_once = 0;
  bool dry_run = false;
  OrderingOptions ordering;
  JobListing listing;
};

// Queues of the Capacity scheduler have capacities, those of the Fair scheduler weights.
std::string own_scheduler(const Cluster& cluster) {
  const bool capacities = std::any_of(cluster.queues.begin(), cluster.queues.end(),
                                      [](const Queue& queue) { return queue.capacity > 0; });
  return capacities || cluster.queues.empty() ? "capacity" : "fair";
}

std::string when_text(const Job& job, const JobIds& ids, const JobLabels& labels) {
  std::string text =
      job.submit == Time{} ? "at once" : format_duration(job.submit - Time{}) + " after the start";
  if (job.after.empty()) return text;
  std::vector<std::string> names;
  for (const JobIndex before : ids[job.after]) names.push_back(labels[before]);
  return fmt::format("{}, when {} {} done", text, fmt::join(names, " and "),
                     names.size() == 1 ? "is" : "are");
}

void print_submissions(const RunBatch& batch, const JobListing& listing) {
  const JobLabels labels(batch.ordered.jobs, listing.ids);
  const JobIds ids(batch.ordered);
  constexpr std::size_t shown_at_most = 25;
  const std::size_t jobs = batch.ordered.jobs.size();
  const std::size_t shown = listing.all ? jobs : std::min(jobs, shown_at_most);
  for (std::size_t i = 0; i < shown; ++i) {
    const Submission& submission = batch.submissions[i];
    std::cout << fmt::format("{}  {}: {}\n   {}\n", i + 1, harmless(labels[i]),
                             harmless(when_text(batch.ordered.jobs[i], ids, labels)),
                             harmless(shell_text(submission.command)));
    if (!submission.without.empty())
      std::cout << fmt::format("   its command takes no {}\n", fmt::join(submission.without, ", "));
  }
  if (shown < jobs) std::cout << fmt::format("… {} more; --all-jobs or --json shows them\n", jobs - shown);
}

void print_expectation(const RunBatch& batch, const Expectation& expected) {
  Table table{{{"order", "expected", false, false},
               {"makespan_ms", "makespan", true, false},
               {"total_completion_ms", "total completion", true, false}},
              {}};
  const auto add = [&](const std::string& what, const std::optional<ExpectedRun>& run) {
    if (!run) return;
    table.rows.push_back({what, Cell(format_duration(run->makespan), to_ms(run->makespan)),
                          Cell(format_duration(run->total_completion), to_ms(run->total_completion))});
  };
  add("as planned, on slots", expected.planned);
  add((batch.plan ? "submitted in the plan's order, under " : "submitted by the dispatching queue, under ") +
          expected.scheduler,
      expected.ordered);
  add("submitted as listed, under " + expected.scheduler, expected.listed);
  std::cout << '\n';
  write_table(std::cout, table);
  if (!batch.plan) return;
  if (!batch.plan->caps.empty()) std::cout << "the limits of the plan's caps are not in what is expected\n";
  const auto change = expected.change(batch.plan->objective);
  if (!change) return;
  const std::string what = entry_of(batch.plan->objective).name;
  if (*change > 0) {
    std::cout << fmt::format(
        "WARNING: in the plan's order the {} is {:.1f} % longer on this cluster than as listed; "
        "run it without --plan\n",
        what, 100 * *change);
  } else if (*change < 0) {
    std::cout << fmt::format("in the plan's order the {} is {:.1f} % shorter than as listed\n", what,
                             -100 * *change);
  } else {
    std::cout << fmt::format("the {} is the same in both orders\n", what);
  }
}

void require_cluster(const Options& options) {
  if (!options.live.resource_manager.empty()) return;
  throw UsageError("no ResourceManager is named",
                   "name its web address with --resource-manager URL, once for all with 'wavewright config "
                   "set resource_manager URL', or add --dry-run to submit nothing");
}

// `night-2026-11-23-2200` for night.jsonl.
std::string name_of_run(const std::string& file) {
  std::string name = file == "-" ? "batch" : std::filesystem::path(file).stem().string();
  name += "-";
  for (const char c : format_instant(now_instant())) {
    if (c != ':') name += c == ' ' ? '-' : c;
  }
  return name;
}

int run_command(const Context& context, const Options& given) {
  Options options = given;
  options.live.most_at_once = static_cast<std::size_t>(options.most_at_once);
  if (!options.resume.empty()) {
    if (!options.request.file.empty() || options.dry_run)
      throw UsageError("--continue takes up a batch as it is", "leave out the file and --dry-run");
    require_cluster(options);
    return continue_live(context, options.live, options.resume);
  }
  if (options.request.file.empty())
    throw UsageError("no workload file is named", "as in 'wavewright run night.jsonl --dry-run'");
  if (!options.dry_run) {
    require_cluster(options);
    if (options.request.run.empty()) options.request.run = name_of_run(options.request.file);
  } else if (options.request.run.empty()) {
    options.request.run = "dry-run";
  }
  std::optional<Cluster> cluster;
  std::string scheduler = options.policy;
  if (!options.cluster.empty()) {
    cluster = read_cluster(options.cluster);
    if (scheduler.empty()) scheduler = own_scheduler(*cluster);
    (void)make_policy_on(scheduler, *cluster, command_policies());  // a wrong one fails before the work
  }
  if (!options.ordering.when.empty() && !options.request.plan.empty())
    throw UsageError("--when orders the jobs while they wait, and --plan says their order",
                     "leave one of them out");
  const std::optional<LiveOrdering> ordering = live_ordering(options.ordering, cluster);
  const Time began = now_instant();
  options.request.plugin = !options.live.targets.empty();
  options.request.tagged = options.dry_run ? options.request.run : tagged_text(options.request.run, began);
  const RunBatch batch = prepare_run(context, options.request, cluster);
  if (!options.dry_run) check_programs(batch, options.request.file);
  std::optional<Expectation> expected;
  if (cluster) expected = expect_run(context, batch, *cluster, scheduler, ordering);
  if (!options.dry_run) {
    const LiveBatch live =
        live_batch(batch, options.request, began, ordering, expected ? &expected->chosen() : nullptr);
    if (!context.json && expected) print_expectation(batch, *expected);
    if (!batch.not_applied.empty())
      context.note(fmt::format("not applied, as the cluster's scheduler cannot be told: {}",
                               fmt::join(batch.not_applied, ", ")));
    std::cout.flush();
    return run_live(context, options.live, live);
  }
  if (context.json) {
    context.print(run_document(batch, options.request, expected));
    return 0;
  }
  print_submissions(batch, options.listing);
  if (!batch.not_applied.empty())
    std::cout << fmt::format("not applied, as the cluster's scheduler cannot be told: {}\n",
                             fmt::join(batch.not_applied, ", "));
  if (expected) print_expectation(batch, *expected);
  std::cout << "nothing was submitted\n";
  if (!expected) context.note("with --cluster FILE ('wavewright init' writes one) this says what to expect");
  return 0;
}

}  // namespace

void add_run(CLI::App& root, Context& context) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = root.add_subcommand("run", "Run a batch on the cluster, in the order of a plan");
  command->footer(
      "Example: wavewright run night.jsonl --plan night.plan.json --cluster cluster.toml --dry-run\n"
      "         wavewright run night.jsonl --plan night.plan.json --resource-manager rm.example.org\n"
      "         wavewright run --continue night-2026-11-23-220000");
  command->add_option("WORKLOAD", options->request.file,
                      "workload file whose jobs have commands (docs/use/run.md); - = standard input");
  command->add_flag("--dry-run", options->dry_run, "submit nothing");
  command->add_option("--plan", options->request.plan, "submit in this plan's order")->type_name("FILE");
  from_setting(command
                   ->add_option("--cluster", options->cluster,
                                "cluster file: simulate the batch on it, and check the jobs' queues")
                   ->type_name("FILE"),
               "cluster");
  auto* policy = command->add_option(
      "--policy", options->policy,
      "the cluster's own scheduler (default: fair if its queues have weights, else capacity)");
  from_setting(offer_names(policy->type_name("SPEC"), command_policies().entries()), "policy");
  options->ordering.when.clear();
  options->ordering.declare(*command, "none: the order of the file or plan");
  command->add_option("--queue", options->request.queue, "queue of jobs that name none")->type_name("NAME");
  command
      ->add_option("--run", options->request.run,
                   "name of the batch, part of every tag (default: the file's name and the time)")
      ->type_name("NAME");
  declare_live(*command, options->live, options->most_at_once);
  command->add_option("--continue", options->resume, "take up this batch, which was interrupted")
      ->type_name("NAME");
  options->listing.declare(*command);
  command->callback(
      [&context, options] { context.run = [&context, options] { return run_command(context, *options); }; });
}

}  // namespace wavewright::app
