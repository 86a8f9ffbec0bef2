#include "wavewright/rent/speedup_fit.h"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

// Errors below this are rounding: a mean square of it is 10⁻¹⁰ of S.
constexpr double no_error = 1e-20;

struct LogRun {
  double machines = 0;
  double speed = 0;  // ln S
};

struct Line {
  double start = 0;
  double slope = 0;
};

// y over x by least squares; there are two different x at least.
template <class X, class Y>
Line line(const std::vector<LogRun>& runs, X x, Y y) {
  const auto n = static_cast<double>(runs.size());
  double mean_x = 0;
  double mean_y = 0;
  for (const LogRun& run : runs) {
    mean_x += x(run) / n;
    mean_y += y(run) / n;
  }
  double both = 0;
  double square = 0;
  for (const LogRun& run : runs) {
    both += (x(run) - mean_x) * (y(run) - mean_y);
    square += (x(run) - mean_x) * (x(run) - mean_x);
  }
  const double slope = both / square;
  return {mean_y - slope * mean_x, slope};
}

SpeedupCurve fit_alpha(const std::vector<LogRun>& runs) {
  const Line found = line(
      runs, [](const LogRun& run) { return run.machines - 1; },
      [](const LogRun& run) { return run.speed - std::log(run.machines); });
  return alpha_curve(std::exp(found.slope), std::exp(found.start));
}

SpeedupCurve fit_power(const std::vector<LogRun>& runs) {
  const Line found = line(
      runs, [](const LogRun& run) { return std::log(run.machines); },
      [](const LogRun& run) { return run.speed; });
  return {SpeedupForm::power, std::exp(found.start), found.slope, {}};
}

// The best k for a parallel share, and the squared error with it.
std::pair<double, double> with_share(const std::vector<LogRun>& runs, double share) {
  const auto shape = [share](const LogRun& run) { return -std::log((1 - share) + share / run.machines); };
  double mean = 0;
  for (const LogRun& run : runs) mean += (run.speed - shape(run)) / static_cast<double>(runs.size());
  double error = 0;
  for (const LogRun& run : runs) error += std::pow(run.speed - shape(run) - mean, 2);
  return {std::exp(mean), error};
}

// A grid first: the error may have more than one minimum.
SpeedupCurve fit_amdahl(const std::vector<LogRun>& runs) {
  constexpr int steps = 256;
  const auto error = [&](double share) { return with_share(runs, share).second; };
  int best = 0;
  for (int i = 1; i <= steps; ++i) {
    if (error(double(i) / steps) < error(double(best) / steps)) best = i;
  }
  const double low = std::max(0.0, double(best - 1) / steps);
  const double high = std::min(1.0, double(best + 1) / steps);
  double share = boost::math::tools::brent_find_minima(error, low, high, 40).first;
  if (error(double(best) / steps) <= error(share)) share = double(best) / steps;
  return {SpeedupForm::amdahl, with_share(runs, share).first, share, {}};
}

SpeedupCurve fit_table(const std::vector<LogRun>& runs) {
  std::map<double, std::pair<double, double>> sums;  // of ln S, and their number
  for (const LogRun& run : runs) {
    sums[run.machines].first += run.speed;
    sums[run.machines].second += 1;
  }
  SpeedupCurve curve;
  curve.form = SpeedupForm::table;
  for (const auto& [machines, sum] : sums) {
    curve.points.push_back({std::llround(machines), std::exp(sum.first / sum.second)});
  }
  return curve;
}

FittedForm judged(SpeedupCurve curve, const std::vector<LogRun>& runs, std::size_t parameters) {
  FittedForm form;
  form.curve = std::move(curve);
  const auto n = static_cast<double>(runs.size());
  double mean = 0;
  for (const LogRun& run : runs) mean += run.speed / n;
  double around = 0;
  for (const LogRun& run : runs) {
    const double off = run.speed - std::log(form.curve.at(std::llround(run.machines)));
    form.squared_error += off * off;
    form.worst = std::max(form.worst, std::abs(std::exp(-off) - 1));
    around += (run.speed - mean) * (run.speed - mean);
  }
  form.r_squared = around > no_error ? 1 - form.squared_error / around : 1;
  const double p = static_cast<double>(parameters) + 1;  // and the variance
  if (n - p - 1 > 0) {
    form.aicc =
        n * std::log(std::max(form.squared_error / n, no_error)) + 2 * p + 2 * p * (p + 1) / (n - p - 1);
  }
  return form;
}

double reference_of(const std::vector<MeasuredRun>& runs) {
  const auto least = std::ranges::min_element(runs, {}, &MeasuredRun::machines);
  double sum = 0;
  double n = 0;
  for (const MeasuredRun& run : runs) {
    if (run.machines != least->machines) continue;
    sum += std::log(run.seconds * static_cast<double>(run.machines));
    ++n;
  }
  return std::exp(sum / n);
}

void choose(SpeedupFit& fit) {
  for (std::size_t i = 1; i < 3; ++i) {
    if (fit.forms[i].squared_error < fit.best().squared_error - no_error * static_cast<double>(fit.runs)) {
      fit.chosen = i;
    }
  }
  FittedForm& table = fit.forms[3];
  if (fit.runs == fit.counts) {
    table.why_not = "no number of machines was run twice";
  } else if (!table.aicc || !fit.best().aicc) {
    table.why_not = "too few runs for the criterion";
  } else if (*table.aicc < *fit.best().aicc) {
    fit.chosen = 3;
  }
}

}  // namespace

SpeedupFit fit_speedup(const std::vector<MeasuredRun>& runs) {
  if (runs.empty()) throw UsageError("there are no runs", "give runs on two numbers of machines at least");
  SpeedupFit fit;
  fit.runs = runs.size();
  fit.reference = reference_of(runs);
  std::vector<LogRun> logs;
  logs.reserve(runs.size());
  for (const MeasuredRun& run : runs) {
    logs.push_back({static_cast<double>(run.machines), std::log(fit.reference / run.seconds)});
  }
  SpeedupCurve table = fit_table(logs);
  fit.counts = table.points.size();
  fit.extrapolated_reference = table.points.front().machines > 1;
  if (fit.counts < 2) {
    throw UsageError(fmt::format("all runs are on {} machines", table.points.front().machines),
                     "give runs on two numbers of machines at least");
  }
  const std::size_t counts = fit.counts;
  fit.forms = {judged(fit_alpha(logs), logs, 2), judged(fit_power(logs), logs, 2),
               judged(fit_amdahl(logs), logs, 2), judged(std::move(table), logs, counts)};
  choose(fit);
  return fit;
}

}  // namespace wavewright
