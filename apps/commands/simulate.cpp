// `wavewright simulate`: runs a workload under a policy.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <thread>

#include "apps/choices.h"
#include "apps/commands/job_reader.h"
#include "apps/commands/plan_commands.h"
#include "apps/commands/simulate_calibrate.h"
#include "apps/commands/simulate_outputs.h"
#include "apps/commands/simulate_replications.h"
#include "apps/commands/simulate_run.h"
#include "apps/commands/simulate_why.h"
#include "apps/context.h"
#include "apps/counts_text.h"
#include "apps/job_listing.h"
#include "apps/policies.h"
#include "apps/pool_options.h"
#include "apps/settings/fill_options.h"
#include "apps/spread_options.h"
#include "apps/table.h"
#include "apps/whole_number.h"
#include "wavewright/cloud/bound/cost_bound.h"
#include "wavewright/cluster/power.h"
#include "wavewright/core/error.h"
#include "wavewright/energy/plan/energy_plan.h"
#include "wavewright/job/job_labels.h"
#include "wavewright/job/workload_file.h"
#include "wavewright/report/documents/simulation_document.h"
#include "wavewright/report/text.h"
#include "wavewright/sched/plan_file.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/metrics/promises.h"
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

// Of a whole run that rented machines.
std::optional<CostBounds> bounds_of(const Workload& workload, const Cluster& cluster,
                                    const SimulationResult& result) {
  if (result.leases.empty() || result.stopped) return std::nullopt;
  return cost_bounds(workload, cluster, result);
}

// Sums over the tasks; each only where the cluster file tells enough.
struct Totals {
  const std::optional<UsageTotals>& use;
  const std::optional<MapLocality>& maps;
  const RunEnergy* energy;    // null where no power is known
  const JobSlotTimes* slots;  // null where no job has a deadline
};

void print_json(const Context& context, const Workload& workload, const SimulationResult& result,
                const Policy& policy, const Cluster& cluster, const Totals& totals,
                const LengthSpread& spread, const SimulationOutputs& outputs) {
  Json document = simulation_document(workload, result, policy.name(), cluster, totals.use, totals.slots);
  if (totals.maps) add_map_locality(document, *totals.maps);
  if (totals.energy != nullptr) add_run_energy(document, *totals.energy, cluster);
  add_spread(document, spread);
  if (const std::optional<CostBounds> bounds = bounds_of(workload, cluster, result))
    add_cost_bounds(document, *bounds);
  if (const std::vector<JobIndex> jobs = outputs.jobs_to_explain(workload); !jobs.empty()) {
    const Explainer explainer(result, workload, cluster);
    for (const JobIndex job : jobs) document["why"].push_back(why_document(workload, result, explainer, job));
  }
  context.print(document);
}

void print_jobs(const Workload& workload, const SimulationResult& result, const JobListing& listing) {
  const JobLabels labels(workload.jobs, listing.ids);
  const bool all = listing.all;
  constexpr std::size_t shown_at_most = 25;
  const bool deadlines = std::any_of(workload.jobs.begin(), workload.jobs.end(),
                                     [](const Job& job) { return job.deadline.has_value(); });
  Table table{{{"job", "job", false, true},
               {"submit_ms", "submitted", true, false},
               {"start_ms", "started", true, false},
               {"maps_done_ms", "maps done", true, false},
               {"finish_ms", "finished", true, false}},
              {}};
  if (deadlines) table.columns.push_back({"deadline_met", "deadline", false, false});
  const auto instant = [](Time time) { return Cell(format_duration(time - Time{}), to_ms(time)); };
  for (std::size_t i = 0; i < workload.jobs.size() && (all || i < shown_at_most); ++i) {
    const Job& job = workload.jobs[i];
    const JobOutcome& outcome = result.jobs[i];
    const Cell never("-", Json(nullptr));
    table.rows.push_back(
        {labels[i], instant(outcome.submit), outcome.has_started() ? instant(outcome.start) : never,
         outcome.has_maps_done() ? instant(outcome.maps_done) : never,
         outcome.rejected     ? Cell("rejected", Json(nullptr))
         : outcome.unfinished ? Cell("not yet", Json(nullptr))
         : outcome.failed     ? Cell("failed " + instant(outcome.finish).text, to_ms(outcome.finish))
                              : instant(outcome.finish)});
    if (deadlines)
      table.rows.back().emplace_back(!job.deadline ? "-" : meets_deadline(job, outcome) ? "met" : "missed");
  }
  write_table(std::cout, table);
  if (table.rows.size() < workload.jobs.size()) {
    std::cout << "… " << workload.jobs.size() - table.rows.size()
              << " more; --all-jobs or --json shows them\n";
  }
  constexpr std::size_t reasons_at_most = 5;
  std::size_t told = 0;
  for (const auto& [job, reason] : result.rejections) {
    if (!all && told++ == reasons_at_most) {
      std::cout << fmt::format("… {} more were rejected; --all-jobs or --json tells why\n",
                               result.rejections.size() - reasons_at_most);
      break;
    }
    std::cout << fmt::format("{} was rejected: {} ({})\n", harmless(labels[job]), harmless(reason.text),
                             harmless(reason.code));
  }
}

void print_locality(const SimulationResult& result) {
  std::uint64_t node = 0, rack = 0, off_rack = 0;
  for (const JobOutcome& job : result.jobs) {
    node += job.node_local;
    rack += job.rack_local;
    off_rack += job.off_rack;
  }
  const auto part = [all = std::max<std::uint64_t>(1, node + rack + off_rack)](std::uint64_t count) {
    return 100.0 * static_cast<double>(count) / static_cast<double>(all);
  };
  std::cout << fmt::format(
      "maps on a node with their block {:.1f} %, in its rack {:.1f} %, elsewhere {:.1f} %\n", part(node),
      part(rack), part(off_rack));
}

void print_map_response(const MapLocality& maps) {
  if (!maps.response_ms()) return;
  constexpr double ms_per_s = 1000;
  std::string text = fmt::format("mean response of a map {:.1f} s", *maps.response_ms() / ms_per_s);
  if (maps.local > 0 && maps.elsewhere > 0) {
    text += fmt::format(", {:.1f} s on a node with its block, {:.1f} s elsewhere",
                        *maps.local_response_ms() / ms_per_s, *maps.elsewhere_response_ms() / ms_per_s);
  }
  std::cout << text << '\n';
}

void print_use(const UsageTotals& use, const Cluster& cluster) {
  std::string text;
  if (knows_power(cluster)) text = "energy " + report::energy_text(use.energy_j);
  if (knows_prices(cluster)) text += (text.empty() ? "cost " : ", cost ") + report::money_text(use.cost_usd);
  if (!text.empty()) std::cout << text << '\n';
}

// Idle and work, and each class where there are some.
void print_energy(const RunEnergy& run) {
  const auto text = [](const EnergyParts& of) {
    const auto part = [](MicroJoules energy) { return report::energy_text(to_joules(energy)); };
    std::string line = fmt::format("{} idle, {} work", part(of.idle), part(of.work));
    if (of.off > 0) line += fmt::format(", {} off", part(of.off));
    if (of.wake > 0) line += fmt::format(", {} wake-ups", part(of.wake));
    return line;
  };
  std::cout << "of the energy " << text(run.all) << '\n';
  for (std::size_t i = 0; run.classes.size() > 1 && i < run.classes.size(); ++i)
    std::cout << fmt::format("  class {}: {}\n", harmless(run.class_names[i]), text(run.classes[i]));
  if (run.carbon_g) std::cout << fmt::format("carbon dioxide {} g\n", report::decimal_text(*run.carbon_g));
}

void print_bounds(const CostBounds& bounds) {
  std::cout << fmt::format("whoever schedules pays at least {} for the jobs that were in time here",
                           report::money_text(to_usd(bounds.as_the_run)));
  if (bounds.all_in_time) {
    std::cout << fmt::format(", {} for all in time\n", report::money_text(to_usd(*bounds.all_in_time)));
  } else {
    std::cout << "; not all can be in time\n";
  }
}

void print_promises(const Workload& workload, const SimulationResult& result, const Cluster& cluster,
                    const JobSlotTimes* times) {
  if (const Tardiness late = tardiness_of(workload, result); late.jobs > 0) {
    std::cout << fmt::format("{} of {} jobs with a deadline are tardy", late.tardy, late.jobs);
    if (late.without > 0) std::cout << fmt::format(", {} of them not done", late.without);
    std::cout << fmt::format("; total tardiness {}", format_duration(late.total));
    if (late.mean_ms()) std::cout << fmt::format(", mean {:.1f} s", *late.mean_ms() / 1000);
    std::cout << '\n';
  }
  if (counts_of(result).rejected > 0) {
    const SlotPool slots = cluster.total_slots();
    const AdmissionTotals admission =
        admission_of(workload, result, slots.map_slots + slots.reduce_slots, times);
    std::cout << fmt::format("{} of {} jobs were accepted, and {} of these were in time", admission.accepted,
                             admission.jobs, admission.successful);
    if (admission.utilisation)
      std::cout << fmt::format("; they used {} of the slots' time",
                               report::percent_text(*admission.utilisation));
    std::cout << '\n';
  }
  if (result.leases.empty()) return;
  const LeaseTotals rented = totals_of(result);
  constexpr double ms_per_hour = 3'600'000;
  std::cout << fmt::format("{} machines rented, {} revoked; {:.1f} machine hours, {} paid for them\n",
                           rented.leases, rented.revoked,
                           static_cast<double>(to_ms(rented.machine_time)) / ms_per_hour,
                           report::money_text(to_usd(rented.cost)));
  if (const std::optional<CostBounds> bounds = bounds_of(workload, cluster, result)) print_bounds(*bounds);
}

void print_summary(const Workload& workload, const SimulationResult& result, const Policy& policy,
                   const Cluster& cluster, const Totals& totals) {
  const RunCounts counts = counts_of(result);
  const SlotPool slots = cluster.total_slots();
  const bool containers = cluster.mode.kind == ClusterMode::Kind::containers;
  const std::string room =
      containers ? fmt::format("{} MiB for containers", cluster.total_memory().count >> 20)
                 : fmt::format("{} map and {} reduce slots", slots.map_slots, slots.reduce_slots);
  const std::string in_use =
      containers
          ? fmt::format("memory in use {:.1f} %", 100 * result.memory_utilisation(cluster.total_memory()))
          : fmt::format("slots in use {:.1f} % (map) and {:.1f} % (reduce)",
                        100 * result.map_utilisation(slots), 100 * result.reduce_utilisation(slots));
  std::cout << fmt::format(
      "\n{} jobs under {} on {}{}\nmakespan {}, total completion {}{}, {}\n", workload.jobs.size(),
      policy.name(), room,
      result.nodes.empty() ? std::string() : fmt::format(" of {} nodes", result.nodes.size()),
      format_duration(result.makespan), format_duration(result.total_completion), of_jobs_done(counts),
      in_use);
  std::cout << counts_text(counts);
  if (knows_places(cluster)) print_locality(result);
  if (totals.maps) print_map_response(*totals.maps);
  print_promises(workload, result, cluster, totals.slots);
  if (totals.use) print_use(*totals.use, cluster);
  if (totals.energy != nullptr) print_energy(*totals.energy);
  if (!result.stopped) return;
  std::cout << fmt::format("PARTIAL: stopped at {} of simulated time\n",
                           format_duration(*result.stopped - Time{}));
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

int simulate_command(const Context& context, const Options& options) {
  if (!options.calibrate.empty())
    return simulate_calibrate(
        context, {options.calibrate, options.pool.file(), options.out, options.known_jobs, options.policy});
  if (options.workload.empty()) {
    throw UsageError("which workload?",
                     "name a file, or - for standard input (docs/formats/workload-file.md)");
  }
  if (options.engine != "fast" && options.engine != "reference") {
    throw UsageError("unknown engine '" + options.engine + "'", "one of: fast reference");
  }
  options.outputs.check({options.workload, options.plan});
  if (options.replications > 0 && (options.outputs.needs_trace() || options.engine != "fast")) {
    throw UsageError("--replications gives means over many runs, not what one run did",
                     "leave out --trace, --nodes, --intervals, --batsim-jobs, --report, --why and --engine");
  }
  const LengthSpread spread = options.spread.spread();
  const std::string spec = options.plan.empty() ? options.policy : policy_of_plan(options.plan);
  const Cluster cluster = options.pool.cluster_or_flat();
  const PolicyRegistry registry = options.libraries.registry();
  Policy policy = make_policy_on(spec, cluster, registry);
  if (options.replications > 0) {
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    return simulate_replications(
        context, options.workload, cluster,
        {spec, context.seed, options.replications, options.threads == 0 ? cores : options.threads, &registry},
        spread, options.listing);
  }
  const Workload workload = drawn_lengths(JobReader(context).read(options.workload), spread, context.seed);
  check_energy_classes(workload, cluster);
  options.outputs.check(workload);
  if (!options.plan.empty() && !holds_energy_plan(options.plan))
    check_plan_of_file(context, read_plan(options.plan), workload, cluster.total_slots(), options.plan);
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
    print_json(context, workload, result, policy, cluster, {use, maps, energy, slots}, spread,
               options.outputs);
    return finish(result);
  }
  print_jobs(workload, result, options.listing);
  print_summary(workload, result, policy, cluster, {use, maps, energy, slots});
  std::cout << spread_text(spread);
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
        if (name == "--policy" && !options->known_jobs.empty()) continue;
        throw UsageError(
            "--calibrate simulates nothing: " + name + " has no meaning with it",
            "give --cluster FILE.toml and, if you like, --out FILE; --policy goes with --known-jobs");
      }
    }
    context.run = [&context, options] { return simulate_command(context, *options); };
  });
}

}  // namespace wavewright::app
