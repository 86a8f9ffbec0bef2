#include "wavewright/report/charts/frontier_chart.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "wavewright/report/charts/charts.h"
#include "wavewright/report/charts/scatter_chart.h"
#include "wavewright/report/page/html.h"
#include "wavewright/report/text.h"

namespace wavewright::report {

namespace {

constexpr std::size_t colours = 6;  // classes f0 to f5 of the page's style; f5 stands for all others

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
  const RentalChoice& choice = data.choice;
  double share = std::max(1e-3, data.late_at_most), cost = 1e-6;
  for (const RentalFigures& each : choice.options) {
    share = std::max(share, each.tardy.mean);
    cost = std::max(cost, each.cost_usd.mean);
  }
  share *= 1.05;
  cost *= 1.08;
  const std::vector<std::string> names = names_of(choice);
  Scatter chart{.title = "Cost of rented machines over the share of tardy jobs",
                .description = "A dot for each policy, mix and bid; below the line of the frontier is none",
                .legend = legend(data, names),
                .unit_x = "tardy",
                .unit_y = "USD",
                .most_x = share,
                .most_y = cost,
                .across = value_ticks(100 * share, 8),
                .up = value_ticks(cost, 6),
                .dots = {},
                .limit_x = data.late_at_most,
                .bound_y = choice.bound_all_in_time};
  for (Tick& tick : chart.across) tick.label += "\u202F%";
  for (std::size_t i = 0; i < choice.options.size(); ++i) {
    const RentalFigures& each = choice.options[i];
    chart.dots.push_back({each.tardy.mean, each.cost_usd.mean, colour_of(names, each.option), each.frontier,
                          i == choice.best, tip(each)});
  }
  return scatter_figure(chart);
}

}  // namespace wavewright::report
