#include "wavewright/predict/length_update.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <boost/math/distributions/students_t.hpp>

namespace wavewright {

namespace {

// φ(a) / (1 − Φ(a)), which for large a tends to a + 1/a.
double hazard(double a) {
  if (a > 30) return a + 1 / a;
  const double density = std::exp(-a * a / 2) / std::sqrt(2 * std::numbers::pi);
  return density / (0.5 * std::erfc(a / std::numbers::sqrt2));
}

struct Estimate {
  double shift = 0;
  double weight = 0;  // as much as so many tasks that are done
};

// `prior`: weight of the shift 0, in tasks.
Estimate estimate(std::span<const SeenLength> seen, double within, double prior) {
  Estimate now;
  Count done = 0;
  for (const SeenLength& each : seen) {
    if (!each.done) continue;
    now.shift += each.log_ratio;
    ++done;
  }
  now.shift /= static_cast<double>(std::max<Count>(1, done));
  constexpr int most_rounds = 200;
  for (int round = 0; round < most_rounds; ++round) {
    double sum = 0;
    now.weight = 0;
    for (const SeenLength& each : seen) {
      const double a = (each.log_ratio - now.shift) / within;
      const double h = each.done ? 0 : hazard(a);
      sum += each.done ? each.log_ratio : now.shift + within * h;
      now.weight += each.done ? 1 : std::clamp(h * (h - a), 0.0, 1.0);
    }
    const double next = sum / (static_cast<double>(seen.size()) + prior);
    const bool settled = std::abs(next - now.shift) < 1e-6;
    now.shift = next;
    if (settled) break;
  }
  return now;
}

}  // namespace

LengthUpdate update_lengths(std::span<const SeenLength> seen, const StageLengths& expected) {
  LengthUpdate update;
  update.deviation = expected.between;
  for (const SeenLength& each : seen) update.done += each.done;
  if (update.done == 0) return update;
  const double within = expected.within, between = std::max(expected.between, 1e-3);
  const double prior = within * within / (between * between);
  // A task's mean length is more than that of its logarithm says.
  const double mean_of_logs = -within * within / 2;
  std::vector<SeenLength> centred(seen.begin(), seen.end());
  for (SeenLength& each : centred) each.log_ratio -= mean_of_logs;
  const Estimate alone = estimate(centred, within, 0);
  const Estimate posterior = estimate(centred, within, prior);
  update.measured = alone.shift;
  update.shift = posterior.shift;
  update.deviation = within / std::sqrt(posterior.weight + prior);
  update.strays_by =
      alone.shift / std::sqrt(between * between + within * within / std::max(1.0, alone.weight));
  return update;
}

std::optional<double> drift_of(const LengthUpdate& update, const StageLengths& expected,
                               const DriftRule& rule) {
  if (update.done < rule.least_done || expected.freedom <= 0) return std::nullopt;
  const boost::math::students_t_distribution<double> student(expected.freedom);
  if (std::abs(update.strays_by) < boost::math::quantile(student, 1 - (1 - rule.share) / 2))
    return std::nullopt;
  const double factor = std::exp(update.measured);
  if (std::abs(factor - 1) < rule.least_change) return std::nullopt;
  return factor;
}

}  // namespace wavewright
