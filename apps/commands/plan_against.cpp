#include "apps/commands/plan_against.h"

#include <algorithm>
#include <iostream>
#include <iterator>

#include <fmt/format.h>

#include "apps/choices.h"
#include "apps/open_store.h"
#include "apps/policies.h"
#include "apps/table.h"
#include "wavewright/core/apart.h"
#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/core/spec.h"
#include "wavewright/plan/evaluate.h"
#include "wavewright/report/measured.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright::app {

namespace {

constexpr const char* measured_name = "measured";

std::vector<std::string> planner_names() {
  std::vector<std::string> names;
  names.reserve(planners().size());
  for (const auto& each : planners()) names.push_back(each->name());
  return names;
}

// Methods of plans, policies that decide from slots alone, and what was measured.
std::vector<std::string> schedule_names() {
  std::vector<std::string> names = planner_names();
  const PolicyRegistry registry = command_policies();
  for (const PolicyEntry& entry : registry.entries()) {
    if (entry.allocator && entry.name != "plan") names.push_back(entry.name);
  }
  names.emplace_back(measured_name);
  return names;
}

std::string name_in(const std::string& text) {
  return parse_spec(split_outside(text, '+').front()).name;
}

bool is_planner(const std::string& text) {
  const std::vector<std::string> names = planner_names();
  return std::find(names.begin(), names.end(), name_in(text)) != names.end();
}

// Nothing and the reason if the store lacks a run; without a store, a reason only if there `must` be one.
std::optional<ReportSchedule> stored_schedule(const Context& context, const Workload& batch, bool must,
                                              std::string& why) {
  std::vector<JobRun> runs;
  try {
    const Store store = open_store(context);
    for (const Job& job : batch.jobs) {
      RunFilter filter;
      filter.id = job.id;
      const std::size_t before = runs.size();
      store.each_run(filter, [&](JobRun&& run) {
        if (runs.size() == before && run.id == job.id) runs.push_back(std::move(run));
      });
      if (runs.size() == before) {
        why = fmt::format("the store has no run of job {}", job.id);
        return std::nullopt;
      }
    }
  } catch (const ExternalError& error) {
    if (context.store_by_flag) throw;
    if (must) why = error.what();
    return std::nullopt;
  }
  std::optional<ReportSchedule> schedule = measured_schedule(runs);
  if (!schedule) why = "a stored run of the batch has no submission or no end";
  return schedule;
}

ReportSchedule schedule_by(const std::string& name, const PlanningProblem& problem,
                           const std::optional<Cluster>& file, const Stop& stop) {
  ReportSchedule schedule;
  schedule.label = schedule_label(name);
  if (is_planner(name)) {
    schedule.result = simulate_plan(plan_by(name, problem, stop), *problem.batch, problem.cluster, true);
    return schedule;
  }
  if (split_outside(name, '+').size() > 1)
    throw UsageError(fmt::format("'{}' chooses among nodes, which a flat pool has not", name),
                     "leave out what follows the +");
  const Policy policy =
      make_policy_on(name, file ? *file : flat_cluster(problem.cluster.pool), command_policies());
  SimulationOptions options;
  options.pool = problem.cluster.pool;
  options.slowstart = problem.cluster.slowstart;
  options.trace = true;
  schedule.result = simulate(*problem.batch, *policy.allocator, options);
  return schedule;
}

std::string against_change(Duration plan, Duration other) {
  if (other <= Duration{}) return "";
  const double share = static_cast<double>((plan - other).count()) / static_cast<double>(other.count());
  return fmt::format("{:+.1f} %", 100 * share);
}

}  // namespace

CLI::Option* declare_against(CLI::App& command, std::vector<std::string>& names, const std::string& help) {
  auto* option = command.add_option("--against", names, help)
                     ->expected(1)
                     ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
                     ->type_name("NAME,…");
  offer(option, schedule_names());
  return option;
}

std::vector<std::string> against_names(const std::vector<std::string>& given) {
  std::vector<std::string> names;
  const std::vector<std::string> known = given.empty() ? std::vector<std::string>() : schedule_names();
  for (const std::string& text : given) {
    for (std::string& name : split_outside(text, ',')) {
      if (name.empty()) continue;
      if (std::find(known.begin(), known.end(), name_in(name)) == known.end())
        throw UsageError(fmt::format("--against has no '{}'", shortened(name)),
                         suggestion(name_in(name), known));
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
    }
  }
  return names;
}

std::vector<ReportSchedule> schedules_against(const Context& context, const std::vector<std::string>& names,
                                              bool must, const PlanningProblem& problem,
                                              const std::optional<Cluster>& file, const Stop& stop) {
  std::vector<ReportSchedule> schedules;
  for (const std::string& name : names) {
    if (name != measured_name) {
      schedules.push_back(schedule_by(name, problem, file, stop));
      continue;
    }
    std::string why;
    if (std::optional<ReportSchedule> measured = stored_schedule(context, *problem.batch, must, why)) {
      schedules.push_back(*std::move(measured));
    } else if (must) {
      throw Infeasible("nothing was measured of this batch: " + why,
                       "make the batch with 'wavewright workload from-history', or leave out measured");
    } else if (!why.empty()) {
      context.note("what was measured is not shown: " + why);
    }
  }
  return schedules;
}

std::string schedule_label(const std::string& name) {
  if (name == "submission") return "submission order";
  if (name == "johnson") return "Johnson's order";
  if (name == "reverse-johnson") return "the reverse of Johnson's order";
  if (name == "spt") return "shortest jobs first";
  if (name == "random") return "random order";
  if (name == "fifo") return "FIFO";
  if (name == "fair") return "Fair";
  if (name == "capacity") return "Capacity";
  if (name.empty() || name == "best") return "the plan";
  return name;
}

void print_against(const Plan& plan, const std::vector<ReportSchedule>& others) {
  if (others.empty()) return;
  std::vector<Duration> makespans = {plan.makespan}, totals = {plan.total_completion};
  for (const ReportSchedule& other : others) {
    makespans.push_back(other.result.makespan);
    totals.push_back(other.result.total_completion);
  }
  const std::vector<std::string> ends = format_apart(makespans), sums = format_apart(totals);
  Table table{{{"schedule", "schedule", false, false},
               {"makespan_ms", "makespan", true, false},
               {"total_completion_ms", "total completion", true, false},
               {"change", "the plan against it", true, false}},
              {}};
  table.rows.push_back({std::string("this plan"), ends[0], sums[0], std::string()});
  for (std::size_t i = 0; i < others.size(); ++i)
    table.rows.push_back({others[i].label, ends[i + 1], sums[i + 1],
                          others[i].pool ? std::string()  // on other slots
                                         : against_change(plan.makespan, others[i].result.makespan)});
  std::cout << "\nbeside other schedules of the batch:\n";
  write_table(std::cout, table);
  if (plan.task_order == TaskOrder::longest_first)
    std::cout << "this plan starts the longest task of a job first, the others start tasks as listed\n";
  for (const ReportSchedule& other : others) {
    if (!other.note.empty()) std::cout << fmt::format("{}: {}\n", other.label, other.note);
  }
}

Json against_json(const std::vector<std::string>& names, const std::vector<ReportSchedule>& others) {
  Json list = Json::array();
  for (std::size_t i = 0; i < others.size() && i < names.size(); ++i)
    list.push_back({{"schedule", names[i]},
                    {"makespan_ms", to_ms(others[i].result.makespan)},
                    {"total_completion_ms", to_ms(others[i].result.total_completion)}});
  return list;
}

}  // namespace wavewright::app
