#include "wavewright/report/charts/price_chart.h"

#include <algorithm>

#include <fmt/format.h>

#include "wavewright/report/charts/line_chart.h"
#include "wavewright/report/page/html.h"

namespace wavewright {

namespace {

constexpr double micro_per_cent = 10'000, ms_of_a_day = 86'400'000;

double cents(Money price) {
  return static_cast<double>(price.micro_usd) / micro_per_cent;
}

// Two points a change, so that the line is a stair.
std::vector<LinePoint> stairs(const PriceHistory& history) {
  std::vector<LinePoint> points;
  const auto days = [&](Time instant) {
    return static_cast<double>(to_ms(instant - history.begin())) / ms_of_a_day;
  };
  for (std::size_t i = 0; i < history.points().size(); ++i) {
    const PricePoint& point = history.points()[i];
    points.push_back({days(point.from), cents(point.per_hour)});
    points.push_back({days(history.until(i)), cents(point.per_hour)});
  }
  return points;
}

// Of each column the lowest and the highest price that held in it.
std::vector<LinePoint> columns_of(const PriceHistory& history) {
  std::vector<LinePoint> points;
  const double days = static_cast<double>(to_ms(history.length())) / ms_of_a_day;
  std::size_t i = 0;
  for (std::size_t column = 0; column < chart_columns; ++column) {
    const Time end = history.begin() + ms(to_ms(history.length()) / static_cast<std::int64_t>(chart_columns) *
                                          static_cast<std::int64_t>(column + 1));
    Money low = history.points()[i].per_hour, high = low;
    while (i + 1 < history.points().size() && history.points()[i + 1].from < end) {
      ++i;
      low = std::min(low, history.points()[i].per_hour);
      high = std::max(high, history.points()[i].per_hour);
    }
    const double x = days * (static_cast<double>(column) + 0.5) / static_cast<double>(chart_columns);
    points.push_back({x, cents(low)});
    if (high > low) points.push_back({x, cents(high)});
  }
  return points;
}

}  // namespace

std::string price_svg(const PriceHistory& history, const std::vector<Money>& bids) {
  LineChart chart = {.title = "Spot price of " + history.market().text(),
                     .across = "days from the beginning",
                     .up = "US cents an hour",
                     .lines = {}};
  const bool few = history.points().size() <= chart_columns;
  chart.lines.push_back({"spot price", few ? stairs(history) : columns_of(history), {}});
  const double days = static_cast<double>(to_ms(history.length())) / ms_of_a_day;
  for (const Money bid : bids)
    chart.lines.push_back(
        {fmt::format("bid {:g} USD", to_usd(bid)), {{0, cents(bid)}, {days, cents(bid)}}, {}});
  return line_chart_svg(chart);
}

std::string price_page(const PriceHistory& history, const std::vector<BidRisk>& risks) {
  using namespace report;
  std::vector<Money> bids;
  constexpr std::size_t most_lines = 3;
  for (const BidRisk& risk : risks)
    if (bids.size() < most_lines) bids.push_back(risk.bid);
  const std::string title = escape("Spot price of " + history.market().text());
  std::string html =
      "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + title +
      "</title><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">"
      "<style>body{font:14px system-ui,'Liberation Sans',Arial,sans-serif;margin:24px;color:#1c2230;"
      "background:#fbfbfa}svg{max-width:100%;height:auto}table{border-collapse:collapse;margin-top:16px}"
      ".scroll{overflow-x:auto}:focus-visible{outline:2px solid #2e62b8;outline-offset:2px}"
      "td,th{padding:3px 12px 3px 0;text-align:right}tr+tr td{border-top:1px solid #e0e2e7}</style></head>"
      "<body><main><h1>" +
      title + "</h1><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Chart\">" +
      price_svg(history, bids) + "</div>";
  html +=
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Bids\"><table><tr>"
      "<th scope=\"col\">Bid (USD an hour)</th><th scope=\"col\">Time there</th><th scope=\"col\">Revocations"
      "</th><th scope=\"col\">A day</th><th scope=\"col\">Mean price (USD an hour)</th></tr>";
  for (const BidRisk& risk : risks) {
    html += fmt::format("<tr><td>{:g}</td><td>{:.1f} %</td><td>{}</td><td>{:.2f}</td><td>{:.6f}</td></tr>",
                        to_usd(risk.bid), 100 * risk.share_available(), risk.revocations,
                        risk.revocations_per_day(), risk.price_micro_usd / 1e6);
  }
  return html + "</table></div></main></body></html>\n";
}

}  // namespace wavewright
