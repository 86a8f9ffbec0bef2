#include "wavewright/report/charts/evaluation_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/report/charts/scale.h"
#include "wavewright/report/charts/svg.h"
#include "wavewright/report/page/html.h"
#include "wavewright/report/text.h"

namespace wavewright {

namespace {

using namespace report;

constexpr double side = 270;    // of a panel's plot
constexpr double left = 58;     // left of the plot, for labels
constexpr double above = 34;    // above the plot, for the heading
constexpr double across = 346;  // distance between panels
constexpr double down = 348;
constexpr int columns = 3;

struct Method {
  const char* title;
  double EvaluatedRun::* value;
};
constexpr std::array<Method, 5> methods = {
    {{"p50 (simulated), with its 90 % interval", &EvaluatedRun::p50_ms},
     {"waves", &EvaluatedRun::wave_ms},
     {"average of the bounds", &EvaluatedRun::avg_ms},
     {"low", &EvaluatedRun::low_ms},
     {"up", &EvaluatedRun::up_ms}}};

// Colours of Paul Tol's `bright` and `muted` that are distinct on white.
constexpr std::array<const char*, 10> colours = {"#4477aa", "#ee6677", "#228833", "#b8860b", "#66ccee",
                                                 "#aa3377", "#332288", "#999933", "#882255", "#44aa99"};
constexpr const char* other_colour = "#8a8f98";

using Colours = std::map<std::string, std::string>;

// Jobs with most runs get their own colours.
Colours colours_of(const std::vector<EvaluatedRun>& runs) {
  Colours by_name;
  std::map<std::string, int> counts;
  for (const EvaluatedRun& run : runs) {
    by_name.emplace(run.name, other_colour);
    ++counts[run.name];
  }
  std::vector<std::pair<int, std::string>> most;
  most.reserve(counts.size());
  for (const auto& [name, count] : counts) most.emplace_back(-count, name);
  std::sort(most.begin(), most.end());
  const std::size_t own = most.size() <= colours.size() ? most.size() : colours.size() - 1;
  for (std::size_t i = 0; i < own; ++i) by_name[most[i].second] = colours[i];
  return by_name;
}

class LogAxis {
 public:
  explicit LogAxis(const std::vector<EvaluatedRun>& runs) {
    double least = runs.front().measured_ms;
    double most = least;
    for (const EvaluatedRun& run : runs) {
      least = std::min({least, run.measured_ms, std::max(1.0, run.p50_ms)});
      most = std::max({most, run.measured_ms, run.p50_ms, run.up_ms});
    }
    low_ = std::log(std::max(1.0, least * 0.8));
    high_ = std::max(std::log(most * 1.25), low_ + std::log(2.0));
  }
  [[nodiscard]] double at(double milliseconds) const {
    const double place = (std::log(std::max(1.0, milliseconds)) - low_) / (high_ - low_);
    return side * std::clamp(place, 0.0, 1.0);
  }
  // About four round durations.
  [[nodiscard]] std::vector<std::int64_t> ticks() const {
    static const std::vector<std::int64_t> ladder = {
        1,         2,         5,          10,         20,         50,          100,
        200,       500,       1'000,      2'000,      5'000,      10'000,      20'000,
        30'000,    60'000,    120'000,    300'000,    600'000,    1'200'000,   1'800'000,
        3'600'000, 7'200'000, 14'400'000, 28'800'000, 86'400'000, 172'800'000, 604'800'000};
    std::vector<std::int64_t> inside;
    for (const std::int64_t value : ladder) {
      const double log = std::log(static_cast<double>(value));
      if (log >= low_ && log <= high_) inside.push_back(value);
    }
    std::vector<std::int64_t> few;
    const std::size_t step = std::max<std::size_t>(1, (inside.size() + 4) / 5);
    for (std::size_t i = 0; i < inside.size(); i += step) few.push_back(inside[i]);
    return few;
  }
  [[nodiscard]] double low_ms() const { return std::exp(low_); }
  [[nodiscard]] double high_ms() const { return std::exp(high_); }

 private:
  double low_ = 0;
  double high_ = 1;
};

std::string text_at(double x, double y, const std::string& content, const char* attributes) {
  return fmt::format(R"(<text x="{}" y="{}" {}>{}</text>)", number(x), number(y), attributes,
                     escape(content));
}

std::string frame(const LogAxis& axis) {
  std::string svg = fmt::format(R"(<rect width="{0}" height="{0}" class="frame"/>)", number(side));
  for (const std::int64_t tick : axis.ticks()) {
    const double x = axis.at(static_cast<double>(tick));
    svg += Path().line(x, 0, x, side).line(0, side - x, side, side - x).element("class=\"grid\"");
    const std::string label = format_duration(ms(tick));
    svg += text_at(x, side + 15, label, "text-anchor=\"middle\"");
    svg += text_at(-6, side - x + 4, label, "text-anchor=\"end\"");
  }
  const double low = axis.low_ms();
  const double high = axis.high_ms();
  Path band;
  band.move(axis.at(low), side - axis.at(low * 1.1)).to(axis.at(high / 1.1), side - axis.at(high));
  band.to(axis.at(high), side - axis.at(high)).to(axis.at(high), side - axis.at(high * 0.9));
  band.to(axis.at(low / 0.9), side - axis.at(low)).to(axis.at(low), side - axis.at(low));
  svg += band.close().element("class=\"band\"");
  return svg + Path().line(0, side, side, 0).element("class=\"diagonal\"");
}

double mean_absolute(const std::vector<EvaluatedRun>& runs, double EvaluatedRun::* value) {
  double sum = 0;
  for (const EvaluatedRun& run : runs) sum += std::abs(run.*value - run.measured_ms) / run.measured_ms;
  return sum / static_cast<double>(runs.size());
}

std::string panel(const std::vector<EvaluatedRun>& runs, const LogAxis& axis, const Method& method,
                  const Colours& colour) {
  const bool intervals = method.value == &EvaluatedRun::p50_ms;
  std::string svg = text_at(0, -12, method.title, "class=\"heading\"");
  svg += frame(axis);
  for (const EvaluatedRun& run : runs) {
    const double x = axis.at(run.measured_ms);
    const std::string& paint = colour.at(run.name);
    if (intervals) {
      svg += Path()
                 .line(x, side - axis.at(run.p5_ms), x, side - axis.at(run.p95_ms))
                 .element(fmt::format("class=\"interval\" stroke=\"{}\"", paint));
    }
    svg += fmt::format(
        R"(<circle cx="{}" cy="{}" r="3.2" fill="{}"><title>{} {}: measured {}, predicted {}</title></circle>)",
        number(x), number(side - axis.at(run.*method.value)), paint, escape(shortened(run.name, 60)),
        escape(run.id), format_duration(ms(std::llround(run.measured_ms))),
        format_duration(ms(std::llround(run.*method.value))));
  }
  return svg;
}

std::string legend(const std::vector<EvaluatedRun>& runs, const Colours& colour) {
  std::string svg = text_at(0, -12, "Mean absolute error", "class=\"heading\"");
  double y = 12;
  for (const Method& method : methods) {
    svg += text_at(0, y, method.value == &EvaluatedRun::p50_ms ? "p50" : method.title, "");
    svg += text_at(210, y, fmt::format("{:.1f} %", 100 * mean_absolute(runs, method.value)),
                   "text-anchor=\"end\"");
    y += 18;
  }
  const auto held = std::count_if(runs.begin(), runs.end(), [](const EvaluatedRun& run) {
    return run.p5_ms <= run.measured_ms && run.measured_ms <= run.p95_ms;
  });
  svg += text_at(0, y, fmt::format("{} of {} runs within the 90 % interval", held, runs.size()), "");
  y += 26;
  std::size_t others = 0;
  for (const auto& [name, paint] : colour) {
    if (paint == other_colour && colour.size() > colours.size()) {
      ++others;
      continue;
    }
    svg += fmt::format(R"(<circle cx="4" cy="{}" r="4" fill="{}"/>)", number(y - 4), paint);
    svg += text_at(14, y, shortened(name, 36), "");
    y += 16;
  }
  if (others > 0) {
    svg += fmt::format(R"(<circle cx="4" cy="{}" r="4" fill="{}"/>)", number(y - 4), other_colour);
    svg += text_at(14, y, fmt::format("{} other jobs", others), "");
  }
  return svg;
}

constexpr const char* style =
    "text{font:12px system-ui,'Liberation "
    "Sans',Arial,sans-serif;fill:#1c2230}.heading{font-weight:600;font-size:13px}"
    ".frame{fill:#fff;stroke:#b8bec9}.grid{stroke:#e6e8ec;fill:none}.band{fill:#2e62b822}"
    ".diagonal{stroke:#596273;stroke-width:1.2}.interval{stroke-width:1;opacity:.55}circle{fill-opacity:.85}";

}  // namespace

std::string evaluation_svg(const std::vector<EvaluatedRun>& runs) {
  if (runs.empty()) {
    throw UsageError("no run could be predicted from others", "import at least two runs of a job to draw");
  }
  const LogAxis axis(runs);
  const Colours colour = colours_of(runs);
  const double width = columns * across;
  const double height = 2 * down + 34;
  std::string svg = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img">)"
      R"(<title>Predicted against measured completion time</title><style>{2}</style>)"
      R"(<rect width="{0}" height="{1}" fill="#fbfbfa"/>)",
      number(width), number(height), style);
  for (std::size_t i = 0; i <= methods.size(); ++i) {
    const double x = left + across * static_cast<double>(i % columns);
    const std::size_t row = i / columns;
    const double y = above + down * static_cast<double>(row);
    svg += fmt::format("<g transform=\"translate({} {})\">", number(x), number(y));
    svg += (i < methods.size() ? panel(runs, axis, methods[i], colour) : legend(runs, colour)) + "</g>";
  }
  svg +=
      text_at(left, height - 10,
              fmt::format("Across: measured; up: predicted from other runs of the job. {} runs; band: within "
                          "±10 %, line: equal.",
                          runs.size()),
              "");
  return svg + "</svg>\n";
}

std::string evaluation_page(const std::vector<EvaluatedRun>& runs) {
  std::string html =
      "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Predicted against "
      "measured</title><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">"
      "<style>body{font:14px system-ui,'Liberation "
      "Sans',Arial,sans-serif;margin:24px;color:#1c2230;background:#fbfbfa}"
      ".scroll{overflow-x:auto}:focus-visible{outline:2px solid #2e62b8;outline-offset:2px}"
      "svg{max-width:100%;min-width:760px;height:auto}table{border-collapse:collapse;margin-top:16px}"
      "td,th{padding:3px 12px 3px 0;text-align:right}td:nth-child(-n+2),th:nth-child(-n+2){text-align:left}"
      "tr+tr td{border-top:1px solid #e0e2e7}</style></head><body><main><h1>Predicted against measured</h1>"
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Charts\">" +
      evaluation_svg(runs);
  html +=
      "</div><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Runs\"><table><tr>"
      "<th scope=\"col\">Job</th><th scope=\"col\">Run</th><th scope=\"col\">Measured</th><th "
      "scope=\"col\">p5</th>"
      "<th scope=\"col\">p50</th><th scope=\"col\">p95</th><th scope=\"col\">Error</th></tr>";
  const auto text = [](double value) { return format_duration(ms(std::llround(value))); };
  for (const EvaluatedRun& run : runs) {
    html += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:+.1f} %</td></tr>",
        isolated(shortened(run.name, 60)), escape(run.id), text(run.measured_ms), text(run.p5_ms),
        text(run.p50_ms), text(run.p95_ms), 100 * (run.p50_ms - run.measured_ms) / run.measured_ms);
  }
  return html + "</table></div></main></body></html>\n";
}

}  // namespace wavewright
