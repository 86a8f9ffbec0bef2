// `wavewright simulate`: runs a workload under a policy.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <thread>

#include <fmt/format.h>

#include "apps/choices.h"
#include "apps/commands/energy_data.h"
#include "apps/commands/job_reader.h"
#include "apps/commands/plan_commands.h"
#include "apps/commands/profile_lengths.h"
#include "apps/commands/simulate_calibrate.h"
#include "apps/commands/simulate_outputs.h"
#include "apps/commands/simulate_replications.h"
#include "apps/commands/simulate_run.h"
#include "apps/commands/simulate_view.h"
#include "apps/commands/simulate_why.h"
#include "apps/context.h"
#include "apps/job_listing.h"
#include "apps/policies.h"
#include "apps/pool_options.h"
#include "apps/settings/fill_options.h"
#include "apps/spread_options.h"
#include "apps/table.h"
#include "apps/whole_number.h"
#include "wavewright/cluster/power.h"
#include "wavewright/core/error.h"
#include "wavewright/core/spec.h"
#include "wavewright/energy/plan/energy_plan.h"
#include "wavewright/job/workload_file.h"
#include "wavewright/realtime/series.h"
#include "wavewright/sched/plan_file.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright::app {

namespace {

struct Options {
  std::string workload, policy = "fifo", plan, engine = "fast";
  std::string calibrate, out, known_jobs;
  JobListing listing;
  Count replications = 0;
  unsigned threads = 0;
  SimulationOutputs outputs;
  PoolOptions pool;
  SpreadOptions spread;
  PolicyLibraries libraries;
};

// The policy that executes the plan of a file.
std::string policy_of_plan(const std::string& file) {
  if (!holds_energy_plan(file)) return "plan(" + file + ")";
  const EnergyPlan plan = read_energy_plan(file);
  return plan.policy.empty() ? "energy-plan(" + file + ")" : plan.policy;
}

// `plan`: the file of --plan, which may hold the policy.
Policy policy_of(const std::string& spec, const std::string& plan, const Cluster& cluster,
                 const PolicyRegistry& registry) {
  try {
    return make_policy_on(spec, cluster, registry);
  } catch (const UsageError& error) {
    const bool is_from_file = !plan.empty() && spec.find(plan) == std::string::npos;
    if (!is_from_file) throw;
    throw InputError({plan}, error.problem(), error.remedy());
  }
}

// The exit status; tells first why the simulation could not go on.
int finish(const SimulationResult& result) {
  if (result.stuck) {
    const Infeasible error(result.stuck->what, result.stuck->remedy);
    std::cout.flush();
    std::cerr << "wavewright: " << error.what() << '\n';
    return static_cast<int>(error.status());
  }
  return static_cast<int>(result.stopped ? ExitStatus::interrupted : ExitStatus::done);
}

// Their energy would be missing without a word.
void note_missing_powers(const Context& context, const Cluster& cluster) {
  for (const std::string& name : classes_without_power(cluster)) {
    context.note(fmt::format("class {} has no powers and counts as 0 W: give power_idle_w in [classes.{}]",
                             harmless(name), harmless(name)));
  }
}

// A misspelt name would promise nothing without a word.
void note_series_without_jobs(const Context& context, const std::string& policy, const Workload& workload) {
  for (const auto& [key, value] : parse_spec(split_outside(policy, '+').front()).parameters) {
    const auto all = key == "series" ? parse_series(value) : std::nullopt;
    if (!all) continue;
    for (const Series& each : *all) {
      const auto is_its = [&](const Job& job) { return job.name == each.name; };
      if (std::none_of(workload.jobs.begin(), workload.jobs.end(), is_its))
        context.note(
            fmt::format("no job has the name '{}', so its series promises nothing: give a job's \"name\"",
                        harmless(each.name)));
    }
  }
}

// `file`: the plan of --plan; empty if none was given.
void check_given_plan(const Context& context, const std::string& file, const Workload& workload,
                      const Cluster& cluster) {
  if (file.empty()) return;
  if (holds_energy_plan(file)) return check_energy_plan(read_energy_plan(file), workload, cluster, file);
  check_plan_of_file(context, read_plan(file), workload, cluster.total_slots(), file);
}

// The words of a policy: some may name files.
std::vector<std::string> words_of_spec(const std::string& spec) {
  std::vector<std::string> words(1);
  for (const char c : spec) {
    if (std::string_view("(),=+").find(c) == std::string_view::npos) {
      if (c != ' ' || !words.back().empty()) words.back() += c;
    } else {
      words.emplace_back();
    }
  }
  return words;
}

int simulate_command(const Context& context, const Options& options) {
  const PolicyRegistry registry = options.libraries.registry();
  if (!options.calibrate.empty())
    return simulate_calibrate(context, {options.calibrate, options.pool.file(), options.out,
                                        options.known_jobs, options.policy, registry});
  if (options.workload.empty()) {
    throw UsageError("which workload?",
                     "name a file, or - for standard input (docs/formats/workload-file.md)");
  }
  if (options.engine != "fast" && options.engine != "reference") {
    throw UsageError("unknown engine '" + options.engine + "'", "one of: fast reference");
  }
  std::vector<std::string> inputs = words_of_spec(options.policy);
  inputs.insert(inputs.end(), {options.workload, options.plan, options.pool.file()});
  options.outputs.check(inputs);
  if (options.replications > 0 && (options.outputs.needs_trace() || options.engine != "fast")) {
    throw UsageError("--replications gives means over many runs, not what one run did",
                     "leave out --trace, --nodes, --intervals, --batsim-jobs, --report, --why and --engine");
  }
  const LengthSpread spread = options.spread.spread();
  const std::string spec = options.plan.empty() ? options.policy : policy_of_plan(options.plan);
  const Cluster cluster = options.pool.cluster_or_flat();
  Policy policy = policy_of(spec, options.plan, cluster, registry);
  note_missing_powers(context, cluster);
  note_energy_policy(context, policy.allocator->name(), cluster);
  if (options.replications > 0) {
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    return simulate_replications(
        context, options.workload, cluster,
        {spec, context.seed, options.replications, options.threads == 0 ? cores : options.threads, &registry},
        spread, options.listing);
  }
  const Workload workload = drawn_lengths(JobReader(context).read(options.workload), spread, context.seed);
  check_energy_data(context, options.workload, workload, cluster);
  note_series_without_jobs(context, spec, workload);
  options.outputs.check(workload);
  policy.allocator->make_offers(options.outputs.jobs_to_explain(workload));
  check_given_plan(context, options.plan, workload, cluster);
  ClusterOptions how;
  how.cluster = cluster;
  how.seed = context.seed;
  SimulatedRun run = options.engine == "fast"
                         ? simulate_watched(context, workload, policy, how, options.outputs)
                         : simulate_by_reference(workload, policy, how, options.outputs);
  const SimulationResult& result = run.result;
  std::optional<MapLocality> maps;
  if (run.usage.maps) maps = run.usage.maps->finish(result, workload);
  const std::optional<UsageTotals> use =
      options.outputs.write(result, run.usage, workload, cluster,
                            std::filesystem::path(options.workload).stem().string(), policy.name());
  const RunEnergy* energy = nullptr;
  if (run.usage.nodes && run.usage.nodes->energy()) energy = &*run.usage.nodes->energy();
  const JobSlotTimes* const slots = run.usage.slots ? &*run.usage.slots : nullptr;
  if (context.json) {
    print_simulation_json(context, workload, result, policy, cluster, {use, maps, energy, slots}, spread,
                          options.outputs);
    return finish(result);
  }
  print_simulated_jobs(workload, result, options.listing);
  print_simulation_summary(workload, result, policy, cluster, {use, maps, energy, slots});
  std::cout << spread_text(spread);
  show_records(records_of(context, workload));
  if (const std::vector<JobIndex> jobs = options.outputs.jobs_to_explain(workload); !jobs.empty())
    print_why(result, workload, cluster, jobs, options.listing);
  context.note(fmt::format("{} events in {:.3f} s ({:.3g} a second)", result.events, result.engine_seconds,
                           static_cast<double>(result.events) / std::max(result.engine_seconds, 1e-9)));
  if (result.stopped && !result.stuck) context.note("interrupted: this is what had happened by then");
  return finish(result);
}

}  // namespace

void add_simulate(CLI::App& root, Context& context) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = root.add_subcommand("simulate", "Run a workload under a policy, task by task");
  command->footer(
      "Example: wavewright simulate night.jsonl --map-slots 40 --reduce-slots 20 --trace night.csv\n"
      "         wavewright simulate night.jsonl --cluster cluster.toml --why report --why 'etl-*'");
  auto* workload = command->add_option("WORKLOAD", options->workload,
                                       "workload file (docs/formats/workload-file.md); - = standard input");
  options->pool.declare(*command);
  auto* policy = command->add_option("--policy", options->policy, policy_help())->type_name("SPEC");
  from_setting(offer_names(policy, command_policies().entries()), "policy");
  command->add_option("--plan", options->plan, "execute this plan: short for --policy 'plan(FILE)'")
      ->type_name("FILE")
      ->excludes(policy);
  options->spread.declare(*command, "each --seed draws others");
  options->libraries.declare(*command);
  options->outputs.declare(*command);
  auto* engine = command->add_option("--engine", options->engine,
                                     "fast, or the slow reference that it is tested against");
  offer(engine->type_name("NAME"), {"fast", "reference"});
  command
      ->add_option("--replications", options->replications,
                   "simulate for so many seeds; means with 95 % intervals")
      ->type_name("N")
      ->check(whole_number(2, 1'000'000));
  command->add_option("--threads", options->threads, "replications at once (default: one a core)")
      ->type_name("N");
  options->listing.declare(*command);
  auto* calibrate =
      command
          ->add_option(
              "--calibrate", options->calibrate,
              "instead: learn launches and masters from imported runs of these jobs (* stands for any "
              "text) and store them in the cluster file")
          ->type_name("JOBS")
          ->excludes(workload);
  command->add_option("--out", options->out, "where the calibrated cluster goes (default: the same file)")
      ->type_name("FILE")
      ->needs(calibrate);
  command
      ->add_option("--known-jobs", options->known_jobs,
                   "a workload file of jobs whose work is known, like SleepJobs: the runs are of its jobs, "
                   "by name and "
                   "numbers of tasks; its lengths are without launches, and --policy is the cluster's")
      ->type_name("FILE")
      ->needs(calibrate);
  command->callback([&context, options, command] {
    if (!options->calibrate.empty()) {  // refuse flags that would be ignored
      for (const CLI::Option* each :
           command->get_options([](const CLI::Option* o) { return o->count() > 0; })) {
        const std::string name = each->get_name();
        if (name == "--calibrate" || name == "--cluster" || name == "--out" || name == "--known-jobs")
          continue;
        const bool of_policy = name == "--policy" || name == "--policy-library";
        if (of_policy && !options->known_jobs.empty()) continue;
        throw UsageError(
            "--calibrate simulates nothing: " + name + " has no meaning with it",
            "give --cluster FILE.toml and, if you like, --out FILE; --policy goes with --known-jobs");
      }
    }
    context.run = [&context, options] { return simulate_command(context, *options); };
  });
}

}  // namespace wavewright::app
