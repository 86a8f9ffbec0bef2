// `wavewright sweep FILE`: compares many simulations.
#include <chrono>
#include <iostream>
#include <map>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "apps/commands/job_reader.h"
#include "apps/commands/profile_lengths.h"
#include "apps/commands/sweep_summary.h"
#include "apps/engine/sweep_units.h"
#include "apps/policies.h"
#include "apps/progress.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/error.h"
#include "wavewright/job/workload_file.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright::app {

namespace {

struct Options {
  std::string file, out;
  unsigned threads = 0;
  SpreadOptions spread;
  PolicyLibraries libraries;
  EngineFlags engine;
};

// Throws InputError with the policy's line if it is unknown or malformed, or cannot run on some cluster.
void check_policy(const SweepFile& file, std::size_t index, const SweepAxes& axes) {
  const std::string& policy = axes.policies[index];
  std::string cluster;
  try {
    (void)make_policy(policy, {axes.clusters.front().queues}, *axes.registry);  // fails on any cluster
    for (std::size_t i = 0; i < axes.clusters.size(); ++i) {
      cluster = file.clusters[i] + ": ";
      (void)make_policy_on(policy, axes.clusters[i], *axes.registry);
    }
  } catch (const UsageError& error) {
    throw InputError({file.path.string(), file.policy_lines[index]}, cluster + error.problem(),
                     error.remedy());
  }
}

SweepAxes axes_of(const SweepFile& file, const JobReader& reader, const LengthSpread& spread,
                  const PolicyRegistry& registry) {
  SweepAxes axes;
  axes.registry = &registry;
  for (const std::string& name : file.workloads) {
    const std::filesystem::path path = file.path_of(name);
    axes.workloads.emplace_back([path, spread, reader](std::uint64_t seed) {
      return drawn_lengths(reader.read_again(path.string(), seed), spread, seed);
    });
  }
  for (const std::string& name : file.clusters) axes.clusters.push_back(read_cluster(file.path_of(name)));
  axes.policies = file.policies;
  axes.seeds = file.seeds;
  // Faults of a policy are reported before anything starts.
  for (std::size_t i = 0; i < axes.policies.size(); ++i) check_policy(file, i, axes);
  return axes;
}

// The errors of past estimates of the profiles that jobs of the workloads name.
std::map<std::string, TrackRecord> records_of_sweep(const Context& context, const SweepFile& file) {
  std::set<std::string> profiles;
  for (const std::string& name : file.workloads) {
    (void)read_workload(file.path_of(name), {}, [&](Job&& job) {
      if (!job.profile.empty()) profiles.insert(std::move(job.profile));
    });
  }
  return records_of(context, profiles);
}

std::string results_path(const Options& options) {
  if (!options.out.empty()) return options.out;
  return std::filesystem::path(options.file).filename().replace_extension(".results.jsonl").string();
}

// Simulates the missing cells on this machine's cores.
void run_locally(const Context& context, const Options& options, const SweepAxes& axes,
                 SweepResults& results) {
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
}

int run_sweep_command(const Context& context, const Options& options) {
  const bool on_yarn = options.engine.on_yarn();
  if (on_yarn && options.threads > 0)
    throw UsageError("--threads has no meaning with --engine yarn", "leave it out");
  const SweepFile file = read_sweep_file(options.file);
  const PolicyRegistry registry = options.libraries.registry();
  const LengthSpread spread = options.spread.spread();
  const JobReader reader(context);
  const SweepAxes axes = axes_of(file, reader, spread, registry);
  const std::string out = results_path(options);
  std::vector<std::string> inputs = options.libraries.files();
  inputs.push_back(options.file);
  check_outputs({out}, inputs);
  SweepResults results(out, file, spread, options.libraries.files());
  const std::size_t had = results.rows().size();
  context.ends_itself = true;
  const auto began = std::chrono::steady_clock::now();
  if (on_yarn) {
    try {
      run_sweep_on_yarn(context, options.engine, {file, spread, options.libraries.files(), reader}, out,
                        results);
    } catch (const Interrupted&) {  // said below
    }
  } else {
    run_locally(context, options, axes, results);
  }
  const bool partial = results.rows().size() < axes.size();
  if (!partial) results.finish();
  const std::vector<SweepSummary> summaries = summaries_of(axes, results);
  const std::map<std::string, TrackRecord> records = records_of_sweep(context, file);
  if (context.json) {
    Json document = summary_json(file, results, summaries, partial);
    add_spread(document, spread);
    add_records(document, records);
    context.print(document);
  } else {
    print_summary(file, summaries);
    std::cout << spread_text(spread);
    show_records(records);
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  context.note(fmt::format("{} simulations in {:.1f} s, {} were there already: {}",
                           results.rows().size() - had, seconds, had, out));
  if (!partial) return 0;
  context.note(fmt::format("interrupted: {} of {} are done; the same command goes on from here",
                           results.rows().size(), axes.size()));
  return static_cast<int>(ExitStatus::interrupted);
}

}  // namespace

void add_sweep(CLI::App& root, Context& context) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      root.add_subcommand("sweep", "Simulate workloads × clusters × policies × seeds, and compare");
  command->footer(
      "Example: wavewright sweep policies.toml --out policies.results.jsonl   (docs/use/sweep.md)");
  command->add_option("FILE", options->file, "what to simulate (docs/use/sweep.md)")->required();
  command->add_option("--out", options->out, "results, a line each; an existing file is gone on with")
      ->type_name("FILE.jsonl");
  command->add_option("--threads", options->threads, "simulations at once (default: one a core)")
      ->type_name("N");
  options->spread.declare(*command, "each seed draws others, the same for every policy and cluster");
  options->libraries.declare(*command);
  options->engine.declare(*command);
  command->callback([&context, options] {
    context.run = [&context, options] { return run_sweep_command(context, *options); };
  });
}

}  // namespace wavewright::app
