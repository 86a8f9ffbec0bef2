#include "apps/commands/plan_options.h"

#include <charconv>

#include <fmt/format.h>

#include "apps/choices.h"
#include "apps/commands/plan_against.h"
#include "apps/commands/plan_robust.h"
#include "apps/settings/fill_options.h"
#include "apps/whole_number.h"
#include "wavewright/core/error.h"
#include "wavewright/core/when.h"
#include "wavewright/energy/plan/exact_energy.h"
#include "wavewright/plan/all_methods.h"
#include "wavewright/plan/analysis/risk.h"

namespace wavewright::app {

namespace {

bool is_clock(const std::string& text) {
  const std::size_t colon = text.find(':');
  return colon != std::string::npos && colon <= 2 && text.find('-') == std::string::npos;
}

std::optional<Count> whole(std::string_view text) {
  Count value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

SlotPool parse_ratio(const std::string& text) {
  constexpr Count most = 1000;
  const std::size_t colon = text.find(':');
  if (colon != std::string::npos) {
    const auto maps = whole(std::string_view(text).substr(0, colon));
    const auto reduces = whole(std::string_view(text).substr(colon + 1));
    if (maps && reduces && *maps >= 1 && *reduces >= 1 && *maps <= most && *reduces <= most)
      return {*maps, *reduces};
  }
  throw UsageError(fmt::format("'{}' is no ratio of map to reduce slots", text), "give one like 2:1");
}

WantedEnd wanted_end(const PlanOptions& options, const Workload& batch, Time now) {
  std::optional<Time> begins = batch.recorded_beginning();
  if (!options.begins.empty()) begins = parse_when(options.begins, now);
  if (!options.deadline.empty()) {
    const Duration deadline = parse_duration(options.deadline);
    if (deadline == Duration{}) throw UsageError("a deadline of 0", "give a time like 6h");
    return {deadline, begins};
  }
  if (!begins) begins = now;
  // The latest such clock time within a day is the first one after the beginning.
  const Time by = parse_when(options.by, is_clock(options.by) ? *begins + std::chrono::hours(24) : now);
  if (by <= *begins) {
    throw UsageError(
        fmt::format("--by {} is not after the batch begins ({})", options.by, format_instant(*begins)),
        "give a later time, or the beginning with --begins");
  }
  return {by - *begins, begins};
}

namespace {

void declare_energy(CLI::App& command, PlanOptions& options) {
  command.add_flag("--frontier", options.frontier,
                   "also show the plans that no other beats in makespan, energy and, with prices, cost");
  command.add_option("--budget", options.budget, "the most that the plan may cost, in USD; before deadlines")
      ->type_name("USD");
  command
      .add_option(
          "--states", options.states,
          "classes for rent that are states of the same machines, like slow,fast: each machine is on in "
          "one of them; may be repeated")
      ->type_name("CLASSES");
  command
      .add_option("--report", options.report,
                  "write a page with the frontier; for the objective cost that of cost and tardiness")
      ->type_name("FILE.html");
}

std::string method_help() {
  std::string text = "one method instead of the best of all:";
  for (const auto& method : planners())
    text += "\n  " + usage_of(method->name(), method->parameters()) + ": " + method->description();
  text += fmt::format(
      "\n  exact: only for the objective energy, and at most {} tasks: searches until the least energy is "
      "known",
      most_exact_tasks);
  return text;
}

void declare_answers(CLI::App& command, PlanOptions& options) {
  auto* plan =
      command.add_option("--plan", options.plan, "look at the plan of this file instead of making one");
  without_pool_settings(plan->type_name("FILE"));
  command.add_flag("--ids", options.ids, "jobs by id instead of name");
  auto* deadline = command.add_option("--deadline", options.deadline,
                                      "when all must be done, from the batch's beginning; slots that are not "
                                      "given are looked for: the fewest");
  without_pool_settings(deadline->type_name("TIME"));
  auto* by = command.add_option("--by", options.by, "the same as a clock time, like 06:00");
  without_pool_settings(by->excludes(deadline)->type_name("CLOCK"));
  command
      .add_option(
          "--begins", options.begins,
          "when the batch begins (default: when the first job of the recorded night was submitted, else "
          "now)")
      ->type_name("CLOCK");
  options.spread.declare(command, "how probable the deadline is, and which job is the largest risk");
  command
      .add_option("--samples", options.samples, "how often lengths are drawn (default 1000; 2 to 1,000,000)")
      ->each([&options](const std::string&) { options.samples_given = true; })
      ->check(whole_number(2, most_samples))
      ->type_name("N");
  auto* curve =
      command.add_option("--curve", options.curve,
                         "makespan over slots: slots=20..200, map-slots=… or reduce-slots=…, :STEP behind");
  without_pool_settings(curve->type_name("RANGE"));
  command
      .add_option("--ratio", options.ratio,
                  "map to reduce slots, like 2:1, for --curve slots=… and --deadline")
      ->type_name("M:R");
  auto* compare =
      command.add_option("--compare", options.compare,
                         "two plan files of the batch, job by job; their own slots unless others are given");
  without_pool_settings(compare->expected(2)->excludes(plan)->excludes(curve)->type_name("FILE FILE"));
  declare_against(command, options.against,
                  "show the plan beside these: methods, policies on the same slots (fair, capacity), and "
                  "measured, the runs of these jobs in the store; may be repeated");
}

}  // namespace

void declare_plan_options(CLI::App& command, PlanOptions& options) {
  command
      .add_option("WORKLOAD", options.workload,
                  "workload file (docs/formats/workload-file.md); - = standard input")
      ->required();
  options.pool.declare(command);
  std::vector<std::string> methods;
  methods.reserve(planners().size());
  for (const auto& method : planners()) methods.push_back(method->name());
  methods.emplace_back("exact");
  offer(command.add_option("--method", options.method, method_help())->type_name("NAME"), methods);
  auto* objective =
      command
          .add_option(
              "--objective", options.objective,
              "makespan (default), total-completion; energy, for a cluster file with powers; or, for jobs "
              "with deadlines, tardiness or the cost of rented machines")
          ->each([&options](const std::string&) { options.objective_given = true; })
          ->type_name("NAME");
  offer(objective, {"makespan", "total-completion", "tardiness", "cost", "energy"});
  auto* task_order =
      command
          .add_option("--task-order", options.task_order,
                      "which of a job's tasks start first: longest-first (default), or as-listed, in the "
                      "order of the workload file")
          ->each([&options](const std::string&) { options.task_order_given = true; })
          ->type_name("ORDER");
  offer(task_order, {"longest-first", "as-listed"});
  command
      .add_option("--within", options.within,
                  "of plans within this share of the best makespan, the one with the least total completion "
                  "time, and the reverse (default 0: of equal plans)")
      ->type_name("1%");
  command
      .add_option("--time-limit", options.time_limit,
                  "stop with the best plan by then; 0: the first method's")
      ->type_name("TIME");
  command
      .add_option("--evaluations", options.evaluations,
                  "schedules that a search may try (default: some seconds' worth); the plan depends on their "
                  "number, not on the time they take")
      ->check(whole_number(1, most_evaluations))
      ->type_name("N");
  command
      .add_option("--searches", options.searches,
                  "searches, each from a seed of its own: --seed and those after it; the best plan is kept")
      ->check(whole_number(1, most_searches))
      ->type_name("N");
  command.add_option("--out", options.out, "write the plan (docs/formats/plan-file.md) for simulate --plan")
      ->type_name("FILE");
  const auto headed = [&](const char* heading, const std::vector<const char*>& names) {
    for (const char* const name : names) command.get_option(name)->group(heading);
  };
  declare_answers(command, options);
  declare_robust(command, options);
  declare_users(command, options);
  declare_energy(command, options);
  options.engine.declare(command);
  headed("A deadline, and how sure it is",
         {"--deadline", "--by", "--begins", "--spread", "--job-spread", "--samples"});
  headed("More or fewer slots, other plans", {"--curve", "--ratio", "--plan", "--compare", "--against"});
  headed("For the objective energy", {"--frontier", "--budget", "--states", "--report"});
  headed("Plans for lengths that vary, and for several users", {"--robust", "--fair", "--user-weights"});
}

}  // namespace wavewright::app
