// `wavewright simulate`: runs a workload under a policy.
#include <iostream>

#include "apps/context.h"
#include "apps/pool_options.h"
#include "apps/table.h"
#include "wavewright/core/error.h"
#include "wavewright/job/workload_file.h"
#include "wavewright/sched/plan_file.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/batsim_file.h"
#include "wavewright/sim/simulate.h"
#include "wavewright/sim/trace_file.h"

namespace wavewright::app {

namespace {

struct Options {
  std::string workload, policy = "fifo", plan, trace, batsim_jobs, engine = "fast";
  bool all_jobs = false;
  PoolOptions pool;
};

Json job_json(const Job& job, const JobOutcome& outcome) {
  Json row = {{"id", job.id}, {"submit_ms", to_ms(outcome.submit)}};
  if (outcome.rejected) {
    row["rejected"] = true;
    return row;
  }
  row["start_ms"] = to_ms(outcome.start);
  row["maps_done_ms"] = to_ms(outcome.maps_done);
  row["finish_ms"] = to_ms(outcome.finish);
  row["deadline_met"] = job.deadline ? Json(outcome.finish <= *job.deadline) : Json(nullptr);
  // A flat pool knows no places: these stay unknown, not zero.
  row["local"] = row["rack_local"] = row["off_rack"] = nullptr;
  return row;
}

void print_json(const Context& context, const Workload& workload, const SimulationResult& result,
                const std::string& policy, const PoolOptions::Pool& pool) {
  Json jobs = Json::array();
  for (std::size_t i = 0; i < workload.jobs.size(); ++i)
    jobs.push_back(job_json(workload.jobs[i], result.jobs[i]));
  context.print(
      {{"policy", policy},
       {"map_slots", pool.slots.map_slots},
       {"reduce_slots", pool.slots.reduce_slots},
       {"slowstart", pool.slowstart},
       {"makespan_ms", to_ms(result.makespan)},
       {"total_completion_ms", to_ms(result.total_completion)},
       {"jobs", std::move(jobs)},
       {"events", result.events},
       {"utilisation",
        {{"map", result.map_utilisation(pool.slots)}, {"reduce", result.reduce_utilisation(pool.slots)}}},
       {"engine_seconds", result.engine_seconds}});
}

void print_jobs(const Workload& workload, const SimulationResult& result, bool all) {
  constexpr std::size_t shown_at_most = 25;
  const bool deadlines = std::any_of(workload.jobs.begin(), workload.jobs.end(),
                                     [](const Job& job) { return job.deadline.has_value(); });
  Table table{{{"id", "job", false, true},
               {"name", "name", false, true},
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
    table.rows.push_back({job.id, job.name, instant(outcome.submit), instant(outcome.start),
                          instant(outcome.maps_done), instant(outcome.finish)});
    if (deadlines)
      table.rows.back().emplace_back(!job.deadline                     ? "-"
                                     : outcome.finish <= *job.deadline ? "met"
                                                                       : "missed");
  }
  write_table(std::cout, table);
  if (table.rows.size() < workload.jobs.size()) {
    std::cout << "… " << workload.jobs.size() - table.rows.size()
              << " more; --all-jobs or --json shows them\n";
  }
}

int simulate_command(const Context& context, const Options& options) {
  if (options.engine != "fast" && options.engine != "reference") {
    throw UsageError("unknown engine '" + options.engine + "'", "one of: fast reference");
  }
  const PoolOptions::Pool pool = options.pool.resolve();
  refuse_overwriting(options.trace, {options.workload, options.plan});
  refuse_overwriting(options.batsim_jobs, {options.workload, options.plan});
  if (!options.trace.empty() && options.trace == options.batsim_jobs) {
    throw UsageError("--trace and --batsim-jobs name one file", "give each its own");
  }
  const Workload workload = read_workload(
      options.workload, {context.seed, [&](const std::string& warning) { context.note(warning); }});
  const std::string spec = options.plan.empty() ? options.policy : "plan(" + options.plan + ")";
  if (!options.plan.empty()) check_plan(read_plan(options.plan), workload, pool.slots, options.plan);
  const auto policy = make_policy(spec);
  const SimulationOptions how{pool.slots, pool.slowstart, !(options.trace + options.batsim_jobs).empty()};
  const SimulationResult result = options.engine == "fast" ? simulate(workload, *policy, how)
                                                           : simulate_reference(workload, *policy, how);
  if (!options.trace.empty()) write_trace(options.trace, result, workload);
  if (!options.batsim_jobs.empty()) {
    write_batsim_jobs(options.batsim_jobs, result, workload, pool.slots,
                      std::filesystem::path(options.workload).stem().string());
  }
  if (context.json) {
    print_json(context, workload, result, policy->name(), pool);
    return 0;
  }
  print_jobs(workload, result, options.all_jobs);
  std::cout << fmt::format(
      "\n{} jobs under {} on {} map and {} reduce slots\n"
      "makespan {}, total completion {}, slots in use {:.1f} % (map) and {:.1f} % (reduce)\n",
      workload.jobs.size(), policy->name(), pool.slots.map_slots, pool.slots.reduce_slots,
      format_duration(result.makespan), format_duration(result.total_completion),
      100 * result.map_utilisation(pool.slots), 100 * result.reduce_utilisation(pool.slots));
  context.note(fmt::format("{} events in {:.3f} s ({:.3g} a second)", result.events, result.engine_seconds,
                           static_cast<double>(result.events) / std::max(result.engine_seconds, 1e-9)));
  return 0;
}

std::string policy_help() {
  std::string text = "policy:";
  for (const PolicyEntry& entry : policy_entries()) text += " " + entry.usage;
  return text;
}

}  // namespace

void add_simulate(CLI::App& root, Context& context) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = root.add_subcommand("simulate", "run a workload under a policy, task by task");
  command->footer(
      "Example: wavewright simulate night.jsonl --map-slots 40 --reduce-slots 20 --trace night.csv");
  command
      ->add_option("WORKLOAD", options->workload, "workload file (docs/workload-file.md); - = standard input")
      ->required();
  options->pool.declare(*command);
  auto* policy = command->add_option("--policy", options->policy, policy_help())->type_name("SPEC");
  command->add_option("--plan", options->plan, "execute this plan: short for --policy 'plan(FILE)'")
      ->type_name("FILE")
      ->excludes(policy);
  command->add_option("--trace", options->trace, "write every task to FILE.csv or FILE.jsonl")
      ->type_name("FILE");
  command
      ->add_option("--batsim-jobs", options->batsim_jobs,
                   "write every job to FILE as Batsim's _jobs.csv (docs/workload-file.md)")
      ->type_name("FILE");
  command->add_option("--engine", options->engine, "fast, or the slow reference that it is tested against")
      ->type_name("NAME");
  command->add_flag("--all-jobs", options->all_jobs, "list every job");
  command->callback([&context, options] {
    context.run = [&context, options] { return simulate_command(context, *options); };
  });
}

}  // namespace wavewright::app
