#include "wavewright/cloud/prices/margin.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"

namespace wavewright {

namespace {

const std::vector<std::string> scale_names = {"log", "linear"};

std::vector<double> on_scale(const Margin& margin, std::span<const std::int64_t> values) {
  std::vector<double> scaled;
  scaled.reserve(values.size());
  for (const std::int64_t value : values) scaled.push_back(margin.scaled(static_cast<double>(value)));
  return scaled;
}

// A sixth of a step, at the middle value: a component on one value stays within half a step of it.
double least_deviation(const Margin& margin, std::span<const std::int64_t> values) {
  const double spread = static_cast<double>(margin.step) / 6;
  if (margin.scale == MixtureScale::linear) return spread;
  std::vector<std::int64_t> sorted(values.begin(), values.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return spread / static_cast<double>(*middle);
}

}  // namespace

std::string to_string(MixtureScale scale) {
  return scale_names[static_cast<std::size_t>(scale)];
}

MixtureScale parse_mixture_scale(const std::string& name) {
  for (std::size_t i = 0; i < scale_names.size(); ++i)
    if (scale_names[i] == name) return static_cast<MixtureScale>(i);
  throw UsageError("no scale '" + name + "'", suggestion(name, scale_names));
}

double Margin::scaled(double value) const {
  return scale == MixtureScale::log ? std::log(value) : value;
}

double Margin::cumulative(double x) const {
  if (scale == MixtureScale::log && x <= 0) return 0;
  return mixture.cumulative(scaled(x));
}

double Margin::place_of(std::int64_t value, double within) const {
  const double half = static_cast<double>(step) / 2;
  const double low = cumulative(static_cast<double>(value) - half);
  const double high = cumulative(static_cast<double>(value) + half);
  constexpr double edge = 1e-12;
  return std::clamp(low + within * (high - low), edge, 1 - edge);
}

std::int64_t Margin::value_at(double place, const Mixture& from) const {
  const double x = from.quantile(place);
  const double value = scale == MixtureScale::log ? std::exp(std::min(x, 42.0)) : x;
  const double steps = std::round(std::clamp(value, -9e18, 9e18) / static_cast<double>(step));
  return std::clamp(static_cast<std::int64_t>(steps) * step, least, most);
}

MarginFit fit_margin(std::span<const std::int64_t> values, const MarginOptions& options) {
  if (values.empty()) throw UsageError("nothing to fit to", "give a longer history");
  MarginFit found;
  Margin& margin = found.margin;
  margin.scale = options.scale;
  margin.least = *std::min_element(values.begin(), values.end());
  margin.most = *std::max_element(values.begin(), values.end());
  if (margin.scale == MixtureScale::log && margin.least <= 0)
    throw UsageError("a price of 0 has no logarithm", "give --scale linear");
  margin.step = options.coarsest_step;
  for (const std::int64_t value : values) margin.step = std::gcd(margin.step, value);
  const std::vector<double> scaled = on_scale(margin, values);
  const MixtureFitOptions how = {.seed = options.seed, .least_deviation = least_deviation(margin, values)};
  if (options.components > 0) {
    found.fit = fit_mixture(scaled, options.components, how);
  } else {
    MixtureChoice choice = choose_mixture(scaled, options.most_components, how);
    found.fit = std::move(choice.best);
    found.tried = std::move(choice.tried);
  }
  margin.mixture = found.fit.mixture;
  return found;
}

Margin refit(const Margin& margin, std::span<const std::int64_t> values) {
  Margin again = margin;
  constexpr int steps = 100;
  again.mixture =
      improve_mixture(
          on_scale(margin, values), margin.mixture,
          {.least_deviation = least_deviation(margin, values), .most_iterations = steps, .tolerance = 1e-5})
          .mixture;
  return again;
}

double distance_of(const Margin& margin, std::span<const std::int64_t> values) {
  std::vector<std::int64_t> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const auto size = static_cast<double>(sorted.size());
  const double half = static_cast<double>(margin.step) / 2;
  double most = 0;
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t next = i;
    while (next < sorted.size() && sorted[next] == sorted[i]) ++next;
    const auto value = static_cast<double>(sorted[i]);
    const double below = std::abs(margin.cumulative(value - half) - static_cast<double>(i) / size);
    const double above = std::abs(margin.cumulative(value + half) - static_cast<double>(next) / size);
    most = std::max({most, below, above});
    i = next;
  }
  return most;
}

}  // namespace wavewright
