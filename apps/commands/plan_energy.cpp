#include "apps/commands/plan_energy.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <limits>

#include <fmt/format.h>

#include "apps/commands/energy_data.h"
#include "apps/commands/machines_view.h"
#include "apps/commands/plan_commands.h"
#include "apps/commands/profile_lengths.h"
#include "apps/made_at.h"
#include "apps/policies.h"
#include "apps/table.h"
#include "wavewright/cluster/power.h"
#include "wavewright/cluster/topology.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/spec.h"
#include "wavewright/energy/job_energy.h"
#include "wavewright/energy/plan/plan_energy.h"
#include "wavewright/report/documents/energy_document.h"
#include "wavewright/report/energy_report.h"
#include "wavewright/report/text.h"
#include "wavewright/sim/metrics/usage.h"

namespace wavewright::app {

namespace {

// With --method exact the search goes on until it is done.
constexpr std::uint64_t any_steps = std::numeric_limits<std::uint64_t>::max();

std::string energy_text(MicroJoules energy) {
  return report::energy_text(to_joules(energy));
}

std::string parts_text(const EnergyParts& parts) {
  std::string text = fmt::format("{} idle, {} work", energy_text(parts.idle), energy_text(parts.work));
  if (parts.off > 0) text += fmt::format(", {} off", energy_text(parts.off));
  if (parts.wake > 0) text += fmt::format(", {} wake-ups", energy_text(parts.wake));
  return text;
}

void print_rivals(const PlannedEnergy& planned) {
  Table table{{{"schedule", "schedule", false, true},
               {"energy_uj", "energy", true, false},
               {"idle_uj", "idle", true, false},
               {"work_uj", "work", true, false},
               {"makespan_ms", "makespan", true, false},
               {"tardy_jobs", "tardy jobs", true, false}},
              {}};
  const bool emits = planned.value.carbon_g.has_value();
  if (emits) table.columns.push_back({"carbon_g", "CO2 g", true, false});
  const auto name_of = [](const EnergyRival& rival) {
    return rival.policy + (rival.all_on ? ", all machines on" : "");
  };
  const auto add = [&](const std::string& name, const EnergyValue& value) {
    table.rows.push_back({Cell(name), Cell(energy_text(value.energy.total()), value.energy.total()),
                          Cell(energy_text(value.energy.idle), value.energy.idle),
                          Cell(energy_text(value.energy.work), value.energy.work),
                          Cell(format_duration(value.makespan), to_ms(value.makespan)),
                          Cell(fmt::format("{}", value.tardy), value.tardy)});
    if (emits) {
      const double grams = value.carbon_g.value_or(0);
      table.rows.back().emplace_back(report::decimal_text(grams), grams);
    }
  };
  add("this plan", planned.value);
  for (const EnergyRival& rival : planned.rivals) {
    if (rival.value) add(name_of(rival), *rival.value);
  }
  write_table(std::cout, table);
  for (const EnergyRival& rival : planned.rivals) {
    if (!rival.value)
      std::cout << fmt::format("{} cannot do the batch: {}\n", name_of(rival), harmless(rival.reason));
  }
  const bool all_on = std::any_of(planned.rivals.begin(), planned.rivals.end(),
                                  [](const EnergyRival& rival) { return rival.all_on && rival.value; });
  if (all_on) {
    std::cout << "Rows with all machines on are no candidates: machines for rent are on from the start, "
                 "without boot and wake-up.\n";
  }
}

// A long frontier is thinned to every n-th plan; both ends and this plan stay.
std::vector<const FrontierPlan*> shown_of(const PlannedEnergy& planned) {
  constexpr std::size_t most = 20;
  const std::vector<FrontierPlan>& all = planned.frontier;
  const std::size_t step = (all.size() + most - 1) / most;
  std::vector<const FrontierPlan*> shown;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i % step == 0 || i + 1 == all.size() || all[i].plan == planned.plan) shown.push_back(&all[i]);
  }
  return shown;
}

void print_frontier(const PlannedEnergy& planned, bool priced) {
  Table table{{{"schedule", "frontier", false, true},
               {"makespan_ms", "makespan", true, false},
               {"energy_uj", "energy", true, false}},
              {}};
  if (priced) table.columns.push_back({"cost_usd", "cost", true, false});
  const std::vector<const FrontierPlan*> shown = shown_of(planned);
  for (const FrontierPlan* const plan : shown) {
    const EnergyValue& value = plan->value;
    const std::string name = plan->plan == planned.plan ? "this plan" : plan->method;
    table.rows.push_back({Cell(name), Cell(format_duration(value.makespan), to_ms(value.makespan)),
                          Cell(energy_text(value.energy.total()), value.energy.total())});
    if (priced) table.rows.back().emplace_back(report::money_text(value.cost_usd), value.cost_usd);
  }
  std::cout << '\n';
  write_table(std::cout, table);
  if (shown.size() < planned.frontier.size()) {
    std::cout << fmt::format("… {} more between these; --json and --report show them\n",
                             planned.frontier.size() - shown.size());
  }
}

// The bound, or the proof that no schedule is better.
std::string bound_text(const PlannedEnergy& planned, bool limited_cost) {
  const std::optional<MicroJoules> floor = planned.floor();
  if (!floor) return "No schedule is in time.";
  if (planned.proved_optimal()) return "This plan is optimal: no schedule in time takes less.";
  std::string text = fmt::format("No schedule {}takes less than {}", planned.in_time() ? "" : "in time ",
                                 energy_text(*floor));
  if (const std::optional<double> gap = planned.gap())
    text += fmt::format("; this plan is at most {} above the best", report::percent_above_text(*gap));
  text += planned.exact ? " (exact search)." : ".";
  if (planned.misses_schedule_in_time()) {
    text += fmt::format("\nThe exact search found a schedule in time, but no plan in time was found{}.",
                        limited_cost ? " within the budget" : "");
  }
  return text;
}

// Why a batch of few tasks has no exact answer; none if it has one, or too many tasks.
std::optional<std::string> no_exact_reason(const PlannedEnergy& planned, const EnergyProblem& problem,
                                           const Stop& stop) {
  constexpr const char* none_in_time = "no schedule is in time";
  constexpr const char* remedy = "--method exact goes on until it is done";
  if (planned.exact || problem.batch->tasks() > most_exact_tasks) return std::nullopt;
  if (!planned.bound || planned.none_in_time) return none_in_time;
  if (stop.requested()) return "it was interrupted";
  if (stop.now()) return "the time limit ran out";
  if (problem.exact_steps == any_steps) return none_in_time;
  if (!planned.in_time())
    return fmt::format("no schedule in time was found in {} steps; {}", problem.exact_steps, remedy);
  return fmt::format("the search came to its limit of {} steps; {}", problem.exact_steps, remedy);
}

// How many jobs may start tasks on each class, and until when.
void print_classes(const EnergyPlan& plan, const Cluster& cluster) {
  for (const std::string& name : expand(cluster).classes) {
    std::size_t jobs = plan.order.size();
    std::optional<Time> latest;
    for (const PlannedStarts& starts : plan.starts) {
      const auto until = starts.maps.find(name);
      if (until == starts.maps.end()) continue;
      if (until->second == Time{}) --jobs;
      if (until->second != Time{}) latest = std::max(latest.value_or(Time{}), until->second);
    }
    std::string text =
        fmt::format("class {}: maps of {} of {} jobs", harmless(name), jobs, plan.order.size());
    if (latest) text += fmt::format(", some only until {}", format_duration(*latest - Time{}));
    const auto rented = std::find_if(plan.machines.begin(), plan.machines.end(),
                                     [&](const PlannedMachines& of) { return of.node_class == name; });
    if (rented != plan.machines.end()) {
      text += fmt::format(
          "; at most {} machines for rent on, idle ones {}", rented->most,
          rented->keep >= longest_duration ? "until the batch ends" : "for " + format_duration(rented->keep));
    }
    std::cout << text << '\n';
  }
}

// An efficiency or fitness above all numbers is `inf`.
Cell quotient_cell(const std::optional<double>& value) {
  return value ? Cell(fmt::format("{:.3f}", *value), *value) : Cell("inf", Json(nullptr));
}

// A map of each job on each class: what it takes, and how well the class suits the job. Then the best nodes,
// where blocks have places.
void print_map_energy(const std::vector<JobEnergy>& jobs, const Workload& batch) {
  Table classes{{{"job", "job", false, true},
                 {"class", "class", false, true},
                 {"mean_map_ms", "mean map", true, false},
                 {"map_j", "E_map J", true, false},
                 {"efficiency", "ef", true, false}},
                {}};
  Table nodes{{{"job", "job", false, true},
               {"node", "best nodes", false, true},
               {"class", "class", false, true},
               {"blocks", "blocks", true, false},
               {"overlap", "dop", true, false},
               {"fitness", "h", true, false}},
              {}};
  constexpr std::size_t most_rows = 30, most_nodes = 3;
  std::size_t shown = 0;
  for (; shown < jobs.size() && classes.rows.size() < most_rows; ++shown) {
    const JobEnergy& job = jobs[shown];
    const std::string& id = batch.jobs[job.job].id;
    for (const MapsOnClass& on : job.classes) {
      const auto length = static_cast<std::int64_t>(std::llround(on.mean_map_ms));
      Cell energy("-", Json(nullptr));
      if (on.map_j) energy = Cell(report::decimal_text(*on.map_j), *on.map_j);
      classes.rows.push_back({Cell(id), Cell(on.node_class),
                              Cell(format_duration(ms(length)), on.mean_map_ms), std::move(energy),
                              quotient_cell(on.efficiency)});
    }
    for (std::size_t i = 0; i < std::min(most_nodes, job.nodes.size()); ++i) {
      const NodeFitness& on = job.nodes[i];
      nodes.rows.push_back({Cell(id), Cell(on.node), Cell(on.node_class), count_cell(on.blocks),
                            Cell(fmt::format("{:.3f}", on.overlap), on.overlap), quotient_cell(on.fitness)});
    }
  }
  for (const Table* const table : {&classes, &nodes}) {
    if (table->rows.empty()) continue;
    std::cout << '\n';
    write_table(std::cout, *table);
  }
  if (shown < jobs.size())
    std::cout << fmt::format("… {} more jobs; --json shows them\n", jobs.size() - shown);
}

void print(const PlannedEnergy& planned, const EnergyProblem& problem, const std::vector<JobEnergy>& jobs,
           const std::optional<std::string>& no_exact) {
  print_rivals(planned);
  const EnergyValue& value = planned.value;
  std::cout << fmt::format("\nenergy {} by {}: {}\n", energy_text(value.energy.total()), planned.method,
                           parts_text(value.energy));
  if (value.carbon_g)
    std::cout << fmt::format("carbon dioxide {} g\n", report::decimal_text(*value.carbon_g));
  if (knows_prices(problem.cluster)) std::cout << "cost " << report::money_text(value.cost_usd) << '\n';
  std::cout << bound_text(planned, problem.most_cost.has_value()) << '\n';
  if (no_exact && planned.bound) std::cout << "No exact answer: " << *no_exact << ".\n";
  if (value.tardy > 0) {
    std::cout << fmt::format("{} {} tardy, by {} together\n", value.tardy,
                             value.tardy == 1 ? "job is" : "jobs are", format_duration(value.tardiness));
  }
  if (!planned.affordable)
    std::cout << fmt::format("No plan was found that costs at most {}.\n",
                             report::money_text(to_usd(*problem.most_cost)));
  if (planned.plan.policy.empty()) print_classes(planned.plan, problem.cluster);
  print_map_energy(jobs, *problem.batch);
  if (problem.frontier) print_frontier(planned, knows_prices(problem.cluster));
}

EnergyProblem problem_of(const Context& context, const PlanOptions& options, const Workload& batch,
                         const PolicyRegistry& registry) {
  EnergyProblem problem{&batch,
                        options.pool.cluster_or_flat(),
                        context.seed,
                        options.evaluations,
                        parse_task_order(options.task_order),
                        &registry};
  problem.choose_order = !options.task_order_given;
  if (!options.budget.empty()) problem.most_cost = parse_usd("--budget", options.budget);
  for (const std::string& states : options.states) problem.states.push_back(split_outside(states, ','));
  problem.frontier = options.frontier || !options.report.empty();
  if (options.method == "exact") {
    if (batch.tasks() > most_exact_tasks) {
      throw UsageError(fmt::format("--method exact takes at most {} tasks, and {} has {}", most_exact_tasks,
                                   options.workload, batch.tasks()),
                       "leave it out: the bound tells how far the plan is from the best at most");
    }
    problem.exact_steps = any_steps;
  }
  return problem;
}

// A plan would run all that it can where it seems to cost nothing.
void refuse_missing_powers(const Cluster& cluster) {
  const std::vector<std::string> without = classes_without_power(cluster);
  if (without.empty()) return;
  throw UsageError(
      fmt::format("the cluster file gives powers, but none for class '{}'", shortened(without.front())),
      fmt::format("give power_idle_w in [classes.{}] of the cluster file, 0 if jobs alone tell what it draws",
                  shortened(without.front())));
}

void write_page(const PlanOptions& options, const EnergyProblem& problem, const PlannedEnergy& planned) {
  if (options.report.empty()) return;
  EnergyReport page{.title = "Energy of " + std::filesystem::path(options.workload).stem().string(),
                    .generated = made_at(),
                    .priced = knows_prices(problem.cluster),
                    .budget_usd = std::nullopt,
                    .planned = planned};
  if (problem.most_cost) page.budget_usd = to_usd(*problem.most_cost);
  write_file(options.report, [&](std::ostream& out) { write_energy_report(out, page); });
}

}  // namespace

int plan_for_energy(const Context& context, const PlanOptions& options) {
  const std::optional<Duration> limit = time_limit_of(options);
  const Workload batch = read_batch(context, options);
  const PolicyRegistry registry = command_policies();
  const EnergyProblem problem = problem_of(context, options, batch, registry);
  check_energy_data(context, options.workload, batch, problem.cluster);
  note_unlike_rows(context, problem.cluster);
  refuse_missing_powers(problem.cluster);
  const auto began = Stop::Clock::now();
  const Stop stop(limit, &context.interrupted);
  PlannedEnergy planned = plan_energy(problem, stop);
  const std::optional<std::string> no_exact = no_exact_reason(planned, problem, stop);
  if (no_exact && planned.bound && stop.now()) planned.partial = true;  // the exact search was stopped
  const double seconds = std::chrono::duration<double>(Stop::Clock::now() - began).count();
  constexpr std::size_t most_nodes = 10;  // of a job, in the document
  const std::vector<JobEnergy> jobs = job_energies(batch, problem.cluster, context.seed, most_nodes);
  Json document = energy_plan_document(planned, problem, seconds);
  add_map_energy(document, jobs, batch);
  if (no_exact) document["no_exact_reason"] = *no_exact;
  const bool wanted = planned.in_time() && planned.affordable;
  if (!wanted) {
    document["answer"] = "no";
    document["reason"] = planned.affordable ? fmt::format("{} {} tardy", planned.value.tardy,
                                                          planned.value.tardy == 1 ? "job is" : "jobs are")
                                            : "no plan was found that keeps the budget";
  }
  if (!options.out.empty())
    write_file(options.out, [&](std::ostream& out) { out << document.dump(2) << '\n'; });
  write_page(options, problem, planned);
  const std::map<std::string, TrackRecord> records = records_of(context, batch);
  if (context.json) {
    add_records(document, records);
    context.print(document);
  } else {
    print(planned, problem, jobs, no_exact);
    show_records(records);
    if (!options.out.empty()) context.note("written to " + options.out);
    if (!options.report.empty()) context.note("written to " + options.report);
  }
  if (no_exact && options.method == "exact") context.note("no exact answer: " + *no_exact);
  if (planned.partial) context.note("stopped before it was done: the best so far");
  if (context.interrupted) return static_cast<int>(ExitStatus::interrupted);
  return static_cast<int>(wanted ? ExitStatus::done : ExitStatus::no);
}

}  // namespace wavewright::app
