// `wavewright rent plan FILE`: who gets how many machines when, by one policy or by all.
#include <algorithm>
#include <cmath>
#include <iostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/choices.h"
#include "apps/commands/profile_lengths.h"
#include "apps/commands/rent_commands.h"
#include "apps/commands/rent_options.h"
#include "apps/progress.h"
#include "apps/table.h"
#include "wavewright/core/time.h"
#include "wavewright/rent/policies.h"

namespace wavewright::app {

namespace {

struct PlanOptions : RentOptions {
  std::string policy = "all";
};

struct Planned {
  const RentPolicy* policy = nullptr;
  RentPlan plan;
};

std::string seconds_text(double seconds) {
  return format_duration(ms(std::llround(1000 * seconds)));
}

Json to_json(const RentProblem& problem, const RentPlan& plan) {
  Json groups = Json::array();
  for (const RentedJob& job : plan.jobs) {
    while (groups.size() <= job.group) groups.push_back(Json::array());
    groups[job.group].push_back({{"job", problem.jobs[job.job].id},
                                 {"machines", job.machines},
                                 {"start_s", job.start},
                                 {"finish_s", job.finish}});
  }
  return groups;
}

Json to_json(const RentProblem& problem, const Planned& planned, bool with_groups) {
  const RentPlan& plan = planned.plan;
  Json json = {{"policy", planned.policy->name},
               {"rent", plan.rent},
               {"average_time_s", plan.average_time()},
               {"machine_time_s", plan.machine_time},
               {"makespan_s", plan.makespan},
               {"cost", plan.cost},
               {"utility", plan.utility},
               {"group_count", plan.groups.size()}};
  if (with_groups) json["groups"] = to_json(problem, plan);
  return json;
}

void show_groups(const RentProblem& problem, const Planned& planned) {
  const RentPlan& plan = planned.plan;
  std::cout << fmt::format("\n{}: {}\n\n", planned.policy->name, planned.policy->description);
  Table table{{{"group", "group", true, false},
               {"jobs", "jobs", false, true},
               {"machines", "machines", true, false},
               {"start", "start", true, false},
               {"end", "end", true, false},
               {"why", "why", false, true}},
              {}};
  auto job = plan.jobs.begin();
  std::size_t later = plan.jobs.size();
  for (std::size_t g = 0; g < plan.groups.size(); ++g) {
    std::vector<std::string> names;
    std::vector<Count> machines;
    const double start = job->start;
    double end = start;
    for (; job != plan.jobs.end() && job->group == g; ++job) {
      names.push_back(problem.jobs[job->job].id);
      machines.push_back(job->machines);
      end = std::max(end, job->finish);
    }
    later -= names.size();
    const auto [least, most] = std::ranges::minmax(machines);
    const std::string each =
        least == most ? fmt::format("{} each", most) : fmt::format("{} to {}", least, most);
    table.rows.push_back({count_cell(static_cast<Count>(g) + 1), fmt::format("{}", fmt::join(names, " ")),
                          each, seconds_text(start), seconds_text(end),
                          fmt::format("{} wait {}", later, seconds_text(end - start))});
  }
  write_table(std::cout, table);
}

void show(const RentProblem& problem, const PlanOptions& options, const std::vector<Planned>& all,
          const Planned& best) {
  std::cout << fmt::format("{} jobs on {} machines, S = {}, {:g} a machine-hour, {:g} an hour of delay\n\n",
                           problem.jobs.size(), options.machines, to_text(options.curve()), options.price,
                           options.delay);
  Table table{{{"policy", "policy", false, false},
               {"average_time", "avg time", true, false},
               {"rent", "rent", true, false},
               {"cost", "cost", true, false},
               {"above", "above", true, false},
               {"utility", "utility", true, false, true},
               {"group_count", "groups", true, false},
               {"description", "", false, true, true}},
              {}};
  for (const Planned& each : all) {
    const double above = best.plan.cost > 0 ? 100 * (each.plan.cost / best.plan.cost - 1) : 0;
    table.rows.push_back({each.policy->name, seconds_text(each.plan.average_time()),
                          fmt::format("{:.4f}", each.plan.rent), fmt::format("{:.4f}", each.plan.cost),
                          &each == &best ? std::string("best") : fmt::format("{:.2f} %", above),
                          fmt::format("{:.4f}", each.plan.utility),
                          count_cell(static_cast<Count>(each.plan.groups.size())), each.policy->description});
  }
  write_table(std::cout, table);
  show_groups(problem, best);
}

int run_plan(const PlanOptions& options, const Context& context) {
  if (options.policy != "all") (void)find_rent_policy(options.policy);
  std::set<std::string> profiles;
  const RentProblem problem = options.problem(context, profiles);
  std::vector<Planned> all;
  {
    Progress progress(context);
    for (const RentPolicy& policy : rent_policies()) {
      if (options.policy != "all" && options.policy != policy.name) continue;
      progress.show(policy.name);
      all.push_back({&policy, policy.plan(problem)});
    }
  }
  // Of nearly equal ones the simplest, which is named first.
  const double least =
      std::ranges::min_element(all, {}, [](const Planned& each) { return each.plan.cost; })->plan.cost;
  const auto best =
      std::ranges::find_if(all, [&](const Planned& each) { return each.plan.cost <= least * (1 + 1e-12); });
  const std::map<std::string, TrackRecord> records = records_of(context, profiles);
  if (!context.json) {
    show(problem, options, all, *best);
    show_records(records);
    return 0;
  }
  Json json = rent_options_document(options);
  json["jobs"] = problem.jobs.size();
  json["best"] = best->policy->name;
  json["policies"] = Json::array();
  for (const Planned& each : all) json["policies"].push_back(to_json(problem, each, &each == &*best));
  add_records(json, records);
  context.print(json);
  return 0;
}

}  // namespace

void add_rent_plan(CLI::App& rent, Context& context) {
  CLI::App* command =
      rent.add_subcommand("plan", "Compare policies that share out machines, and show the best plan");
  command->footer(
      "Example: wavewright rent plan examples/rent/jobs.csv --machines 16 --speedup 'alpha(0.95)' --price "
      "0.2 --delay 1");
  const auto options = std::make_shared<PlanOptions>();
  options->declare(*command);
  std::vector<std::string> words = {"all"};
  for (const RentPolicy& policy : rent_policies()) words.push_back(policy.name);
  offer(command->add_option("--policy", options->policy, "one policy instead of all")->type_name("POLICY"),
        words);
  command->callback(
      [options, &context] { context.run = [options, &context] { return run_plan(*options, context); }; });
}

}  // namespace wavewright::app
