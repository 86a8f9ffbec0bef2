#include "wavewright/report/prediction.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wavewright/report/cells.h"
#include "wavewright/report/charts/charts.h"
#include "wavewright/report/charts/scale.h"
#include "wavewright/report/charts/svg.h"
#include "wavewright/report/page/html.h"
#include "wavewright/report/sections/sections.h"
#include "wavewright/report/text.h"

namespace wavewright::report {

namespace {

constexpr double scatter_height = 340;
constexpr double row_pixels = 22;
constexpr std::size_t crowded = 150;  // dots; beyond this they are drawn small

Axis time_axis(const std::vector<ReportPrediction>& rows) {
  Duration low = longest_duration, high{};
  for (const ReportPrediction& row : rows) {
    for (const Duration value : {row.measured, row.low, row.up, predicted(row), row.p95.value_or(row.up)}) {
      if (value > Duration{}) low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  return Axis::fitting(std::min(low, std::max(high, ms(1))), high);
}

std::string tip(const ReportPrediction& row) {
  return fmt::format("{} {}\nmeasured {}\npredicted {} ({})\nbounds {} to {}{}", shortened(row.name, 60),
                     shortened(row.job_id, 40), duration_text(row.measured), duration_text(predicted(row)),
                     percent_change_text(relative_error(row)), duration_text(row.low), duration_text(row.up),
                     row.p95 ? "\nsimulated p95 " + duration_text(*row.p95) : "");
}

// The region in which predicted is within ±10 % of measured.
std::string tenth_band(const Axis& axis) {
  Path band;
  constexpr int steps = 24;  // the band's edges are curves near the clamped ends of a logarithmic axis
  const auto point = [&](double share, double factor, bool first) {
    const double ratio = axis.logarithmic() ? std::pow(axis.high_ms() / axis.low_ms(), share) * axis.low_ms()
                                            : axis.low_ms() + share * (axis.high_ms() - axis.low_ms());
    const double x = axis.position(ratio) * chart_width,
                 y = (1 - axis.position(ratio * factor)) * scatter_height;
    first ? band.move(x, y) : band.to(x, y);
  };
  for (int i = 0; i <= steps; ++i) point(static_cast<double>(i) / steps, 1.1, i == 0);
  for (int i = steps; i >= 0; --i) point(static_cast<double>(i) / steps, 0.9, false);
  return band.close().element("class=\"band\"");
}

std::string scatter(const std::vector<ReportPrediction>& rows, const Axis& axis) {
  const std::vector<Tick> ticks = axis.ticks(6);
  Path lines;
  for (const Tick& tick : ticks) {
    lines.line(0, (1 - tick.position) * scatter_height, chart_width, (1 - tick.position) * scatter_height);
  }
  std::string area = open_chart(scatter_height, "Predicted against measured completion time",
                                "One dot a job; the table beside it has the same values as text");
  area += tenth_band(axis) + vertical_lines(ticks, scatter_height) + lines.element("class=\"grid\"");
  area += Path().line(0, scatter_height, chart_width, 0).element("class=\"diagonal\"");
  for (const ReportPrediction& row : rows) {
    const double x = axis.position(row.measured) * chart_width;
    const double y = (1 - axis.position(predicted(row))) * scatter_height;
    area += Path().dot(x, y).element(
        fmt::format("class=\"dot{}\" data-tip=\"{}\"", row.shared ? " shared" : "", escape(tip(row))));
  }
  area += "</svg>";
  return fmt::format("<figure class=\"scatter{}\"><figcaption>Predicted ↑ against measured →</figcaption>",
                     rows.size() > crowded ? " many" : "") +
         plot(gutter_ticks(ticks), area) + plot("", axis_row(ticks)) + "<div class=\"legend\">" +
         key("band", "within ±10\u202F%") + key("diagonal line", "equal") + "</div></figure>";
}

// From the lower to the upper bound, with marks for the prediction and the measured time.
std::string interval(const ReportPrediction& row, const Axis& axis, const std::vector<Tick>& ticks) {
  const auto x = [&](Duration value) { return axis.position(value) * chart_width; };
  const double middle = row_pixels / 2;
  std::string svg = fmt::format(
      R"(<svg viewBox="0 0 1000 {0}" preserveAspectRatio="none" style="height:{0}px" aria-hidden="true">)",
      number(row_pixels));
  svg += vertical_lines(ticks, row_pixels);
  svg += Path()
             .rectangle(x(row.low), middle - 4, std::max(2.0, x(row.up) - x(row.low)), 8)
             .element("class=\"range\"");
  if (row.p95) svg += Path().line(x(*row.p95), middle - 5, x(*row.p95), middle + 5).element("class=\"p95\"");
  svg += Path().line(x(predicted(row)), middle - 7, x(predicted(row)), middle + 7).element("class=\"guess\"");
  return svg + Path().dot(x(row.measured), middle).element("class=\"dot\"") + "</svg>";
}

std::string interval_table(const std::vector<ReportPrediction>& rows, const Axis& axis) {
  const std::vector<Tick> ticks = axis.ticks(5);
  std::string html =
      open_scroll("Predicted and measured times") +
      "<table class=\"data sortable\"><thead><tr><th scope=\"col\">Job</th>"
      "<th scope=\"col\" class=\"chart\"><span class=\"unseen\">Times as a chart</span><div class=\"wide\">" +
      axis_row(ticks) +
      "</div></th>"
      "<th scope=\"col\" class=\"n\">Measured</th><th scope=\"col\" class=\"n\">Predicted</th>"
      "<th scope=\"col\" class=\"n\">Error</th></tr></thead><tbody>";
  for (const ReportPrediction& row : rows) {
    html += fmt::format(
        R"(<tr data-tip="{}"><th scope="row">{}<small>{}</small></th><td class="chart">{}</td><td class="n" data-v="{}">{}</td>)"
        R"(<td class="n" data-v="{}">{}</td><td class="n" data-v="{:.5f}">{}</td></tr>)",
        escape(tip(row)), isolated(shortened(row.name.empty() ? row.job_id : row.name, 28)),
        (row.name.empty() ? "" : isolated(shortened(row.job_id, 28))) +
            (row.shared ? " · shared the cluster" : ""),
        interval(row, axis, ticks), row.measured.count(), duration_text(row.measured), predicted(row).count(),
        duration_text(predicted(row)), std::abs(relative_error(row)),
        row.measured > Duration{} ? percent_change_text(relative_error(row)) : "–");
  }
  const bool simulated = std::any_of(rows.begin(), rows.end(), [](auto& row) { return row.p95.has_value(); });
  return "<div class=\"intervals\"><div class=\"legend chart-key\">" + key("range", "lower to upper bound") +
         key("guess line", "predicted") +
         (simulated ? key("p95 line", "upper end of the 90 % interval") : "") + key("dotted", "measured") +
         "</div>" + html + "</tbody></table></div></div>";
}

}  // namespace

Duration predicted(const ReportPrediction& row) {
  return row.p50.value_or(row.average);
}

double relative_error(const ReportPrediction& row) {
  return row.measured > Duration{} ? relative(predicted(row), row.measured) : 0;
}

Accuracy accuracy(const std::vector<ReportPrediction>& rows) {
  Accuracy result;
  for (const ReportPrediction& row : rows) {
    if (row.measured <= Duration{}) continue;
    const double error = std::abs(relative_error(row));
    if (row.shared) {
      ++result.shared;
      result.shared_error += error;
      continue;
    }
    ++result.rows;
    result.mean_absolute += error;
    result.worst = std::max(result.worst, error);
    if (error <= 0.1) ++result.within_tenth;
    if (row.low <= row.measured && row.measured <= row.up) ++result.bracketed;
  }
  if (result.rows > 0) result.mean_absolute /= static_cast<double>(result.rows);
  if (result.shared > 0) result.shared_error /= static_cast<double>(result.shared);
  return result;
}

std::string accuracy_tile(const std::vector<ReportPrediction>& rows) {
  const Accuracy all = accuracy(rows);
  if (all.rows + all.shared == 0) return "";
  if (all.rows == 0) {
    return tile(
        "Prediction error", percent_text(all.shared_error) + " when shared",
        fmt::format("mean of {} beside other jobs; none had the cluster alone", counted(all.shared, "run")));
  }
  return tile("Prediction error", percent_text(all.mean_absolute) + " alone",
              all.shared == 0
                  ? fmt::format("mean of {}", counted(all.rows, "run"))
                  : fmt::format("{} when shared; means of {} and {}", percent_text(all.shared_error),
                                counted(all.rows, "run"), counted(all.shared, "run")));
}

std::string prediction_section(const Analysis& analysis) {
  const std::vector<ReportPrediction>& rows = analysis.data->predictions;
  if (rows.empty()) return "";
  const Axis axis = time_axis(rows);
  const Accuracy all = accuracy(rows);
  const std::string introduction =
      all.rows == 0
          ? "No row has a measured time to compare with."
          : fmt::format(
                "Mean absolute error <b>{}</b> over {}; {} within ±10\u202F%, the worst {} off; {} "
                "between the "
                "bounds. Each was predicted without looking at its own run.{}",
                percent_text(all.mean_absolute), counted(all.rows, "measured run"),
                count_text(all.within_tenth), percent_text(all.worst), count_text(all.bracketed),
                all.shared == 0 ? ""
                                : fmt::format(" {} shared the cluster with other jobs, of which a "
                                              "prediction for a job alone knows nothing: shown pale, "
                                              "counted apart, with a mean absolute error of <b>{}</b>.",
                                              counted(all.shared, "run"), percent_text(all.shared_error)));
  const std::string& left_out = analysis.data->predictions_leave_out;
  const std::string used =
      left_out.empty() ? "" : fmt::format(" No run is predicted from those left out: {}.", escape(left_out));
  return section("prediction", "Predicted against measured", introduction + used,
                 "<div class=\"pair\">" + scatter(rows, axis) + interval_table(rows, axis) + "</div>");
}

}  // namespace wavewright::report
