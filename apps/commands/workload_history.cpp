// `wavewright workload from-history`: makes a batch from stored runs, such as last night's.
#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <unordered_map>

#include "apps/commands/workload.h"
#include "apps/commands/workload_profiles.h"
#include "apps/open_store.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/error.h"
#include "wavewright/core/when.h"
#include "wavewright/history/to_job.h"
#include "wavewright/sim/calibration/calibrate.h"
#include "wavewright/store/store.h"

namespace wavewright::app {

namespace {

struct HistoryFlags {
  std::string from, to, name, user, queue, cluster, out;
  bool at_once = false, from_profiles = false;
};

struct Collected {
  std::vector<Job> jobs;
  std::map<std::string, Count> left_out;  // reason → runs
  Count imputed_tasks = 0;
  ProfiledLengths profiled;
};

// Runs of the span by id, as if launches took no time; of all users, as they shared the cluster.
std::unordered_map<std::string, NetRun> launched_in_no_time(const Store& store, const RunFilter& filter,
                                                            const Cluster& cluster) {
  std::vector<JobRun> runs;
  store.each_run(filter, [&](JobRun&& run) { runs.push_back(std::move(run)); });
  std::unordered_map<std::string, NetRun> by_id;
  for (NetRun& net : without_launches(std::move(runs), cluster)) {
    const std::string id = net.run.id;
    by_id.insert_or_assign(id, std::move(net));
  }
  return by_id;
}

Collected collect(const Context& context, const HistoryFlags& flags, const TimeRange& span) {
  RunFilter filter;
  filter.from = span.from;
  filter.to = span.to;
  const Store store = open_store(context);
  std::unordered_map<std::string, NetRun> shorter;
  const Cluster cluster = flags.cluster.empty() ? Cluster{} : read_cluster(flags.cluster);
  if (!flags.cluster.empty()) shorter = launched_in_no_time(store, filter, cluster);
  const auto text = [](const std::string& value) {
    return value.empty() ? std::nullopt : std::optional(value);
  };
  filter.name = text(flags.name);
  filter.user = text(flags.user);
  filter.queue = text(flags.queue);
  Collected collected;
  store.each_run(filter, [&](JobRun&& run) {
    std::string why;
    const auto found = shorter.find(run.id);
    if (auto made = to_job(found == shorter.end() ? run : found->second.run, why)) {
      collected.imputed_tasks += made->imputed_tasks;
      if (flags.from_profiles) collected.profiled.add(run);
      made->job.processor_bound = found != shorter.end() && found->second.processor_bound;
      made->job.submitted = made->job.submit;
      collected.jobs.push_back(std::move(made->job));
    } else {
      ++collected.left_out[why];
    }
  });
  return collected;
}

int from_history(const Context& context, const HistoryFlags& flags) {
  check_outputs({flags.out}, {flags.cluster});
  if (flags.from_profiles && !flags.cluster.empty())
    throw UsageError("--from-profiles has no meaning with --cluster",
                     "leave one out: lengths in profiles have their launches in them");
  const TimeRange span = parse_range(flags.from, flags.to, now_instant());
  if (!span.from) throw UsageError("--from is empty", "write it like 22:00, now-12h or yesterday");
  Collected collected = collect(context, flags, span);
  const std::string between = format_instant(*span.from) + " and " +
                              (span.to ? format_instant(*span.to) + " " + zone_name(*span.to)
                                       : "now (" + zone_name(*span.from) + ")");
  if (collected.jobs.empty()) {
    std::string others;
    for (const auto& [why, count] : collected.left_out)
      others += fmt::format("{}{} that {}", others.empty() ? " (but " : ", ", count, why);
    if (!others.empty()) others += ')';
    throw Infeasible(fmt::format("no successful run was submitted between {}{}", between, others),
                     "'wavewright jobs' shows what the store holds");
  }
  Time first = collected.jobs.front().submit;
  for (const Job& job : collected.jobs) first = std::min(first, job.submit);
  Workload workload = to_workload(std::move(collected.jobs));
  std::vector<OpenDurations> open;
  if (flags.from_profiles) {
    const Store store = open_store(context);
    open = collected.profiled.of(workload, first, store);
    if (collected.profiled.left_out().total() > 0) {
      context.note(fmt::format("note: profiles leave out runs that say little of a job alone: {}",
                               collected.profiled.left_out().text()));
    }
  }
  if (flags.at_once) {
    for (Job& job : workload.jobs) job.submit = Time{};
  }
  check(workload, "history");
  const auto bound = std::count_if(workload.jobs.begin(), workload.jobs.end(),
                                   [](const Job& job) { return job.processor_bound; });
  write_out(context, workload, flags.out, open);
  if (context.json) {
    Json document = {{"from_ms", to_ms(*span.from)},
                     {"to_ms", span.to ? Json(to_ms(*span.to)) : Json()},
                     {"out", flags.out}};
    document.update(counts_of(workload));
    document["left_out"] = collected.left_out;
    document["imputed_tasks"] = collected.imputed_tasks;
    document["processor_bound"] = bound;
    document["from_profiles"] = flags.from_profiles;
    context.print(document);
    return 0;
  }
  context.note(fmt::format("{} jobs submitted between {}", workload.jobs.size(), between));
  for (const auto& [why, count] : collected.left_out)
    context.note(fmt::format("  left out {} that {}", count, why));
  if (bound > 0) context.note(fmt::format("  marked   {} whose tasks keep processors busy", bound));
  if (collected.imputed_tasks > 0) {
    context.note(fmt::format("  imputed  {} tasks without times, as long as their job's mean",
                             collected.imputed_tasks));
  }
  return 0;
}

}  // namespace

void add_workload_history(CLI::App& workload, Context& context) {
  auto flags = std::make_shared<HistoryFlags>();
  CLI::App* command =
      workload.add_subcommand("from-history", "Make a workload of imported runs: last night's batch");
  command->footer(
      "Example: wavewright workload from-history --from 22:00 --to 06:00 --out night.jsonl\n"
      "         wavewright workload from-history --from yesterday --from-profiles --out night.jsonl");
  command->add_option("--from", flags->from, "submitted from: 22:00, now-12h, yesterday, 2026-11-19T22:00")
      ->type_name("WHEN")
      ->required();
  command->add_option("--to", flags->to, "submitted before (default: now)")->type_name("WHEN");
  command->add_option("--name", flags->name, "only jobs of this name; * stands for any text")
      ->type_name("NAME");
  command->add_option("--user", flags->user, "only jobs of this user")->type_name("USER");
  command->add_option("--queue", flags->queue, "only jobs of this queue")->type_name("QUEUE");
  command
      ->add_option("--cluster", flags->cluster,
                   "that it will be simulated on: its launches are taken off the tasks' lengths")
      ->type_name("FILE.toml");
  command->add_flag("--at-once", flags->at_once,
                    "all submitted at time 0: the batch is known as a whole and may start in any order");
  command->add_flag("--from-profiles", flags->from_profiles,
                    "durations as ranges of the jobs' profiles, from which each --seed draws others, instead "
                    "of the runs' own");
  command->add_option("--out", flags->out, "file to write (default: standard output)")->type_name("FILE");
  command->callback(
      [flags, &context] { context.run = [flags, &context] { return from_history(context, *flags); }; });
}

}  // namespace wavewright::app
