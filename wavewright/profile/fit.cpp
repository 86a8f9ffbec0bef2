#include "wavewright/profile/fit.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <boost/math/distributions/students_t.hpp>

namespace wavewright {

namespace {

double t_quantile(std::size_t points) {
  const boost::math::students_t_distribution<double> student(static_cast<double>(points - 2));
  return boost::math::quantile(student, (1 + LinearFit::level) / 2);
}

std::size_t count_sizes(std::span<const FitPoint> points) {
  std::vector<double> xs;
  for (const FitPoint& point : points) xs.push_back(point.x);
  std::sort(xs.begin(), xs.end());
  std::size_t sizes = 0;
  double last = 0;
  for (const double x : xs) {
    if (sizes > 0 && x <= last * 1.05) continue;
    ++sizes;
    last = x;
  }
  return sizes;
}

std::vector<std::string> flags_of(const PhaseFit& fitted) {
  std::vector<std::string> flags;
  if (!fitted.line) {
    flags.push_back(fitted.points.size() < 3 ? "fewer than three runs tell it" : "one size only");
    return flags;
  }
  const LinearFit& line = *fitted.line;
  if (line.sizes < 4) flags.push_back(fmt::format("{} sizes only", line.sizes));
  if (!line.high_leverage.empty()) {
    flags.push_back(
        fmt::format("{} of {} runs pull the line (leverage)", line.high_leverage.size(), line.points));
  }
  if (line.slope_low <= 0 && line.slope_high >= 0) flags.emplace_back("may not depend on the size at all");
  return flags;
}

double mean_ms(std::initializer_list<const std::vector<Duration>*> parts) {
  double sum = 0;
  std::size_t count = 0;
  for (const std::vector<Duration>* part : parts) {
    for (const Duration duration : *part) sum += static_cast<double>(duration.count());
    count += part->size();
  }
  return count == 0 ? -1 : sum / static_cast<double>(count);
}

bool tells(const RunPhases& run) {
  return run.state == RunState::succeeded && run.has_input();
}

}  // namespace

double LinearFit::prediction_margin(double x) const {
  const auto n = static_cast<double>(points);
  const double distance = (x - mean_x) * (x - mean_x) / spread_x;
  return t_quantile(points) * deviation * std::sqrt(1 + 1 / n + distance);
}

std::optional<LinearFit> fit(std::span<const FitPoint> points) {
  LinearFit line;
  line.points = points.size();
  line.sizes = count_sizes(points);
  if (line.points < 3 || line.sizes < 2) return std::nullopt;
  const auto n = static_cast<double>(points.size());
  double mean_y = 0;
  for (const FitPoint& point : points) {
    line.mean_x += point.x / n;
    mean_y += point.y / n;
  }
  double xy = 0, yy = 0;
  for (const FitPoint& point : points) {
    line.spread_x += (point.x - line.mean_x) * (point.x - line.mean_x);
    xy += (point.x - line.mean_x) * (point.y - mean_y);
    yy += (point.y - mean_y) * (point.y - mean_y);
  }
  line.slope = xy / line.spread_x;
  line.intercept = mean_y - line.slope * line.mean_x;
  double residual = 0;
  for (const FitPoint& point : points)
    residual += (point.y - line.at(point.x)) * (point.y - line.at(point.x));
  line.r2 = yy > 0 ? 1 - residual / yy : 0;
  line.deviation = std::sqrt(residual / (n - 2));
  const double t = t_quantile(points.size());
  const double of_slope = t * line.deviation / std::sqrt(line.spread_x);
  const double of_intercept =
      t * line.deviation * std::sqrt(1 / n + line.mean_x * line.mean_x / line.spread_x);
  line.slope_low = line.slope - of_slope;
  line.slope_high = line.slope + of_slope;
  line.intercept_low = line.intercept - of_intercept;
  line.intercept_high = line.intercept + of_intercept;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double leverage = 1 / n + (points[i].x - line.mean_x) * (points[i].x - line.mean_x) / line.spread_x;
    if (n >= 5 && leverage > 4 / n) line.high_leverage.push_back(i);
  }
  return line;
}

std::vector<PhaseFit> fit_phases(std::span<const RunPhases> runs) {
  Count reduces = -1;
  bool equal_reduces = true;
  for (const RunPhases& run : runs) {
    if (!tells(run)) continue;
    equal_reduces = equal_reduces && (reduces < 0 || reduces == run.reduces);
    reduces = run.reduces;
  }
  const std::string per_reduce = equal_reduces ? "input_bytes" : "input_bytes_per_reduce";
  std::vector<PhaseFit> fits = {{"maps", "input_bytes", {}, {}, {}},
                                {"map", "input_bytes", {}, {}, {}},
                                {"shuffle", per_reduce, {}, {}, {}},
                                {"reduce", per_reduce, {}, {}, {}}};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const RunPhases& run = runs[i];
    if (!tells(run)) continue;
    const auto bytes = static_cast<double>(run.map_input->count);
    const double per = equal_reduces ? bytes : bytes / static_cast<double>(std::max<Count>(1, run.reduces));
    const auto add = [&](PhaseFit& fitted, double x, double y) {
      if (y >= 0) fitted.points.push_back({x, y, i});
    };
    add(fits[0], bytes, static_cast<double>(run.maps));
    add(fits[1], bytes, mean_ms({&run.map}));
    add(fits[2], per, mean_ms({&run.first_shuffle, &run.shuffle}));
    add(fits[3], per, mean_ms({&run.reduce}));
  }
  for (PhaseFit& fitted : fits) {
    fitted.line = fit(fitted.points);
    fitted.flags = flags_of(fitted);
  }
  return fits;
}

}  // namespace wavewright
