#include "wavewright/report/energy_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "wavewright/report/cells.h"
#include "wavewright/report/charts/charts.h"
#include "wavewright/report/charts/scatter_chart.h"
#include "wavewright/report/page/html.h"
#include "wavewright/report/page/page.h"
#include "wavewright/report/sections/sections.h"
#include "wavewright/report/text.h"

namespace wavewright {

namespace {

using namespace report;

std::string text_of(MicroJoules energy) {
  return energy_text(to_joules(energy));
}
double kwh(const EnergyValue& value) {
  return to_joules(value.energy.total()) / joules_per_kwh;
}

std::string in_words(const FrontierPlan& plan) {
  if (!plan.plan.policy.empty()) return plan.plan.policy;
  Count machines = 0;
  for (const PlannedMachines& of : plan.plan.machines) machines += of.most;
  return machines == 0 ? "plan" : "plan, at most " + counted(machines, "machine") + " for rent on";
}

bool is_the_plan(const EnergyReport& data, const FrontierPlan& other) {
  return other.plan == data.planned.plan;
}

std::string bound_words(const EnergyReport& data) {
  const PlannedEnergy& planned = data.planned;
  const std::optional<MicroJoules> floor = planned.floor();
  if (!floor) return "No schedule is in time.";
  if (planned.proved_optimal()) return "No schedule takes less: proved.";
  std::string text = fmt::format("No schedule in time takes less than {}", text_of(*floor));
  if (const std::optional<double> gap = planned.gap())
    text += fmt::format("; this plan is at most {} above the best", percent_above_text(*gap));
  text += '.';
  if (planned.misses_schedule_in_time()) {
    text += fmt::format(" The exact search found a schedule in time, but no plan in time was found{}.",
                        data.budget_usd ? " within the budget" : "");
  }
  return text;
}

std::string headline(const EnergyReport& data) {
  const EnergyValue& value = data.planned.value;
  return fmt::format("<b>{}</b> in <b>{}</b>. {}", text_of(value.energy.total()),
                     duration_text(value.makespan), bound_words(data));
}

std::string tiles(const EnergyReport& data) {
  const EnergyValue& value = data.planned.value;
  std::string parts = fmt::format("{} idle, {} work", text_of(value.energy.idle), text_of(value.energy.work));
  if (value.energy.off > 0) parts += fmt::format(", {} off", text_of(value.energy.off));
  if (value.energy.wake > 0) parts += fmt::format(", {} wake-ups", text_of(value.energy.wake));
  std::string html = tile("energy", text_of(value.energy.total()), parts, "main");
  html += tile("makespan", duration_text(value.makespan),
               value.tardy == 0 ? "all jobs in time" : counted(static_cast<Count>(value.tardy), "tardy job"));
  if (data.priced) {
    html += tile("cost", money_text(value.cost_usd),
                 data.budget_usd ? "of at most " + money_text(*data.budget_usd) : "");
  }
  if (value.carbon_g) html += tile("carbon dioxide", decimal_text(*value.carbon_g) + " g", "");
  if (const std::optional<MicroJoules> floor = data.planned.floor())
    html += tile("no schedule takes less", text_of(*floor), "that is in time");
  return "<dl class=\"tiles\">" + html + "</dl>";
}

std::string tip(const std::string& name, const EnergyValue& value, bool priced) {
  std::string text =
      fmt::format("{}\n{} in {}", name, text_of(value.energy.total()), duration_text(value.makespan));
  if (priced) text += "\n" + money_text(value.cost_usd);
  if (value.tardy > 0) text += "\n" + counted(static_cast<Count>(value.tardy), "tardy job");
  return text;
}

// Round ticks of a part of an axis.
std::vector<Tick> ticks_between(double least, double most, std::size_t count) {
  // As from 0, so that the steps are round; then those that are seen.
  std::vector<Tick> seen;
  const double share = (most - least) / most;
  const auto all = static_cast<std::size_t>(static_cast<double>(count) / std::max(share, 1e-3));
  for (Tick& tick : value_ticks(most, std::max<std::size_t>(2, all))) {
    const double position = (tick.position * most - least) / (most - least);
    if (position >= 0) seen.push_back({position, std::move(tick.label)});
  }
  return seen;
}

struct Span {
  double least = std::numeric_limits<double>::infinity(), most = 0;

  void hold(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
  // With room at both ends; from 0 where that is near.
  void widen() {
    most = std::max(most, 1e-9) * 1.0001;
    const double room = std::max(most - least, most * 0.01) * 0.08;
    most += room;
    least = std::max(0.0, least - room);
    if (least < most / 3) least = 0;
  }
};

enum class EnergyOver { makespan, cost };

std::string energy_figure(const EnergyReport& data, EnergyOver over) {
  const PlannedEnergy& planned = data.planned;
  const auto x_of = [&](const EnergyValue& value) {
    constexpr double ms_per_hour = 3'600'000;
    return over == EnergyOver::cost ? value.cost_usd
                                    : static_cast<double>(to_ms(value.makespan)) / ms_per_hour;
  };
  std::vector<ScatterDot> dots;
  Span x, y;
  const auto add = [&](const EnergyValue& value, const std::string& name, std::size_t colour, bool best) {
    dots.push_back({x_of(value), kwh(value), colour, colour == 0, best, tip(name, value, data.priced)});
    x.hold(x_of(value));
    y.hold(kwh(value));
  };
  for (const FrontierPlan& each : planned.frontier)
    add(each.value, in_words(each), 0, is_the_plan(data, each));
  bool others = false;
  for (const EnergyRival& rival : planned.rivals) {
    if (!rival.value || rival.all_on) continue;
    others = true;
    add(*rival.value, rival.policy, 1, false);
  }
  // Of the frontier in three, the line joins those that none beats in the two that are drawn.
  std::stable_sort(dots.begin(), dots.end(), [](const ScatterDot& a, const ScatterDot& b) {
    return a.y < b.y || (a.y == b.y && a.x < b.x);
  });
  double leftmost = std::numeric_limits<double>::infinity();
  for (ScatterDot& dot : dots) {
    dot.frontier = dot.frontier && dot.x < leftmost;
    if (dot.frontier) leftmost = dot.x;
  }
  const std::optional<MicroJoules> floor = planned.floor();
  std::optional<double> bound;
  if (floor) {
    bound = to_joules(*floor) / joules_per_kwh;
    y.hold(*bound);
  }
  x.widen();
  y.widen();
  std::string legend = key("spot f0", "plans that none beats");
  if (others) legend += key("spot f1", "other policies");
  legend += key("curve-line", "none takes less and is further left");
  if (bound)
    legend +=
        key("bound-line", fmt::format("no schedule in time takes less than <b>{}</b>", text_of(*floor)));
  const bool limited = over == EnergyOver::cost && data.budget_usd && *data.budget_usd <= x.most;
  if (limited) legend += key("deadline", fmt::format("at most <b>{}</b>", money_text(*data.budget_usd)));
  legend += key("chosen", "this plan");
  const char* const of = over == EnergyOver::cost ? "cost" : "makespan";
  return scatter_figure(
      {.title = fmt::format("Energy over {}", of),
       .description = "A dot for each plan; below the line of the frontier is none that is in time",
       .legend = legend,
       .unit_x = over == EnergyOver::cost ? "USD" : "hours",
       .unit_y = "kWh",
       .least_x = x.least,
       .most_x = x.most,
       .least_y = y.least,
       .most_y = y.most,
       .across = ticks_between(x.least, x.most, 8),
       .up = ticks_between(y.least, y.most, 6),
       .dots = std::move(dots),
       .limit_x = limited ? data.budget_usd : std::nullopt,
       .bound_y = bound});
}

std::string row(const std::string& name, const EnergyValue& value, bool priced, const std::string& note) {
  std::string html = "<tr><th scope=\"row\">" + isolated(shortened(name, 60)) + "</th>";
  html += value_cell(static_cast<double>(to_ms(value.makespan)), duration_text(value.makespan));
  html += value_cell(kwh(value), text_of(value.energy.total()));
  html += value_cell(to_joules(value.energy.idle), text_of(value.energy.idle));
  html += value_cell(to_joules(value.energy.work), text_of(value.energy.work));
  if (priced) html += value_cell(value.cost_usd, money_text(value.cost_usd));
  if (value.carbon_g) html += value_cell(*value.carbon_g, decimal_text(*value.carbon_g) + " g");
  html += value_cell(static_cast<double>(value.tardy), count_text(static_cast<Count>(value.tardy)));
  return html + "<td>" + note + "</td></tr>\n";
}

std::string table(const EnergyReport& data) {
  const std::string head = "<thead><tr>" + heading("Schedule", false) + heading("Makespan") +
                           heading("Energy") + heading("Idle") + heading("Work") +
                           (data.priced ? heading("Cost") : "") +
                           (data.planned.value.carbon_g ? heading("CO2") : "") + heading("Tardy jobs") +
                           heading("", false) + "</tr></thead>";
  std::string rows;
  for (const FrontierPlan& each : data.planned.frontier)
    rows += row(in_words(each), each.value, data.priced,
                is_the_plan(data, each) ? "<b>this plan</b>" : "frontier");
  for (const EnergyRival& rival : data.planned.rivals) {
    if (rival.value)
      rows += row(rival.policy, *rival.value, data.priced, rival.all_on ? "all machines on" : "");
  }
  std::string html = long_table("energy-table", "Schedules", "schedule", head, rows);
  for (const EnergyRival& rival : data.planned.rivals) {
    if (rival.value) continue;
    html += fmt::format("<p class=\"intro\">{}{} cannot do the batch: {}</p>\n", isolated(rival.policy),
                        rival.all_on ? ", all machines on," : "", escape(rival.reason));
  }
  return html;
}

}  // namespace

void write_energy_report(std::ostream& out, const EnergyReport& data) {
  Page page{data.title, data.generated, {}, script_data(ms(1), {}, {})};
  page.parts.push_back(
      {"summary", "Summary",
       summary(headline(data), data.planned.partial ? "Stopped before it was done: the best so far." : "",
               tiles(data))});
  page.parts.push_back({"frontier", "Energy and makespan",
                        section("frontier", "Energy and makespan",
                                "Each dot is a schedule. Down takes less energy, left ends earlier.",
                                energy_figure(data, EnergyOver::makespan))});
  if (data.priced) {
    page.parts.push_back(
        {"cost", "Energy and cost",
         section("cost", "Energy and cost", "The same schedules. Down takes less energy, left is cheaper.",
                 energy_figure(data, EnergyOver::cost))});
  }
  page.parts.push_back({"schedules", "Schedules",
                        section("schedules", "Schedules",
                                "Those of the frontier, and those of other policies.", table(data))});
  write_page(out, page);
}

}  // namespace wavewright
