// The run over time: use, waiting jobs, locality of maps, power and cost.
#include <algorithm>

#include <fmt/format.h>

#include "wavewright/report/charts/curves.h"
#include "wavewright/report/charts/grid.h"
#include "wavewright/report/page/page.h"
#include "wavewright/report/simulation/figures.h"
#include "wavewright/report/simulation/sections.h"
#include "wavewright/report/text.h"
#include "wavewright/sim/metrics/usage.h"
#include "wavewright/sim/metrics/waiting.h"

namespace wavewright::report {

namespace {

struct KindName {
  Kind kind;
  const char* many;
  const char* css_class;
};
constexpr KindName kinds[] = {
    {Kind::master, "Masters", "master"}, {Kind::map, "Maps", "map"}, {Kind::reduce, "Reduces", "reduce"}};

template <class Keep>
std::vector<TaskRecord> those(const std::vector<TaskRecord>& tasks, const Keep& keep) {
  std::vector<TaskRecord> kept;
  std::copy_if(tasks.begin(), tasks.end(), std::back_inserter(kept), keep);
  return kept;
}

double sum(const std::vector<double>& values) {
  double all = 0;
  for (const double value : values) all += value;
  return all;
}

// Available slots or GiB over time; empty if all of the cluster is always present.
std::vector<double> room_over_time(const SimulationView& view, double whole) {
  if (!view.absent) return {};
  std::vector<TaskRecord> spans;
  for (NodeIndex node = 0; node < view.absences.size(); ++node) {
    const NodeGroup& group = view.cluster().nodes[view.group[node]];
    for (const Stay& away : view.absences[node]) {
      TaskRecord& span = spans.emplace_back();
      span.start = away.from;
      span.end = *away.to;
      span.memory = static_cast<std::uint32_t>(
          view.containers() ? group.memory.count >> 20 : group.slots.map_slots + group.slots.reduce_slots);
    }
  }
  std::vector<double> room = use_over_time(spans, view.horizon, view.columns, Measure::memory);
  for (double& value : room) value = whole - value / (view.containers() ? mib_per_gib : 1);
  return room;
}

CurveChart use_chart(const SimulationView& view) {
  CurveChart chart;
  const SlotPool slots = view.cluster().total_slots();
  const double gib = static_cast<double>(view.cluster().total_memory().count >> 20) / mib_per_gib;
  const double whole = view.containers() ? gib : static_cast<double>(slots.map_slots + slots.reduce_slots);
  chart.caption = view.containers()
                      ? fmt::format("Memory in use <small>GiB, of {}</small>", decimal_text(whole))
                      : fmt::format("Slots in use <small>of {} for maps and {} for reduces</small>",
                                    count_text(slots.map_slots), count_text(slots.reduce_slots));
  chart.title = view.containers() ? "Memory in use over time" : "Slots in use over time";
  chart.description = "By the kind of task, on top of each other";
  chart.unit = view.containers() ? " GiB" : "";
  chart.stacked = true;
  for (const KindName& each : kinds) {
    const std::vector<TaskRecord> tasks =
        those(view.uses(), [&](const TaskRecord& task) { return task.kind == each.kind; });
    if (tasks.empty()) continue;
    std::vector<double> use = use_over_time(tasks, view.horizon, view.columns,
                                            view.containers() ? Measure::memory : Measure::slots);
    if (view.containers()) {
      for (double& value : use) value /= mib_per_gib;
    }
    const double part = view.containers()           ? whole
                        : each.kind == Kind::reduce ? static_cast<double>(slots.reduce_slots)
                                                    : static_cast<double>(slots.map_slots);
    const double share = share_of(sum(use) * static_cast<double>(view.column.count()), part,
                                  static_cast<double>(to_ms(view.result().makespan)));
    chart.curves.push_back({each.many, percent_text(share), each.css_class, false, std::move(use)});
  }
  chart.high = std::max(whole, 1e-9);
  chart.levels =
      view.containers() ? value_ticks(whole, 5) : count_ticks(slots.map_slots + slots.reduce_slots);
  chart.limit = room_over_time(view, whole);
  return chart;
}

CurveChart waiting_chart(const SimulationView& view) {
  CurveChart chart;
  chart.caption = fmt::format("Tasks waiting <small>that could start, had they a {}</small>",
                              view.containers() ? "container" : "slot");
  chart.title = "Tasks waiting over time";
  chart.description = "By the kind of task, on top of each other";
  chart.stacked = true;
  std::vector<TaskRecord> spans;
  for (const TaskWait& wait : task_waits(view.result(), view.workload(), view.cluster())) {
    TaskRecord& span = spans.emplace_back();
    span.kind = wait.kind;
    span.start = wait.from;
    span.end = wait.to;
  }
  for (const KindName& each : kinds) {
    const std::vector<TaskRecord> waits =
        those(spans, [&](const TaskRecord& span) { return span.kind == each.kind; });
    if (!waits.empty())
      chart.curves.push_back(
          {each.many, "", each.css_class, false, use_over_time(waits, view.horizon, view.columns)});
  }
  fit_levels(chart);
  return chart;
}

// One value per interval; none after the last.
template <class Value>
Curve curve_of(const SimulationView& view, const std::vector<IntervalUsage>& intervals, std::string name,
               std::string css_class, const Value& value) {
  Curve curve{std::move(name), "", std::move(css_class), false, {}};
  for (const IntervalUsage& each : intervals) curve.values.push_back(value(each));
  curve.values.resize(static_cast<std::size_t>(view.columns), 0.0);
  return curve;
}

CurveChart jobs_chart(const SimulationView& view, const std::vector<IntervalUsage>& intervals) {
  CurveChart chart;
  chart.caption = "Jobs <small>submitted and not done</small>";
  chart.title = "Jobs over time";
  chart.description =
      "Those of which something has started, and those that wait for it, on top of each other";
  chart.stacked = true;
  chart.decimals = 0;
  chart.curves.push_back(curve_of(view, intervals, "Running", "p1",
                                  [](const IntervalUsage& i) { return static_cast<double>(i.running); }));
  chart.curves.push_back(curve_of(view, intervals, "Waiting", "p0",
                                  [](const IntervalUsage& i) { return static_cast<double>(i.waiting); }));
  fit_levels(chart, 1);
  return chart;
}

// By column, attempts that ended without success.
CurveChart incidents_chart(const SimulationView& view) {
  CurveChart chart;
  chart.caption =
      fmt::format("Attempts that came to nothing <small>in each {}</small>", duration_text(view.column));
  chart.title = "Attempts that came to nothing, over time";
  chart.description = "Failed, lost with their node, and killed, on top of each other";
  chart.stacked = true;
  chart.decimals = 0;
  struct Outcome {
    AttemptOutcome outcome;
    const char* name;
    const char* css_class;
  };
  for (const Outcome& each :
       {Outcome{AttemptOutcome::failed, "Failed", "bad"}, Outcome{AttemptOutcome::lost, "Lost", "p2"},
        Outcome{AttemptOutcome::killed, "Killed", "p0"}}) {
    Curve curve{each.name, "", each.css_class, false, {}};
    curve.values.resize(static_cast<std::size_t>(view.columns), 0.0);
    Count all = 0;
    for (const TaskRecord& task : view.tasks) {
      if (task.outcome != each.outcome) continue;
      ++all;
      const auto at = static_cast<std::size_t>(task.end.time_since_epoch() / view.column);
      ++curve.values[std::min(at, curve.values.size() - 1)];
    }
    curve.figure = count_text(all);
    if (all > 0) chart.curves.push_back(std::move(curve));
  }
  fit_levels(chart, 1);
  return chart;
}

// Running maps by the distance of their block.
CurveChart places_chart(const SimulationView& view) {
  CurveChart chart;
  chart.caption = "Where running maps have their block <small>share of them</small>";
  chart.title = "Distance of running maps from their blocks over time";
  chart.description = "On their node, in its rack, elsewhere, on top of each other";
  chart.unit = "\u202F%";
  chart.stacked = true;
  struct Place {
    Locality locality;
    const char* name;
    const char* css_class;
  };
  std::vector<double> all(static_cast<std::size_t>(view.columns), 0.0);
  for (const Place& each :
       {Place{Locality::node, "On the node", "p1"}, Place{Locality::rack, "In the rack", "p3"},
        Place{Locality::off_rack, "Elsewhere", "p2"}}) {
    std::vector<double> use = use_over_time(
        those(
            view.tasks,
            [&](const TaskRecord& task) { return task.kind == Kind::map && task.locality == each.locality; }),
        view.horizon, view.columns);
    for (std::size_t i = 0; i < use.size(); ++i) all[i] += use[i];
    chart.curves.push_back({each.name, "", each.css_class, false, std::move(use)});
  }
  for (Curve& curve : chart.curves) {
    for (std::size_t i = 0; i < all.size(); ++i)
      curve.values[i] = all[i] > 1e-9 ? 100 * curve.values[i] / all[i] : 0;
  }
  chart.high = 100;
  chart.levels = {{0, "0"}, {0.5, "50\u202F%"}, {1, "100\u202F%"}};
  return chart;
}

double hours(const IntervalUsage& each) {
  return static_cast<double>(to_ms(each.to - each.from)) / 3'600'000;
}

CurveChart rate_chart(Curve curve, const char* caption, const char* title, const char* unit) {
  CurveChart chart;
  chart.caption = caption;
  chart.title = title;
  chart.description = "Mean of each part of the time axis";
  chart.unit = unit;
  curve.filled = true;
  chart.curves.push_back(std::move(curve));
  fit_levels(chart);
  chart.decimals = chart.high < 0.1 ? 5 : chart.high < 10 ? 3 : 1;
  return chart;
}

}  // namespace

std::string run_use_section(const SimulationView& view) {
  if (view.tasks.empty()) return "";
  const std::vector<IntervalUsage> intervals =
      usage_by_interval(view.result(), view.cluster(), view.column, &view.workload());
  const std::vector<Tick> ticks = view.ticks();
  std::string charts;
  const auto draw = [&](const CurveChart& chart) {
    if (!chart.curves.empty()) charts += curve_figure(chart, ticks, view.horizon);
  };
  draw(use_chart(view));
  draw(waiting_chart(view));
  draw(jobs_chart(view, intervals));
  draw(incidents_chart(view));
  const auto any = [&](auto value) {
    return std::any_of(intervals.begin(), intervals.end(),
                       [&](const IntervalUsage& each) { return value(each) > 0; });
  };
  if (view.places() && any([](const IntervalUsage& i) { return i.node_local + i.rack_local + i.off_rack; }))
    draw(places_chart(view));
  if (any([](const IntervalUsage& i) { return i.energy_j; }))
    draw(rate_chart(curve_of(view, intervals, "Power", "p2",
                             [](const IntervalUsage& i) { return i.energy_j / (hours(i) * 3600); }),
                    "Power <small>W</small>", "Power over time", " W"));
  if (any([](const IntervalUsage& i) { return i.cost_usd; }))
    draw(rate_chart(
        curve_of(view, intervals, "Cost", "p3", [](const IntervalUsage& i) { return i.cost_usd / hours(i); }),
        "Cost <small>USD an hour</small>", "Cost over time", " USD/h"));
  return section(
      "use", "Use over time",
      "All on the time axis of the schedule. The figure beside a kind of task is its share of all that "
      "there is for it, until the makespan.",
      "<div class=\"curves\">" + charts + "</div>");
}

}  // namespace wavewright::report
