// `wavewright plan`: the order and pools of a batch, and their gap to the best possible.
#include <algorithm>

#include "apps/commands/job_reader.h"
#include "apps/commands/plan_against.h"
#include "apps/commands/plan_answers.h"
#include "apps/commands/plan_commands.h"
#include "apps/commands/plan_due.h"
#include "apps/commands/plan_refusals.h"
#include "apps/commands/plan_robust.h"
#include "apps/commands/plan_search.h"
#include "apps/commands/profile_lengths.h"
#include "apps/context.h"
#include "apps/engine/plan_units.h"
#include "apps/progress.h"
#include "wavewright/core/error.h"
#include "wavewright/core/when.h"
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
  const std::map<std::string, TrackRecord> records = records_of(context, batch);
  if (context.json) {
    add_compared(document, plans);
    if (!others.empty()) document["against"] = against_json(names, others);
    add_records(document, records);
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
    show_records(records);
    if (!options.out.empty()) context.note("written to " + options.out);
  }
  if (context.interrupted) return static_cast<int>(ExitStatus::interrupted);
  const bool late = answers.deadline && best.makespan > *answers.deadline;
  return static_cast<int>(late ? ExitStatus::no : ExitStatus::done);
}

int plan_command(Context& context, const PlanOptions& options) {
  context.ends_itself = true;
  std::vector<std::string> inputs = options.compare;
  inputs.insert(inputs.end(), {options.workload, options.plan, options.pool.file()});
  if (options.out == "-")
    throw UsageError("--out takes a file", "--json prints the same document on standard output");
  check_outputs({options.out, options.report}, inputs);
  const auto refuse_chance = [&](const char* where) {
    refuse_unused(options.has_deadline(), options.by.empty() ? "--deadline" : "--by", where);
    refuse_unused(options.spread.given(), "--spread", where);
  };
  (void)options.spread.spread();  // a wrong value fails before the work
  if (is_due_objective(options.objective)) return plan_due(context, options);
  refuse_energy_flags(options);
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
  declare_plan_options(*command, *options);
  command->callback(
      [&context, options] { context.run = [&context, options] { return plan_command(context, *options); }; });
}

}  // namespace wavewright::app
