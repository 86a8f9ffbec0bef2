#include "apps/commands/plan_energy.h"

#include <algorithm>
#include <iostream>

#include <fmt/format.h>

#include "apps/commands/plan_commands.h"
#include "apps/policies.h"
#include "apps/table.h"
#include "wavewright/cluster/topology.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/energy/plan/plan_energy.h"
#include "wavewright/report/documents/energy_document.h"
#include "wavewright/report/text.h"
#include "wavewright/sim/metrics/usage.h"

namespace wavewright::app {

namespace {

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
  const auto add = [&](const std::string& name, const EnergyValue& value) {
    table.rows.push_back({Cell(name), Cell(energy_text(value.energy.total()), value.energy.total()),
                          Cell(energy_text(value.energy.idle), value.energy.idle),
                          Cell(energy_text(value.energy.work), value.energy.work),
                          Cell(format_duration(value.makespan), to_ms(value.makespan)),
                          Cell(fmt::format("{}", value.tardy), value.tardy)});
  };
  add("this plan", planned.value);
  for (const EnergyRival& rival : planned.rivals) {
    if (rival.value) add(rival.policy + (rival.all_on ? ", all machines on" : ""), *rival.value);
  }
  write_table(std::cout, table);
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
      text += fmt::format("; at most {} machines for rent on, idle ones for {}", rented->most,
                          format_duration(rented->keep));
    }
    std::cout << text << '\n';
  }
}

void print(const PlannedEnergy& planned, const EnergyProblem& problem) {
  print_rivals(planned);
  const EnergyValue& value = planned.value;
  std::cout << fmt::format("\nenergy {} by {}: {}\n", energy_text(value.energy.total()), planned.method,
                           parts_text(value.energy));
  if (knows_prices(problem.cluster)) std::cout << "cost " << report::money_text(value.cost_usd) << '\n';
  if (!planned.bound) {
    std::cout << "No schedule is in time.\n";
  } else {
    std::string text = fmt::format("No schedule {}takes less than {}", planned.in_time() ? "" : "in time ",
                                   energy_text(planned.bound->energy));
    constexpr double per_cent = 100;
    if (const std::optional<double> gap = planned.gap())
      text += fmt::format("; this plan is at most {:.1f} % above the best", per_cent * *gap);
    std::cout << text << ".\n";
  }
  if (value.tardy > 0) {
    std::cout << fmt::format("{} jobs are tardy, by {} together\n", value.tardy,
                             format_duration(value.tardiness));
  }
  if (planned.plan.policy.empty()) print_classes(planned.plan, problem.cluster);
}

}  // namespace

int plan_for_energy(const Context& context, const PlanOptions& options) {
  const TaskOrder task_order = parse_task_order(options.task_order);
  const std::optional<Duration> limit = time_limit_of(options);
  const Workload batch = read_batch(context, options);
  const PolicyRegistry registry = command_policies();
  const EnergyProblem problem{
      &batch, options.pool.cluster_or_flat(), context.seed, options.evaluations, task_order, &registry};
  const auto began = Stop::Clock::now();
  const PlannedEnergy planned = plan_energy(problem, Stop(limit, &context.interrupted));
  const double seconds = std::chrono::duration<double>(Stop::Clock::now() - began).count();
  const Json document = energy_plan_document(planned, problem, seconds);
  if (!options.out.empty())
    write_file(options.out, [&](std::ostream& out) { out << document.dump(2) << '\n'; });
  if (context.json) {
    context.print(document);
  } else {
    print(planned, problem);
    if (!options.out.empty()) context.note("written to " + options.out);
  }
  if (planned.partial) context.note("stopped before it was done: the best so far");
  if (context.interrupted) return static_cast<int>(ExitStatus::interrupted);
  return static_cast<int>(planned.in_time() ? ExitStatus::done : ExitStatus::no);
}

}  // namespace wavewright::app
