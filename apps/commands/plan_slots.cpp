// `wavewright plan WORKLOAD --deadline 6h` with an open number of slots: the fewest that meet it.
#include <iostream>

#include <fmt/format.h>

#include "apps/commands/plan_answers.h"
#include "apps/commands/plan_commands.h"
#include "apps/commands/profile_lengths.h"
#include "apps/progress.h"
#include "wavewright/core/apart.h"
#include "wavewright/core/error.h"
#include "wavewright/core/when.h"
#include "wavewright/plan/analysis/fewest_slots.h"
#include "wavewright/report/documents/fewest_slots_document.h"
#include "wavewright/report/documents/plan_document.h"
#include "wavewright/sched/plan_file.h"

namespace wavewright::app {

namespace {

PoolWish wish_of(const PlanOptions& options) {
  PoolWish wish{options.pool.map_slots(), options.pool.reduce_slots(), {}};
  if (options.ratio.empty()) return wish;
  if (wish.map_slots || wish.reduce_slots)
    throw UsageError("--ratio looks for both kinds of slots", "leave out --map-slots and --reduce-slots");
  wish.like = parse_ratio(options.ratio);
  return wish;
}

std::string counted(const PoolWish& wish, Count slots) {
  const char* const kind = wish.map_slots ? "reduce slot" : wish.reduce_slots ? "map slot" : "slot";
  return fmt::format("{} {}{}", slots, kind, slots == 1 ? "" : "s");
}

void print(const FewestSlots& found, const PoolWish& wish, const WantedEnd& end) {
  const Duration deadline = end.deadline;
  const bool both = !wish.map_slots && !wish.reduce_slots;
  const std::string split =
      both ? fmt::format("{} map + {} reduce", found.pool.map_slots, found.pool.reduce_slots)
           : fmt::format("beside {}", wish.map_slots
                                          ? fmt::format("{} map slots", found.pool.map_slots)
                                          : fmt::format("{} reduce slots", found.pool.reduce_slots));
  const auto times = format_apart({deadline, found.plan.makespan, found.bound_with_one_less});
  const std::string by = end.begins ? format_clock(*end.begins + deadline) : times[0];
  const std::string done = end.begins ? fmt::format("done by {}, after {}",
                                                    format_clock(*end.begins + found.plan.makespan), times[1])
                                      : "in " + times[1];
  std::cout << fmt::format("{} ({}) end the batch by {}: {}.\n", counted(wish, found.slots), split, by, done);
  if (found.proved()) {
    std::cout << "No fewer can"
              << (found.bound_with_one_less > deadline
                      ? fmt::format(": with one less it takes {} at least.\n", times[2])
                      : std::string(".\n"));
    return;
  }
  std::cout << fmt::format(
      "That no fewer can is not proven: no plan was found with less, the bounds rule out fewer than {} "
      "only.\n",
      found.at_least);
}

}  // namespace

int plan_fewest_slots(const Context& context, const PlanOptions& options) {
  const PoolWish wish = wish_of(options);
  if (!options.method.empty()) (void)planner(options.method);
  const TaskOrder task_order = parse_task_order(options.task_order);
  const auto batch = shared(read_batch(context, options));
  const WantedEnd end = wanted_end(options, *batch, now_instant());
  const Duration deadline = end.deadline;
  const Stop stop(time_limit_of(options), &context.interrupted);
  Progress progress(context);
  FewestSlots found;
  try {
    found = fewest_slots(
        {shared(in_task_order(*batch, task_order)), deadline, wish, options.pool.slowstart(), context.seed,
         options.method, options.evaluations, task_order},
        [&](SlotPool pool) {
          progress.show(fmt::format("trying {} map + {} reduce slots", pool.map_slots, pool.reduce_slots));
        },
        stop);
  } catch (const Infeasible& refused) {
    if (context.interrupted) {
      context.note("stopped before a plan was found");
      return static_cast<int>(ExitStatus::interrupted);
    }
    if (!end.begins) throw;
    throw Infeasible(fmt::format("not by {}: {}", format_clock(*end.begins + deadline), refused.problem()),
                     refused.remedy());
  }
  const PlanningProblem problem{
      batch, {found.pool, options.pool.slowstart()}, Objective::makespan, context.seed};
  const PlanAnswers answers = answer_plan(context, options, end, found.plan, problem);
  if (found.partial) context.note("stopped before the search was over: the fewest so far");
  Json of_plan = plan_document(found.plan, answers, *batch);
  if (!options.out.empty()) write_plan_document(options.out, of_plan);
  const std::map<std::string, TrackRecord> records = records_of(context, *batch);
  if (context.json) {
    Json document = fewest_slots_document(found, wish, deadline);
    document["plan"] = std::move(of_plan);
    add_records(document, records);
    context.print(document);
  } else {
    print(found, wish, end);
    print_plan(found.plan, *batch, options.ids);
    print_answers(answers, found.plan, *batch, options.ids);
    show_records(records);
    if (!options.out.empty()) context.note("written to " + options.out);
  }
  return static_cast<int>(context.interrupted ? ExitStatus::interrupted : ExitStatus::done);
}

}  // namespace wavewright::app
