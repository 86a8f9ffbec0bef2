// `wavewright sweep FILE`: compares many simulations.
#include <chrono>
#include <cmath>
#include <iostream>
#include <thread>

#include <fmt/format.h>

#include "apps/commands/sweep_file.h"
#include "apps/interval_text.h"
#include "apps/policies.h"
#include "apps/progress.h"
#include "apps/table.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/error.h"
#include "wavewright/job/workload_file.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright::app {

namespace {

struct Options {
  std::string file, out;
  unsigned threads = 0;
  PolicyLibraries libraries;
};

SweepAxes axes_of(const SweepFile& file, const PolicyRegistry& registry) {
  SweepAxes axes;
  axes.registry = &registry;
  for (const std::string& name : file.workloads) {
    const std::filesystem::path path = file.path_of(name);
    axes.workloads.emplace_back([path](std::uint64_t seed) { return read_workload(path, {seed, {}}); });
  }
  for (const std::string& name : file.clusters) axes.clusters.push_back(read_cluster(file.path_of(name)));
  axes.policies = file.policies;
  axes.seeds = file.seeds;
  // Faults of a policy are reported before anything starts.
  for (const std::string& policy : axes.policies) {
    (void)make_policy(policy, {axes.clusters.front().queues}, registry);  // fails on any cluster
    for (std::size_t i = 0; i < axes.clusters.size(); ++i) {
      try {
        (void)make_policy_on(policy, axes.clusters[i], registry);
      } catch (const UsageError& error) {
        throw UsageError(file.clusters[i] + ": " + error.problem(), error.remedy());
      }
    }
  }
  return axes;
}

// A policy on one workload and cluster, over all seeds.
struct Summary {
  SweepCell cell;
  MeanInterval makespan, completion;
  MeanInterval difference;  // of mean completion to the first policy, in percent of it, by seed
  double late = 0;          // jobs per run
  std::size_t runs = 0;
};

std::vector<Summary> summaries_of(const SweepAxes& axes, const SweepResults& results) {
  std::vector<Summary> summaries;
  for (SweepCell cell; cell.workload < axes.workloads.size(); ++cell.workload) {
    for (cell.cluster = 0; cell.cluster < axes.clusters.size(); ++cell.cluster) {
      for (cell.policy = 0; cell.policy < axes.policies.size(); ++cell.policy) {
        std::vector<double> makespans, completions, differences;
        Summary summary;
        summary.cell = cell;
        for (const std::uint64_t seed : axes.seeds) {
          const auto row = results.rows().find({cell.workload, cell.cluster, cell.policy, seed});
          const auto first = results.rows().find({cell.workload, cell.cluster, 0, seed});
          if (row == results.rows().end()) continue;
          makespans.push_back(static_cast<double>(to_ms(row->second.makespan)));
          completions.push_back(row->second.mean_completion_ms);
          summary.late += static_cast<double>(row->second.late);
          if (first != results.rows().end() && first->second.mean_completion_ms > 0) {
            differences.push_back(100 *
                                  (row->second.mean_completion_ms / first->second.mean_completion_ms - 1));
          }
        }
        summary.runs = makespans.size();
        summary.late /= static_cast<double>(std::max<std::size_t>(1, summary.runs));
        summary.makespan = mean_interval(makespans);
        summary.completion = mean_interval(completions);
        summary.difference = mean_interval(differences);
        summaries.push_back(summary);
      }
    }
  }
  return summaries;
}

Json interval_json(const MeanInterval& interval) {
  return {{"mean", interval.mean},
          {"half_width", std::isfinite(interval.half) ? Json(interval.half) : Json(nullptr)}};
}

Cell duration_cell(const MeanInterval& interval) {
  return {interval_text(interval), interval.mean};
}

void print_summary(const SweepFile& file, const std::vector<Summary>& summaries) {
  Table table{{{"workload", "workload", false, true},
               {"cluster", "cluster", false, true},
               {"policy", "policy", false, true},
               {"runs", "runs", true, false},
               {"makespan_ms", "makespan", true, false},
               {"mean_completion_ms", "mean completion", true, false},
               {"difference_percent", "to the first", true, false},
               {"late", "late", true, false}},
              {}};
  for (const Summary& each : summaries) {
    const MeanInterval& difference = each.difference;
    const bool first = each.cell.policy == 0;
    const std::string spread = std::isfinite(difference.half) && difference.half > 0
                                   ? fmt::format(" ± {:.1f}", difference.half)
                                   : "";
    table.rows.push_back(
        {file.workloads[each.cell.workload], file.clusters[each.cell.cluster],
         file.policies[each.cell.policy], count_cell(static_cast<std::int64_t>(each.runs)),
         duration_cell(each.makespan), duration_cell(each.completion),
         Cell(first ? "-" : fmt::format("{:+.1f}{} %", difference.mean, spread), difference.mean),
         Cell(fmt::format("{:.1f}", each.late), each.late)});
  }
  write_table(std::cout, table);
}

Json summary_json(const SweepFile& file, const SweepResults& results, const std::vector<Summary>& summaries,
                  bool partial) {
  Json rows = Json::array(), means = Json::array();
  for (const auto& [cell, row] : results.rows()) rows.push_back(results.to_json(row));
  for (const Summary& each : summaries) {
    means.push_back({{"workload", file.workloads[each.cell.workload]},
                     {"cluster", file.clusters[each.cell.cluster]},
                     {"policy", file.policies[each.cell.policy]},
                     {"runs", each.runs},
                     {"makespan_ms", interval_json(each.makespan)},
                     {"mean_completion_ms", interval_json(each.completion)},
                     {"difference_percent", interval_json(each.difference)},
                     {"late", each.late}});
  }
  return {{"rows", std::move(rows)}, {"summary", std::move(means)}, {"partial", partial}};
}

std::string results_path(const Options& options) {
  if (!options.out.empty()) return options.out;
  return std::filesystem::path(options.file).filename().replace_extension(".results.jsonl").string();
}

int run_sweep_command(const Context& context, const Options& options) {
  const SweepFile file = read_sweep_file(options.file);
  const PolicyRegistry registry = options.libraries.registry();
  const SweepAxes axes = axes_of(file, registry);
  const std::string out = results_path(options);
  std::vector<std::string> inputs = options.libraries.files();
  inputs.push_back(options.file);
  refuse_overwriting(out, inputs);
  SweepResults results(out, file, options.libraries.files());
  const std::size_t had = results.rows().size();
  context.ends_itself = true;
  Progress progress(context);
  const auto began = std::chrono::steady_clock::now();
  std::size_t made = 0;
  const Stop stop(std::nullopt, &context.interrupted);
  run_sweep(
      axes, options.threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : options.threads,
      [&](const SweepCell& cell) { return !results.has(cell); },
      [&](const SweepRow& row, const Workload&, const SimulationResult&) {
        results.add(row);
        ++made;
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        const auto left = static_cast<double>(axes.size() - results.rows().size());
        progress.show(fmt::format("{} of {} simulated, {} left", results.rows().size(), axes.size(),
                                  format_duration(ms(static_cast<std::int64_t>(
                                      1000 * seconds / static_cast<double>(made) * left)))));
      },
      stop);
  const bool partial = results.rows().size() < axes.size();
  const std::vector<Summary> summaries = summaries_of(axes, results);
  if (context.json) {
    context.print(summary_json(file, results, summaries, partial));
  } else {
    print_summary(file, summaries);
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  context.note(fmt::format("{} simulations in {:.1f} s, {} were there already: {}", made, seconds, had, out));
  if (!partial) return 0;
  context.note(fmt::format("interrupted: {} of {} are done; the same command goes on from here",
                           results.rows().size(), axes.size()));
  return static_cast<int>(ExitStatus::interrupted);
}

}  // namespace

void add_sweep(CLI::App& root, Context& context) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      root.add_subcommand("sweep", "simulate workloads × clusters × policies × seeds, and compare");
  command->footer(
      "Example: wavewright sweep policies.toml --out policies.results.jsonl   (docs/use/sweep.md)");
  command->add_option("FILE", options->file, "what to simulate (docs/use/sweep.md)")->required();
  command->add_option("--out", options->out, "results, a line each; an existing file is gone on with")
      ->type_name("FILE.jsonl");
  command->add_option("--threads", options->threads, "simulations at once (default: one a core)")
      ->type_name("N");
  options->libraries.declare(*command);
  command->callback([&context, options] {
    context.run = [&context, options] { return run_sweep_command(context, *options); };
  });
}

}  // namespace wavewright::app
