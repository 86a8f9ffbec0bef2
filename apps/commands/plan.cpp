// `wavewright plan`: the order and pools of a batch, and how far they are from the best possible.
#include <iostream>
#include <tuple>

#include "apps/context.h"
#include "apps/pool_options.h"
#include "apps/progress.h"
#include "apps/table.h"
#include "wavewright/core/error.h"
#include "wavewright/job/workload_file.h"
#include "wavewright/plan/bounds/lower_bound.h"
#include "wavewright/plan/planner.h"
#include "wavewright/sched/plan_file.h"

namespace wavewright::app {

namespace {

constexpr std::uint64_t most_evaluations = 1'000'000'000'000;

struct Options {
  std::string workload, method, objective = "makespan", time_limit, out;
  std::uint64_t evaluations = 0;
  PoolOptions pool;
};

std::string gap_text(const Plan& plan) {
  return plan.proved_optimal ? "optimal" : fmt::format("{:.1f} %", 100 * plan.gap());
}

void print_methods(const std::vector<Plan>& plans, const Plan& best) {
  Table table{{{"method", "method", false, false},
               {"makespan_ms", "makespan", true, false},
               {"total_completion_ms", "total completion", true, false},
               {"gap", "above bound", true, false},
               {"pools", "pools", true, false},
               {"seconds", "time", true, false}},
              {}};
  for (const Plan& plan : plans) {
    table.rows.push_back({(plan.method == best.method ? "* " : "  ") + plan.method,
                          format_duration(plan.makespan), format_duration(plan.total_completion),
                          gap_text(plan), std::to_string(plan.pools.size()),
                          fmt::format("{:.2f}s", plan.seconds)});
  }
  write_table(std::cout, table);
}

// Ids in lines of at most 96 characters, indented.
std::string listing(const std::vector<std::string>& ids) {
  constexpr std::size_t shown_at_most = 30, width = 96;
  std::string text;
  std::size_t column = width;
  for (std::size_t i = 0; i < ids.size() && i < shown_at_most; ++i) {
    if (column + ids[i].size() + 2 > width) {
      text += "\n   ";
      column = 3;
    }
    text += " " + ids[i];
    column += ids[i].size() + 1;
  }
  if (ids.size() > shown_at_most)
    text += fmt::format("\n    … {} more; --json or --out lists them", ids.size() - shown_at_most);
  return text;
}

void print_plan(const Plan& plan) {
  std::cout << fmt::format("\n{}: makespan {}, total completion {}\n", plan.method,
                           format_duration(plan.makespan), format_duration(plan.total_completion));
  std::cout << fmt::format("no plan for this {} is below {}: {}\n",
                           plan.objective == Objective::makespan ? "makespan" : "total completion",
                           format_duration(plan.lower_bound),
                           plan.proved_optimal ? "this one is optimal"
                                               : "this one is at most " + gap_text(plan) + " above the best");
  if (plan.best_single_order && !plan.proved_optimal)
    std::cout << "no single order for maps and reduces is better\n";
  for (const PlanPool& pool : plan.pools) {
    std::cout << fmt::format("  {} map + {} reduce slots, {}first served first:{}\n", pool.slots.map_slots,
                             pool.slots.reduce_slots, plan.reduce_order.empty() ? "" : "maps of the ",
                             listing(pool.jobs));
  }
  if (!plan.reduce_order.empty())
    std::cout << fmt::format("  reduces in an order of their own:{}\n", listing(plan.reduce_order));
}

// The method asked for, or every one: `best` last, with what the others have found and the time they have
// left, of which none of them takes more than a tenth. At least one.
std::vector<Plan> make_plans(const Context& context, const Options& options, PlanningProblem problem,
                             std::optional<Duration> limit) {
  const auto until = [&](std::optional<Duration> time) {
    return Stop(time ? std::optional<std::chrono::nanoseconds>(*time) : std::nullopt, &context.interrupted);
  };
  const Stop stop = until(limit);
  std::vector<Plan> plans;
  if (!options.method.empty()) {
    plans.push_back(plan_by(options.method, problem, stop));
    return plans;
  }
  Progress progress(context);
  for (const auto& method : planners()) {
    if (!method->refuses(problem).empty()) continue;
    if (!plans.empty() && stop.now()) {
      plans.back().partial = true;  // the methods behind it were not tried
      break;
    }
    progress.show("planning: " + method->name());
    problem.known = plans;
    const bool last = method == planners().back();
    plans.push_back(method->plan(problem, last || !limit ? stop : until(*limit / 10)));
  }
  return plans;
}

Json to_json(const Plan& best, const std::vector<Plan>& plans) {
  Json document = plan_to_json(best);
  if (plans.size() < 2) return document;
  Json compared = Json::array();
  for (const Plan& plan : plans) {
    compared.push_back({{"method", plan.method},
                        {"makespan_ms", to_ms(plan.makespan)},
                        {"total_completion_ms", to_ms(plan.total_completion)},
                        {"gap", plan.gap()},
                        {"seconds", plan.seconds}});
  }
  document["compared"] = std::move(compared);
  return document;
}

int plan_command(Context& context, const Options& options) {
  context.ends_itself = true;
  const PoolOptions::Pool pool = options.pool.resolve();
  refuse_overwriting(options.out, {options.workload});
  const Objective objective = parse_objective(options.objective);
  if (!options.method.empty()) (void)planner(options.method);  // a wrong name is told before the work
  std::optional<Duration> limit;
  if (!options.time_limit.empty()) limit = parse_duration(options.time_limit);
  const Workload batch = read_workload(
      options.workload, {context.seed, [&](const std::string& warning) { context.note(warning); }});
  PlanningProblem problem{batch, pool.slots, objective, pool.slowstart, context.seed};
  problem.lower_bound = lower_bound(batch, pool.slots, objective);
  problem.evaluations = options.evaluations;
  if (limit && options.evaluations == 0)
    problem.evaluations = most_evaluations;  // as many as there is time for
  const std::vector<Plan> plans = make_plans(context, options, problem, limit);
  Plan best = *std::min_element(plans.begin(), plans.end(), [](const Plan& a, const Plan& b) {
    return std::tuple(a.value(), !a.proved_optimal, !a.best_single_order) <
           std::tuple(b.value(), !b.proved_optimal, !b.best_single_order);
  });
  best.partial = std::any_of(plans.begin(), plans.end(), [](const Plan& plan) { return plan.partial; });
  if (best.partial) context.note("stopped before every schedule was tried: the best so far");
  if (!options.out.empty()) write_plan(options.out, best);
  if (context.json) {
    context.print(to_json(best, plans));
  } else {
    if (plans.size() > 1) print_methods(plans, best);
    print_plan(best);
    if (!options.out.empty()) context.note("written to " + options.out);
  }
  return static_cast<int>(context.interrupted ? ExitStatus::interrupted : ExitStatus::done);
}

std::string method_help() {
  std::string text = "one method instead of the best of all:";
  for (const auto& method : planners()) text += "\n  " + method->name() + ": " + method->description();
  return text;
}

}  // namespace

void add_plan(CLI::App& root, Context& context) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      root.add_subcommand("plan", "the order and pools of a batch, with a proof of how good they are");
  command->footer(
      "Example: wavewright plan night.jsonl --map-slots 40 --reduce-slots 20 --out night.plan.json");
  command
      ->add_option("WORKLOAD", options->workload, "workload file (docs/workload-file.md); - = standard input")
      ->required();
  options->pool.declare(*command);
  command->add_option("--method", options->method, method_help())->type_name("NAME");
  command->add_option("--objective", options->objective, "makespan or total-completion")->type_name("NAME");
  command->add_option("--time-limit", options->time_limit, "stop with the best plan so far")
      ->type_name("TIME");
  command
      ->add_option(
          "--evaluations", options->evaluations,
          "schedules that a search may try (default: some seconds' worth); the plan depends on their "
          "number, not on the time they take")
      ->check(CLI::Range(std::uint64_t{1}, most_evaluations))
      ->type_name("N");
  command->add_option("--out", options->out, "write the plan (docs/plan-file.md) for simulate --plan")
      ->type_name("FILE");
  command->callback(
      [&context, options] { context.run = [&context, options] { return plan_command(context, *options); }; });
}

}  // namespace wavewright::app
