// Rented machines: how many there were and at what price, each lease over time, and why it came and left.
#include <algorithm>

#include <fmt/format.h>

#include "wavewright/cluster/presence.h"
#include "wavewright/report/cells.h"
#include "wavewright/report/charts/charts.h"
#include "wavewright/report/charts/curves.h"
#include "wavewright/report/charts/grid.h"
#include "wavewright/report/charts/svg.h"
#include "wavewright/report/page/html.h"
#include "wavewright/report/page/page.h"
#include "wavewright/report/simulation/sections.h"
#include "wavewright/report/text.h"
#include "wavewright/sim/metrics/lease_reasons.h"
#include "wavewright/sim/metrics/promises.h"

namespace wavewright::report {

namespace {

constexpr std::size_t most_rows = 200;  // leases that are drawn and listed

struct Shown {
  Lease lease;
  LeaseReason reason;
};

const NodeGroup& group_of(const SimulationView& view, const Lease& lease) {
  return view.cluster().nodes[view.group[lease.node]];
}

Time end_of(const SimulationView& view, const Lease& lease) {
  return lease.left.value_or(Time{} + view.result().makespan);
}

// Leases from one instant to another, as the mean number in each column.
template <class Span>
std::vector<double> machines_over_time(const SimulationView& view, Span span) {
  std::vector<TaskRecord> spans;
  for (const Lease& lease : view.result().leases) {
    const std::optional<std::pair<Time, Time>> time = span(lease);
    if (!time || time->second <= time->first) continue;
    TaskRecord& record = spans.emplace_back();
    record.start = time->first;
    record.end = time->second;
  }
  return use_over_time(spans, view.horizon, view.columns);
}

CurveChart machines_chart(const SimulationView& view) {
  CurveChart chart;
  chart.caption = "Rented machines";
  chart.title = "Rented machines over time";
  chart.description = "On demand, spot, and booting, on top of each other";
  chart.stacked = true;
  using Span = std::optional<std::pair<Time, Time>>;
  const auto there = [&](bool spot) {
    return machines_over_time(view, [&](const Lease& lease) -> Span {
      if (!lease.joined || lease.bid.has_value() != spot) return std::nullopt;
      return std::pair(*lease.joined, end_of(view, lease));
    });
  };
  const auto booting = machines_over_time(view, [&](const Lease& lease) -> Span {
    return std::pair(lease.requested, lease.joined.value_or(end_of(view, lease)));
  });
  chart.curves.push_back({"On demand", "", "p1", false, there(false)});
  chart.curves.push_back({"Spot", "", "p2", false, there(true)});
  chart.curves.push_back({"Booting", "", "w1", false, booting});
  std::erase_if(chart.curves, [](const Curve& curve) {
    return std::none_of(curve.values.begin(), curve.values.end(), [](double value) { return value > 0; });
  });
  fit_levels(chart, 1);
  return chart;
}

// The highest price in each column.
std::vector<double> highest_prices(const SimulationView& view, const NodeGroup& group) {
  std::vector<double> values;
  auto change = group.spot.begin();
  for (int column = 0; column < view.columns; ++column) {
    const Time from = Time{} + view.column * column, to = from + view.column;
    double highest = to_usd(hourly_price(group, true, from));
    while (change != group.spot.end() && change->from <= from) ++change;
    for (; change != group.spot.end() && change->from < to; ++change)
      highest = std::max(highest, change->price_per_hour);
    values.push_back(highest);
  }
  return values;
}

CurveChart price_chart(const SimulationView& view) {
  CurveChart chart;
  chart.caption = "Price of a machine <small>USD an hour</small>";
  chart.title = "Prices over time";
  chart.description = "The spot price, the price on demand, and the highest bid";
  chart.unit = " USD/h";
  chart.decimals = 4;
  const auto constant = [&](double value) {
    return std::vector<double>(static_cast<std::size_t>(view.columns), value);
  };
  std::vector<std::string> drawn;  // classes
  for (const NodeGroup& group : view.cluster().nodes) {
    if (!group.rent || std::find(drawn.begin(), drawn.end(), group.node_class) != drawn.end()) continue;
    drawn.push_back(group.node_class);
    const std::string name = shortened(group.node_class, 30);
    if (!group.spot.empty())
      chart.curves.push_back({name + " spot", "", "p2", true, highest_prices(view, group)});
    chart.curves.push_back({name + " on demand", decimal_text(group.price_per_hour), "p1", false,
                            constant(group.price_per_hour)});
  }
  std::optional<Money> bid;
  for (const Lease& lease : view.result().leases) bid = std::max(bid, lease.bid);
  if (bid)
    chart.curves.push_back({"Highest bid", decimal_text(to_usd(*bid)), "bad", false, constant(to_usd(*bid))});
  fit_levels(chart);
  return chart;
}

std::string label_of(const SimulationView& view, const LeaseReason& reason) {
  if (!reason.job) return "";
  const Job& job = view.workload().jobs[*reason.job];
  return job.name.empty() || job.name == job.id ? job.id : fmt::format("{} ({})", job.name, job.id);
}

std::string kind_of(const Lease& lease) {
  return lease.bid ? fmt::format("spot for {} USD", to_usd(*lease.bid)) : "on demand";
}

std::string tip(const SimulationView& view, const Shown& of) {
  const auto at = [](Time time) { return duration_text(time - Time{}); };
  return fmt::format("{}, {}\nrented at {}: {}\n{}at {}: {}\n{}, {} attempts",
                     shortened(view.node_names[of.lease.node], 40), kind_of(of.lease), at(of.lease.requested),
                     shortened(why_rented(of.reason, label_of(view, of.reason)), 80),
                     of.lease.joined ? "joined at " + at(*of.lease.joined) + "\n" : "",
                     at(end_of(view, of.lease)), why_left(of.reason), money_text(to_usd(of.lease.cost)),
                     of.reason.tasks);
}

// A row for each lease: booting, there, and a mark where the market took it away.
std::string lease_bars(const SimulationView& view, const std::vector<Shown>& shown) {
  const double row = std::clamp(520.0 / static_cast<double>(shown.size()), 2.5, 14.0);
  const auto x = [&](Time time) {
    return std::clamp(static_cast<double>(to_ms(time)) / static_cast<double>(to_ms(view.horizon)), 0.0, 1.0) *
           chart_width;
  };
  const std::vector<Tick> ticks = view.ticks();
  const double height = row * static_cast<double>(shown.size());
  std::string svg = open_chart(height, "Each lease over time",
                               "A bar a lease, from its request: booting, then there until it left");
  svg += vertical_lines(ticks, height);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const Lease& lease = shown[i].lease;
    const double y = row * static_cast<double>(i), thick = row * 0.8;
    const double asked = x(lease.requested), left = x(end_of(view, lease));
    const double joined = lease.joined ? x(*lease.joined) : left;
    svg += fmt::format("<g data-tip=\"{}\">", escape(tip(view, shown[i])));
    svg += Path().rectangle(asked, y, joined - asked, thick).element("class=\"lease w1\"");
    if (lease.joined) {
      svg += Path()
                 .rectangle(joined, y, left - joined, thick)
                 .element(lease.bid ? "class=\"lease p2\"" : "class=\"lease p1\"");
    }
    if (lease.revoked()) svg += Path().line(left, y, left, y + thick).element("class=\"taken\"");
    svg += "</g>";
  }
  const std::string legend = key("p1", "on demand") + key("p2", "spot") + key("w1", "booting") +
                             key("tick-failed", "taken away, or outbid while it booted");
  return fmt::format(
      R"(<figure class="leases"><figcaption>Each lease</figcaption><div class="legend">{}</div>{}{}</figure>)",
      legend, plot("", svg + "</svg>"), plot("", axis_row(ticks)));
}

std::string lease_table(const SimulationView& view, const std::vector<Shown>& shown) {
  const std::string head = "<thead><tr>" + heading("Machine", false) + heading("Class", false) +
                           heading("How", false) + heading("Requested") + heading("Joined") +
                           heading("Left") + heading("Attempts") + heading("Cost, USD") +
                           heading("Rented because", false) + heading("Left because", false) +
                           "</tr></thead>";
  std::string rows;
  for (const Shown& each : shown) {
    const Lease& lease = each.lease;
    rows += fmt::format(R"(<tr><th scope="row" data-v="{}">{}</th><td>{}</td><td>{}</td>)", lease.node,
                        isolated(shortened(view.node_names[lease.node], 40)),
                        isolated(shortened(group_of(view, lease).node_class, 40)), kind_of(lease));
    rows += time_cell(lease.requested) + time_cell(lease.joined) + time_cell(lease.left);
    rows += value_cell(static_cast<double>(each.reason.tasks), count_text(each.reason.tasks));
    rows += value_cell(to_usd(lease.cost), decimal_text(to_usd(lease.cost)));
    rows += fmt::format("<td>{}</td><td>{}</td></tr>\n",
                        escape(shortened(why_rented(each.reason, label_of(view, each.reason)), 80)),
                        escape(why_left(each.reason)));
  }
  return long_table("lease-table", "Leases", "machine or class", head, rows);
}

}  // namespace

std::string leases_section(const SimulationView& view) {
  const std::vector<Lease>& leases = view.result().leases;
  if (leases.empty()) return "";
  const std::vector<LeaseReason> reasons = lease_reasons(view.workload(), view.cluster(), view.result());
  std::vector<Shown> shown;
  for (std::size_t i = 0; i < std::min(leases.size(), most_rows); ++i)
    shown.push_back({leases[i], reasons[i]});
  const LeaseTotals totals = totals_of(view.result());
  std::string introduction = fmt::format(
      "{} rented, {} taken away by the market, {:.1f} machine hours, {} paid for them.",
      counted(totals.leases, "machine"), count_text(totals.revoked),
      static_cast<double>(to_ms(totals.machine_time)) / 3'600'000, money_text(to_usd(totals.cost)));
  if (shown.size() < leases.size())
    introduction += fmt::format(" Drawn one by one and listed are the first {}; <code>--json</code> has all.",
                                count_text(static_cast<Count>(shown.size())));
  const std::vector<Tick> ticks = view.ticks();
  return section("leases", "Rented machines", introduction,
                 "<div class=\"use\">" + curve_figure(machines_chart(view), ticks, view.horizon) +
                     curve_figure(price_chart(view), ticks, view.horizon) + "</div>" +
                     lease_bars(view, shown) + lease_table(view, shown));
}

}  // namespace wavewright::report
