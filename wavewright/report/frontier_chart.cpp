#include "wavewright/report/frontier_chart.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "wavewright/report/charts.h"
#include "wavewright/report/html.h"
#include "wavewright/report/svg.h"
#include "wavewright/report/text.h"

namespace wavewright::report {

namespace {

constexpr double height = 340;
constexpr std::size_t colours = 6;  // classes f0 to f5 of the page's style; f5 stands for all others

struct Frame {
  double most_share = 1, most_cost = 1;

  [[nodiscard]] double x(double share) const { return std::min(1.0, share / most_share) * chart_width; }
  [[nodiscard]] double y(double usd) const { return (1 - std::min(1.0, usd / most_cost)) * height; }
};

Frame frame_of(const RentalReport& data) {
  double share = std::max(1e-3, data.late_at_most), cost = 1e-6;
  for (const RentalFigures& each : data.choice.options) {
    share = std::max(share, each.tardy.mean);
    cost = std::max(cost, each.cost_usd.mean);
  }
  return {share * 1.05, cost * 1.08};
}

// Names of policies, without their parameters, in order of first mention by cost.
std::vector<std::string> names_of(const RentalChoice& choice) {
  std::vector<std::string> names;
  for (const RentalFigures& each : choice.options) {
    const std::string name = each.option.policy.substr(0, each.option.policy.find('('));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

std::size_t colour_of(const std::vector<std::string>& names, const RentalOption& option) {
  const auto found = std::find(names.begin(), names.end(), option.policy.substr(0, option.policy.find('(')));
  const auto at = static_cast<std::size_t>(found - names.begin());
  return names.size() <= colours ? at : std::min(at, colours - 1);
}

std::string tip(const RentalFigures& of) {
  return fmt::format("{}\n{} for rented machines\n{} of the jobs tardy\n{:.1f} machine hours, {:.1f} revoked",
                     in_words(of.option), money_text(of.cost_usd.mean), probability_text(of.tardy.mean),
                     of.machine_hours, of.revoked);
}

// For each share of tardy jobs the least cost of an option with no more.
std::string frontier_line(const RentalChoice& choice, const Frame& frame) {
  Path path;
  double x_before = chart_width;
  for (const RentalFigures& each : choice.options) {
    if (!each.frontier) continue;
    const double x = frame.x(each.tardy.mean), y = frame.y(each.cost_usd.mean);
    path.empty() ? path.move(x_before, y) : path.to(x_before, y);
    path.to(x, y);
    x_before = x;
  }
  return path.element("class=\"curve p0\"");
}

std::string shapes(const RentalReport& data, const Frame& frame, const std::vector<std::string>& names) {
  const RentalChoice& choice = data.choice;
  Path levels;
  for (const Tick& tick : value_ticks(frame.most_cost, 6))
    levels.line(0, (1 - tick.position) * height, chart_width, (1 - tick.position) * height);
  std::string svg = levels.element("class=\"grid\"");
  const double limit = frame.x(data.late_at_most);
  svg += Path().line(limit, 0, limit, height).element("class=\"deadline-line\"");
  if (choice.bound_all_in_time) {
    const double y = frame.y(*choice.bound_all_in_time);
    svg += Path().line(0, y, chart_width, y).element("class=\"bound-line\"");
  }
  svg += frontier_line(choice, frame);
  for (std::size_t i = choice.options.size(); i-- > 0;) {
    const RentalFigures& each = choice.options[i];
    const double x = frame.x(each.tardy.mean), y = frame.y(each.cost_usd.mean);
    if (i == choice.best) svg += Path().dot(x, y).element("class=\"dot best\"");
    svg += Path().dot(x, y).element(
        fmt::format("class=\"dot f{}\" data-tip=\"{}\"", colour_of(names, each.option), escape(tip(each))));
  }
  return svg;
}

std::string legend(const RentalReport& data, const std::vector<std::string>& names) {
  std::string html;
  const std::size_t own = names.size() <= colours ? names.size() : colours - 1;
  for (std::size_t i = 0; i < own; ++i)
    html += key(fmt::format("spot f{}", i), isolated(shortened(names[i], 40)));
  if (own < names.size()) html += key("spot f5", fmt::format("{} others", names.size() - own));
  html += key("curve-line", "frontier: none is both cheaper and less tardy");
  html += key("deadline", fmt::format("at most <b>{}</b> tardy", probability_text(data.late_at_most)));
  if (data.choice.bound_all_in_time)
    html += key("bound-line", fmt::format("no schedule with all in time costs less than <b>{}</b>",
                                          money_text(*data.choice.bound_all_in_time)));
  if (data.choice.best) html += key("chosen", "cheapest within the limit");
  return html;
}

}  // namespace

std::string frontier_figure(const RentalReport& data) {
  const Frame frame = frame_of(data);
  const std::vector<std::string> names = names_of(data.choice);
  std::vector<Tick> across = value_ticks(100 * frame.most_share, 8);
  for (Tick& tick : across) tick.label += "\u202F%";
  const std::string area =
      open_chart(height, "Cost of rented machines over the share of tardy jobs",
                 "A dot for each policy, mix and bid; below the line of the frontier is none") +
      vertical_lines(across, height) + shapes(data, frame, names) + "</svg>";
  return fmt::format(R"(<figure class="frontier"><div class="legend">{}</div>{}{}</figure>)",
                     legend(data, names),
                     plot("<b>USD</b>" + gutter_ticks(value_ticks(frame.most_cost, 6)), area),
                     plot("<span class=\"level\">tardy</span>", axis_row(across)));
}

}  // namespace wavewright::report
