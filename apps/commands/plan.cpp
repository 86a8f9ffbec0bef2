// `wavewright plan`: the order and pools of a batch, and their gap to the best possible.
#include <algorithm>

#include "apps/choices.h"
#include "apps/commands/job_reader.h"
#include "apps/commands/plan_against.h"
#include "apps/commands/plan_answers.h"
#include "apps/commands/plan_commands.h"
#include "apps/commands/plan_due.h"
#include "apps/commands/plan_robust.h"
#include "apps/commands/plan_search.h"
#include "apps/context.h"
#include "apps/engine/plan_units.h"
#include "apps/progress.h"
#include "apps/settings/fill_options.h"
#include "apps/whole_number.h"
#include "wavewright/core/error.h"
#include "wavewright/core/when.h"
#include "wavewright/energy/plan/exact_energy.h"
#include "wavewright/job/workload_file.h"
#include "wavewright/plan/all_methods.h"
#include "wavewright/plan/bounds/lower_bound.h"
#include "wavewright/plan/evaluate.h"
#include "wavewright/plan/planner.h"
#include "wavewright/report/documents/plan_document.h"
#include "wavewright/sched/plan_check.h"
#include "wavewright/sched/plan_file.h"

namespace wavewright::app {

namespace {

// The plan of a file, with its values.
Plan given_plan(const Context& context, const PlanOptions& options, const Plan& read,
                const PlanningProblem& problem) {
  Plan plan = read;
  check_plan_of_file(context, plan, *problem.batch, problem.cluster.pool, options.plan);
  plan.objective = problem.objective;
  if (plan.pools.empty()) plan.pools = {{problem.cluster.pool, plan.order}};
  value_plan(plan, problem);
  return plan;
}

// The best plan of each search.
std::vector<Plan> many_searches(const Context& context, const PlanOptions& options,
                                const PlanSearch& search) {
  if (options.engine.on_yarn())
    return plans_on_yarn(context, options.engine, search, context.seed, options.searches);
  Progress progress(context);
  return plans_of_seeds(search, context.seed, options.searches,
                        {&context.interrupted, [&](const std::string& text) { progress.show(text); }});
}

// From --objective or the plan's file; a deadline concerns the makespan.
Objective objective_of(const PlanOptions& options, const std::optional<Plan>& read) {
  if (read && !options.objective_given && !options.has_deadline()) return read->objective;
  return parse_objective(options.objective_meant());
}

int one_plan(const Context& context, const PlanOptions& options) {
  std::optional<Plan> read;
  if (!options.plan.empty()) read = read_plan(options.plan);
  const SlotCluster cluster = options.pool.resolve(read ? pool_of(*read) : std::nullopt);
  const Objective objective = objective_of(options, read);
  if (!options.method.empty()) (void)planner(options.method);  // a wrong name fails before the work
  const std::vector<std::string> names = against_names(options.against);
  const std::optional<Duration> limit = time_limit_of(options);
  const TaskOrder task_order = read ? read->task_order : parse_task_order(options.task_order);
  const std::shared_ptr<const Workload> listed = shared(read_batch(context, options));
  const Workload& batch = *listed;
  std::optional<WantedEnd> end;
  if (options.has_deadline()) end = wanted_end(options, batch, now_instant());
  PlanSearch search{listed, cluster, objective, options.method};
  search.within = parse_share(options.within, "--within");
  search.evaluations = options.evaluations;
  search.task_order = task_order;
  search.choose_order = !read && !options.task_order_given;
  search.limit = limit;
  search.for_methods = options.time_for_methods(limit);
  const PlanningProblem problem = problem_of(search, context.seed);
  const PlanningProblem as_listed = listed_problem_of(search, problem);
  std::vector<Plan> plans;
  if (options.searches > 1 || options.engine.on_yarn()) {
    plans = many_searches(context, options, search);
  } else {
    Progress progress(context);
    plans = searched_plans(
        search, problem,
        {&context.interrupted, [&](const std::string& method) { progress.show("planning: " + method); }},
        read ? std::optional(given_plan(context, options, *read, problem)) : std::nullopt);
  }
  Plan best = best_plan(plans, problem.within);
  if (!options.robust.empty()) return robust_plan(context, options, problem, plans);
  if (options.for_users()) return plan_for_users(context, options, problem, plans);
  const bool cut = std::any_of(plans.begin(), plans.end(), [](const Plan& plan) { return plan.partial; });
  best.partial =
      cut && (!best.proved_optimal || context.interrupted);  // nothing is better than an optimal one
  if (best.partial) context.note("stopped before every schedule was tried: the best so far");
  const PlanAnswers answers = answer_plan(context, options, end, best, as_listed);
  const PlanningProblem beside{listed, cluster, objective, context.seed};
  const std::vector<ReportSchedule> others =
      schedules_against(context, names, true, beside, names.empty() ? std::nullopt : options.pool.cluster(),
                        Stop(limit, &context.interrupted));
  Json document = plan_document(best, answers, batch);
  if (!options.out.empty()) write_plan_document(options.out, document);
  if (context.json) {
    add_compared(document, plans);
    if (!others.empty()) document["against"] = against_json(names, others);
    context.print(document);
  } else {
    if (options.searches > 1) {
      std::cout << fmt::format("the best of {} searches is of seed {}\n", plans.size(), best.seed);
    } else if (plans.size() > 1) {
      print_methods(plans, best);
    }
    print_plan(best, batch, options.ids);
    print_answers(answers, best, batch, options.ids);
    print_against(best, others);
    if (!options.out.empty()) context.note("written to " + options.out);
  }
  if (context.interrupted) return static_cast<int>(ExitStatus::interrupted);
  const bool late = answers.deadline && best.makespan > *answers.deadline;
  return static_cast<int>(late ? ExitStatus::no : ExitStatus::done);
}

// Refuses a flag that the requested answer would ignore.
void refuse_unused(bool given, const char* flag, const char* where) {
  if (given) throw UsageError(fmt::format("{} has no meaning {}", flag, where), "leave it out");
}

// --searches and --engine: the searches are of this machine or of a cluster, and give the same plans.
void refuse_searches(const PlanOptions& options) {
  const bool on_yarn = options.engine.on_yarn();
  if (options.searches == 1 && !on_yarn) return;
  const char* const flag = on_yarn ? "--engine yarn" : "--searches";
  const auto refuse = [&](bool given, const char* where) { refuse_unused(given, flag, where); };
  refuse(!options.plan.empty(), "with --plan");
  refuse(!options.compare.empty(), "with --compare");
  refuse(!options.curve.empty(), "with --curve");
  refuse(!options.robust.empty(), "with --robust");
  refuse(options.for_users(), "with --fair or --user-weights");
  if (on_yarn && !options.time_limit.empty())
    throw UsageError("with --engine yarn, --time-limit would give other plans on other nodes",
                     "limit the searches with --evaluations");
}

void refuse_ignored(const PlanOptions& options) {
  const auto refuse_against = [&](bool refused, const char* where) {
    refuse_unused(refused && !options.against.empty(), "--against", where);
  };
  refuse_against(!options.compare.empty(), "with --compare");
  refuse_against(!options.curve.empty(), "with --curve");
  refuse_against(!options.robust.empty(), "with --robust");
  refuse_against(options.for_users(), "with --fair or --user-weights");
  const auto refuse_search = [&](const char* where) {
    refuse_unused(options.evaluations > 0, "--evaluations", where);
    refuse_unused(!options.time_limit.empty(), "--time-limit", where);
  };
  if (!options.plan.empty()) {
    refuse_unused(options.task_order_given, "--task-order", "with --plan");
    refuse_unused(!options.fair.empty(), "--fair", "with --plan");
    refuse_unused(!options.user_weights.empty(), "--user-weights", "with --plan");
    refuse_unused(!options.method.empty(), "--method", "with --plan");
    if (options.robust.empty()) refuse_search("with --plan");  // --robust continues from that plan
  }
  if (!options.compare.empty()) {
    refuse_unused(options.objective_given, "--objective", "with --compare");
    refuse_unused(!options.method.empty(), "--method", "with --compare");
    refuse_unused(options.task_order_given, "--task-order", "with --compare");
    refuse_search("with --compare");
  }
  if (!options.has_deadline())
    refuse_unused(!options.begins.empty(), "--begins", "without --by or --deadline");
  // With a deadline, the file may give lengths as distributions.
  if (!options.spread.given() && !options.has_deadline())
    refuse_unused(options.samples_given, "--samples", "without --spread, --job-spread or --deadline");
}

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

// --within is for the search of `best`.
void refuse_within(const PlanOptions& options) {
  if (options.within.empty()) return;
  constexpr double most = 1;
  if (parse_share(options.within, "--within") > most)
    throw UsageError(fmt::format("--within {} is more than 100 %", options.within), "give one like 1%");
  const auto refuse = [](bool given, const char* where) { refuse_unused(given, "--within", where); };
  refuse(!options.method.empty() && options.method != "best", "with another method than best");
  refuse(!options.plan.empty(), "with --plan");
  refuse(!options.compare.empty(), "with --compare");
  refuse(!options.curve.empty(), "with --curve");
  refuse(!options.robust.empty(), "with --robust");
  refuse(options.for_users(), "with --fair or --user-weights");
}

int plan_command(Context& context, const PlanOptions& options) {
  context.ends_itself = true;
  std::vector<std::string> inputs = options.compare;
  inputs.insert(inputs.end(), {options.workload, options.plan});
  refuse_overwriting(options.out, inputs);
  refuse_overwriting(options.report, {options.workload, options.pool.file(), options.out});
  if (options.out == "-")
    throw UsageError("--out takes a file", "--json prints the same document on standard output");
  const auto refuse_chance = [&](const char* where) {
    refuse_unused(options.has_deadline(), options.by.empty() ? "--deadline" : "--by", where);
    refuse_unused(options.spread.given(), "--spread", where);
  };
  (void)options.spread.spread();  // a wrong value fails before the work
  if (is_due_objective(options.objective)) return plan_due(context, options);
  refuse_unused(options.frontier, "--frontier", "without --objective energy");
  refuse_unused(!options.budget.empty(), "--budget", "without --objective energy");
  refuse_unused(!options.states.empty(), "--states", "without --objective energy");
  refuse_unused(!options.report.empty(), "--report", "without --objective energy or cost");
  refuse_within(options);
  refuse_searches(options);
  check_robust(options);
  check_users(options);
  refuse_ignored(options);
  if (!options.compare.empty()) {
    refuse_chance("with --compare");
    refuse_unused(!options.plan.empty(), "--plan", "with --compare");
    refuse_unused(!options.ratio.empty(), "--ratio", "with --compare");
    return plan_comparison(context, options);
  }
  if (!options.curve.empty()) {
    refuse_chance("with --curve");
    refuse_unused(!options.plan.empty(), "--plan", "with --curve");
    return plan_curve(context, options);
  }
  if (options.has_deadline() && parse_objective(options.objective) != Objective::makespan)
    throw UsageError("a deadline is one of the makespan", "leave out --objective");
  const bool all_given = (options.pool.map_slots() && options.pool.reduce_slots()) ||
                         !options.pool.file().empty() || !options.plan.empty();
  if (options.has_deadline() && !all_given) {
    refuse_unused(!options.within.empty(), "--within", "where slots are looked for");
    refuse_unused(!options.against.empty(), "--against", "where slots are looked for");
    refuse_unused(options.searches > 1, "--searches", "where slots are looked for");
    refuse_unused(options.engine.on_yarn(), "--engine yarn", "where slots are looked for");
    return plan_fewest_slots(context, options);
  }
  refuse_unused(!options.ratio.empty(), "--ratio", "without --curve, or --deadline with slots to look for");
  return one_plan(context, options);
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

Workload read_batch(const Context& context, const PlanOptions& options) {
  return JobReader(context).read(options.workload);
}

std::optional<Duration> time_limit_of(const PlanOptions& options) {
  if (options.time_limit.empty()) return std::nullopt;
  return parse_duration(options.time_limit);
}

std::optional<SlotPool> pool_of(const Plan& plan) {
  if (plan.pools.empty()) return std::nullopt;
  SlotPool pool;
  for (const PlanPool& part : plan.pools) {
    pool.map_slots += part.slots.map_slots;
    pool.reduce_slots += part.slots.reduce_slots;
  }
  return pool;
}

void check_plan_of_file(const Context& context, const Plan& plan, const Workload& batch, SlotPool pool,
                        const std::string& file) {
  check_plan(plan, batch, pool, file);
  const SlotPool own = pool_of(plan).value_or(pool);
  if (own == pool) return;
  context.note(fmt::format("{} was made for {} map and {} reduce slots; it leaves the rest of {} and {} idle",
                           file, own.map_slots, own.reduce_slots, pool.map_slots, pool.reduce_slots));
}

void add_plan(CLI::App& root, Context& context) {
  const auto options = std::make_shared<PlanOptions>();
  CLI::App* command =
      root.add_subcommand("plan", "Find the order and pools of a batch, and prove how good they are");
  command->footer(
      "Example: wavewright plan night.jsonl --map-slots 40 --reduce-slots 20 --out night.plan.json\n"
      "         wavewright plan night.jsonl --deadline 6h\n"
      "         wavewright plan night.jsonl --map-slots 40 --reduce-slots 20 --deadline 6h --spread 10%\n"
      "         wavewright plan night.jsonl --curve slots=20..200\n"
      "         wavewright plan night.jsonl --compare old.plan.json night.plan.json\n"
      "         wavewright plan night.jsonl --map-slots 40 --reduce-slots 20 --robust p95 --spread 20%\n"
      "         wavewright plan night.jsonl --map-slots 40 --reduce-slots 20 --fair 150%\n"
      "         wavewright plan night.jsonl --map-slots 40 --reduce-slots 20 --objective tardiness\n"
      "         wavewright plan night.jsonl --cluster servers.toml --objective energy --out "
      "energy.plan.json\n"
      "         wavewright plan night.jsonl --cluster servers.toml --objective energy --frontier --report "
      "energy.html");
  command
      ->add_option("WORKLOAD", options->workload,
                   "workload file (docs/formats/workload-file.md); - = standard input")
      ->required();
  options->pool.declare(*command);
  std::vector<std::string> methods;
  methods.reserve(planners().size());
  for (const auto& method : planners()) methods.push_back(method->name());
  methods.emplace_back("exact");
  offer(command->add_option("--method", options->method, method_help())->type_name("NAME"), methods);
  auto* objective =
      command
          ->add_option(
              "--objective", options->objective,
              "makespan (default), total-completion; energy, for a cluster file with powers; or, for jobs "
              "with deadlines, tardiness or the cost of rented machines")
          ->each([options](const std::string&) { options->objective_given = true; })
          ->type_name("NAME");
  offer(objective, {"makespan", "total-completion", "tardiness", "cost", "energy"});
  auto* task_order =
      command
          ->add_option("--task-order", options->task_order,
                       "which of a job's tasks start first: longest-first (default), or as-listed, in the "
                       "order of the workload file")
          ->each([options](const std::string&) { options->task_order_given = true; })
          ->type_name("ORDER");
  offer(task_order, {"longest-first", "as-listed"});
  command
      ->add_option("--within", options->within,
                   "of plans within this share of the best makespan, the one with the least total completion "
                   "time, and the reverse (default 0: of equal plans)")
      ->type_name("1%");
  command
      ->add_option("--time-limit", options->time_limit,
                   "stop with the best plan by then; 0: the first method's")
      ->type_name("TIME");
  command
      ->add_option(
          "--evaluations", options->evaluations,
          "schedules that a search may try (default: some seconds' worth); the plan depends on their "
          "number, not on the time they take")
      ->check(whole_number(1, most_evaluations))
      ->type_name("N");
  command
      ->add_option("--searches", options->searches,
                   "searches, each from a seed of its own: --seed and those after it; the best plan is kept")
      ->check(whole_number(1, most_searches))
      ->type_name("N");
  command->add_option("--out", options->out, "write the plan (docs/formats/plan-file.md) for simulate --plan")
      ->type_name("FILE");
  const auto headed = [&](const char* heading, const std::vector<const char*>& names) {
    for (const char* const name : names) command->get_option(name)->group(heading);
  };
  declare_answers(*command, *options);
  declare_robust(*command, *options);
  declare_users(*command, *options);
  declare_energy(*command, *options);
  options->engine.declare(*command);
  headed("A deadline, and how sure it is",
         {"--deadline", "--by", "--begins", "--spread", "--job-spread", "--samples"});
  headed("More or fewer slots, other plans", {"--curve", "--ratio", "--plan", "--compare", "--against"});
  headed("For the objective energy", {"--frontier", "--budget", "--states", "--report"});
  headed("Plans for lengths that vary, and for several users", {"--robust", "--fair", "--user-weights"});
  command->callback(
      [&context, options] { context.run = [&context, options] { return plan_command(context, *options); }; });
}

}  // namespace wavewright::app
