#include "wavewright/report/rental_report.h"

#include <cmath>

#include <fmt/format.h>

#include "wavewright/report/cells.h"
#include "wavewright/report/charts/charts.h"
#include "wavewright/report/charts/frontier_chart.h"
#include "wavewright/report/page/html.h"
#include "wavewright/report/page/page.h"
#include "wavewright/report/sections/sections.h"
#include "wavewright/report/text.h"

namespace wavewright {

namespace {

using namespace report;

std::string plus_minus(double half, const std::string& text) {
  return std::isfinite(half) && half > 0 ? " ± " + text : "";
}

std::string cost_text(const MeanInterval& cost) {
  return money_text(cost.mean) + plus_minus(cost.half, money_text(cost.half));
}

std::string tardiness_text(const MeanInterval& ms_in_all) {
  const auto text = [](double value) { return duration_text(ms(std::llround(value))); };
  // A half is not rounded before it is known to be finite.
  return text(ms_in_all.mean) +
         (std::isfinite(ms_in_all.half) && ms_in_all.half > 0 ? " ± " + text(ms_in_all.half) : "");
}

std::string headline(const RentalReport& data) {
  const RentalChoice& choice = data.choice;
  const std::string limit = probability_text(data.late_at_most);
  if (!choice.best) {
    const RentalFigures& least = choice.options[*choice.least_tardy];
    return fmt::format("No option keeps the share of tardy jobs at {}: the least tardy has <b>{}</b>.", limit,
                       probability_text(least.tardy.mean));
  }
  const RentalFigures& best = choice.options[*choice.best];
  return fmt::format("<b>{}</b> is the cheapest with at most {} of the jobs tardy: <b>{}</b>.",
                     isolated(in_words(best.option)), limit, money_text(best.cost_usd.mean));
}

std::string tiles(const RentalReport& data) {
  const RentalChoice& choice = data.choice;
  std::string html;
  if (choice.best) {
    const RentalFigures& best = choice.options[*choice.best];
    html +=
        tile("cost of rented machines", money_text(best.cost_usd.mean),
             escape(cost_text(best.cost_usd) + ", mean of " + counted(static_cast<Count>(best.runs), "run")),
             "main");
    html += tile(
        "tardy jobs", probability_text(best.tardy.mean),
        fmt::format("{}{} of {} with a deadline; in total {} late", mean_count_text(best.tardy_jobs.mean),
                    plus_minus(best.tardy_jobs.half, mean_count_text(best.tardy_jobs.half)),
                    count_text(static_cast<Count>(data.jobs)), tardiness_text(best.tardiness_ms)));
    html +=
        tile("machine hours", decimal_text(best.machine_hours),
             fmt::format("{} machines, {} revoked", decimal_text(best.leases), decimal_text(best.revoked)));
  }
  if (choice.bound_as_best)
    html += tile("no schedule costs less", money_text(*choice.bound_as_best),
                 "for the jobs that are in time here");
  if (choice.bound_all_in_time)
    html += tile("no schedule costs less", money_text(*choice.bound_all_in_time), "for all jobs in time");
  return "<dl class=\"tiles\">" + html + "</dl>";
}

std::string applied_section(const AppliedRental& applied) {
  std::string html;
  const auto line = [&](const std::string& what, const std::string& value) {
    html += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", what, value);
  };
  line("Batch", isolated(applied.batch));
  line("Machines at once", count_text(applied.machines));
  if (!applied.what.empty()) line("Kind", isolated(applied.what));
  if (applied.length > Duration{}) line("For", duration_text(applied.length));
  if (applied.most_usd) line("Cost at most", money_text(*applied.most_usd));
  if (applied.budget_usd) line("Budget of the batch", money_text(*applied.budget_usd));
  if (applied.together) {
    line("Rented together, simulated", escape(cost_text(applied.together->cost_usd)));
    line("Tardy then",
         probability_text(applied.together->tardy.mean) +
             plus_minus(applied.together->tardy.half, percent_text(applied.together->tardy.half)));
  }
  const std::string how = !applied.problem.empty() ? "Not all was rented: " + isolated(applied.problem) + "."
                          : applied.machines == 0  ? "The answer rents no machines."
                          : applied.dry_run        ? "A dry run: nothing was rented."
                                                   : "These machines were rented for the answer.";
  return section("applied", "Rented", how, "<table class=\"data\"><tbody>\n" + html + "</tbody></table>");
}

std::string rows(const RentalChoice& choice) {
  std::string html;
  for (std::size_t i = 0; i < choice.options.size(); ++i) {
    const RentalFigures& of = choice.options[i];
    html += fmt::format(R"(<tr><th scope="row" data-v="{}">{}</th><td>{}</td>)", i,
                        isolated(shortened(of.option.policy, 60)),
                        escape(of.option.machines) +
                            (of.option.node_class.empty() ? "" : " " + isolated(of.option.node_class)));
    html += of.option.bid ? value_cell(to_usd(*of.option.bid), decimal_text(to_usd(*of.option.bid)))
                          : value_cell(-1, "–");
    html += value_cell(of.cost_usd.mean, escape(cost_text(of.cost_usd)));
    html += value_cell(of.tardy.mean, probability_text(of.tardy.mean) +
                                          plus_minus(of.tardy.half, percent_text(of.tardy.half)));
    html += value_cell(of.tardy_jobs.mean,
                       mean_count_text(of.tardy_jobs.mean) +
                           plus_minus(of.tardy_jobs.half, mean_count_text(of.tardy_jobs.half)));
    html += value_cell(of.tardiness_ms.mean, tardiness_text(of.tardiness_ms));
    html += value_cell(of.machine_hours, decimal_text(of.machine_hours));
    html += value_cell(of.revoked, decimal_text(of.revoked));
    html += fmt::format("<td>{}</td></tr>\n", i == choice.best ? "<b>cheapest within the limit</b>"
                                              : of.frontier    ? "frontier"
                                                               : "");
  }
  return html;
}

std::string options_section(const RentalReport& data) {
  const std::string head = "<thead><tr>" + heading("Policy", false) + heading("Machines", false) +
                           heading("Bid, USD/h") + heading("Cost") + heading("Tardy") +
                           heading("Tardy jobs") + heading("Tardiness") + heading("Machine hours") +
                           heading("Revoked") + heading("", false) + "</tr></thead>";
  return section("options", "All options",
                 fmt::format("Means of {}; ± is half the 95 % interval.",
                             counted(static_cast<Count>(data.seeds), "run")),
                 long_table("option-table", "Options", "policy or mix", head, rows(data.choice)));
}

}  // namespace

std::string in_words(const RentalOption& option) {
  std::string text = option.policy;
  if (!option.machines.empty()) text += ", " + option.machines;
  if (!option.node_class.empty()) text += " " + option.node_class;
  if (option.bid) text += fmt::format(" for {} USD", to_usd(*option.bid));
  return text;
}

void write_rental_report(std::ostream& out, const RentalReport& data) {
  Page page{data.title, data.generated, {}, script_data(ms(1), {}, {})};
  page.parts.push_back(
      {"summary", "Summary",
       summary(headline(data),
               data.choice.partial ? "Stopped before all was simulated: what there was by then." : "",
               tiles(data))});
  if (data.applied) page.parts.push_back({"applied", "Rented", applied_section(*data.applied)});
  page.parts.push_back(
      {"frontier", "Cost and tardiness",
       section(
           "frontier", "Cost and tardiness",
           "Each dot is a policy with its mix of machines and its bid. Down is cheaper, left is less tardy.",
           frontier_figure(data))});
  page.parts.push_back({"options", "All options", options_section(data)});
  write_page(out, page);
}

}  // namespace wavewright
