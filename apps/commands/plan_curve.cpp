// `wavewright plan WORKLOAD --curve slots=20..200`: makespan over pools of growing size.
#include <chrono>
#include <iostream>

#include <fmt/format.h>

#include "apps/commands/plan_commands.h"
#include "apps/commands/profile_lengths.h"
#include "apps/progress.h"
#include "apps/table.h"
#include "wavewright/core/apart.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/plan/analysis/curve.h"
#include "wavewright/plan/analysis/slot_range.h"
#include "wavewright/report/documents/curve_document.h"

namespace wavewright::app {

namespace {

constexpr std::size_t bar_width = 30;

// The slots that the axis does not set.
SlotPool like_of(const PlanOptions& options, SlotAxis axis) {
  const auto maps = options.pool.map_slots(), reduces = options.pool.reduce_slots();
  if (!options.ratio.empty()) {
    if (axis != SlotAxis::slots) throw UsageError("--ratio says how 'slots=' are shared", "leave it out");
    if (maps || reduces || !options.pool.file().empty())
      throw UsageError("--ratio and the numbers of slots say the same thing", "give one of them");
    return parse_ratio(options.ratio);
  }
  if (!options.pool.file().empty()) return options.pool.resolve().pool;
  if (axis == SlotAxis::map_slots) {
    if (!reduces) throw UsageError("how many reduce slots?", "give --reduce-slots R beside map-slots=…");
    return {0, *reduces};
  }
  if (axis == SlotAxis::reduce_slots) {
    if (!maps) throw UsageError("how many map slots?", "give --map-slots M beside reduce-slots=…");
    return {*maps, 0};
  }
  if (!maps && !reduces) return {1, 1};
  return options.pool.resolve().pool;
}

std::string bar(Duration value, Duration longest) {
  if (longest <= Duration{}) return "";
  const double share = static_cast<double>(value.count()) / static_cast<double>(longest.count());
  std::string text;
  for (auto left = static_cast<std::size_t>(share * bar_width + 0.5); left > 0; --left) text += "▆";
  return text;
}

void print(const MakespanCurve& curve, const SlotRange& range, Objective objective) {
  Duration longest{};
  for (const CurvePoint& point : curve.points) longest = std::max(longest, point.plan.value());
  const std::string value = objective == Objective::makespan ? "makespan" : "total completion";
  Table table{{{"slots", std::string(name_of(range.axis)), true, false},
               {"map_slots", "map", true, false},
               {"reduce_slots", "reduce", true, false},
               {"value_ms", value, true, false},
               {"lower_bound_ms", "bound", true, false},
               {"bar", "", false, false},
               {"note", "", false, false}},
              {}};
  bool idle = false;
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    const CurvePoint& point = curve.points[i];
    const bool leaves = point.idle.map_slots + point.idle.reduce_slots > 0;
    idle = idle || leaves;
    const auto times = format_apart({point.plan.value(), point.plan.lower_bound});
    std::string note = i == curve.knee ? "knee" : "";
    if (leaves) note += note.empty() ? "idle" : ", idle";
    table.rows.push_back({count_cell(point.count), count_cell(point.pool.map_slots),
                          count_cell(point.pool.reduce_slots), times[0], times[1],
                          bar(point.plan.value(), longest), note});
  }
  write_table(std::cout, table);
  if (curve.knee) {
    const CurvePoint& knee = curve.points[*curve.knee];
    std::cout << fmt::format(
        "\nThe knee lies at {} {}: there the curve is farthest below the line from its first point to its "
        "last.\n",
        knee.count,
        range.axis == SlotAxis::slots       ? "slots"
        : range.axis == SlotAxis::map_slots ? "map slots"
                                            : "reduce slots");
  }
  if (idle)
    std::cout
        << "idle: nothing better was found than the plan of the row above, which leaves slots unused.\n";
}

}  // namespace

int plan_curve(const Context& context, const PlanOptions& options) {
  const SlotRange range = parse_slot_range(options.curve);
  const SlotPool like = like_of(options, range.axis);
  const Objective objective = parse_objective(options.objective);
  if (!options.method.empty()) (void)planner(options.method);  // a wrong name fails before the work
  const TaskOrder task_order = parse_task_order(options.task_order);
  const CurveProblem problem{shared(in_task_order(read_batch(context, options), task_order)),
                             objective,
                             options.pool.slowstart(),
                             context.seed,
                             options.method,
                             options.evaluations,
                             task_order};
  std::vector<CurvePool> pools;
  for (const Count count : range.counts()) pools.push_back({count, pool_at(range.axis, like, count)});
  const auto began = Stop::Clock::now();
  const Stop stop(time_limit_of(options), &context.interrupted);
  Progress progress(context);
  const MakespanCurve curve = makespan_curve(
      problem, pools,
      [&](std::size_t done) { progress.show(fmt::format("{} of {} pools planned", done, pools.size())); },
      stop);
  const double seconds = std::chrono::duration<double>(Stop::Clock::now() - began).count();
  Json document = curve_document(curve, range.axis, problem, seconds);
  if (curve.partial) context.note("stopped before every pool was tried: the curve so far");
  if (!options.out.empty()) {
    write_file(options.out, [&](std::ostream& out) { out << document.dump(2) << '\n'; });
  }
  const std::map<std::string, TrackRecord> records = records_of(context, *problem.batch);
  if (context.json) {
    add_records(document, records);
    context.print(document);
  } else {
    print(curve, range, problem.objective);
    show_records(records);
    if (!options.out.empty()) context.note("written to " + options.out);
  }
  return static_cast<int>(context.interrupted ? ExitStatus::interrupted : ExitStatus::done);
}

}  // namespace wavewright::app
