#include "wavewright/cloud/prices/mixture_fit.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

// Equal observations once, with their number.
struct Repeated {
  double value = 0;
  double count = 0;
};

std::vector<Repeated> repeated(std::span<const double> observations) {
  std::vector<double> sorted(observations.begin(), observations.end());
  for (const double value : sorted)
    if (!std::isfinite(value)) throw UsageError("a mixture cannot be fitted to a value that is not finite");
  if (sorted.empty()) throw UsageError("a mixture cannot be fitted to nothing", "give observations");
  std::sort(sorted.begin(), sorted.end());
  std::vector<Repeated> values;
  for (const double value : sorted) {
    if (values.empty() || values.back().value != value) values.push_back({value, 0});
    values.back().count += 1;
  }
  return values;
}

class Climb {
 public:
  Climb(const std::vector<Repeated>& values, Mixture start, const MixtureFitOptions& options)
      : values_(values), options_(options), mixture_(std::move(start)) {
    for (const Repeated& each : values_) observations_ += each.count;
    for (Gaussian& each : mixture_.components)
      each.deviation = std::max(each.deviation, options_.least_deviation);
  }

  MixtureFit run() {
    MixtureFit fit;
    for (int step = 0; step < options_.most_iterations && !fit.converged; ++step) {
      fit.climb.push_back(expect());
      const std::size_t done = fit.climb.size();
      fit.converged =
          done > 1 && fit.climb[done - 1] - fit.climb[done - 2] < options_.tolerance * observations_;
      if (!fit.converged) maximise();
    }
    if (!fit.converged) fit.climb.push_back(expect());
    fit.log_likelihood = fit.climb.back();
    std::erase_if(mixture_.components,
                  [&](const Gaussian& each) { return each.weight * observations_ < 1e-3; });
    std::sort(mixture_.components.begin(), mixture_.components.end(),
              [](const Gaussian& a, const Gaussian& b) {
                return std::tie(a.mean, a.deviation) < std::tie(b.mean, b.deviation);
              });
    double weight = 0;
    for (const Gaussian& each : mixture_.components) weight += each.weight;
    for (Gaussian& each : mixture_.components) each.weight /= weight;
    const double parameters = 3 * static_cast<double>(mixture_.components.size()) - 1;
    fit.bic = parameters * std::log(observations_) - 2 * fit.log_likelihood;
    fit.mixture = std::move(mixture_);
    return fit;
  }

 private:
  // Sums of each component over the observations, weighted by its share in them; gives the log-likelihood.
  double expect() {
    constexpr double log_root_two_pi = 0.91893853320467274178;
    const std::size_t size = mixture_.components.size();
    sums_.assign(size, {});
    std::vector<double> logs(size), constants(size);
    for (std::size_t j = 0; j < size; ++j) {
      const Gaussian& each = mixture_.components[j];
      constants[j] = std::log(each.weight / each.deviation) - log_root_two_pi;
    }
    double likelihood = 0;
    for (const Repeated& each : values_) {
      for (std::size_t j = 0; j < size; ++j) {
        const double z = (each.value - mixture_.components[j].mean) / mixture_.components[j].deviation;
        logs[j] = constants[j] - z * z / 2;
      }
      const double most = *std::max_element(logs.begin(), logs.end());
      double density = 0;
      for (double& log : logs) density += log = std::exp(log - most);
      likelihood += each.count * (most + std::log(density));
      for (std::size_t j = 0; j < size; ++j) {
        const double share = each.count * logs[j] / density;
        const double from = each.value - mixture_.components[j].mean;  // small numbers keep their digits
        sums_[j].mass += share;
        sums_[j].first += share * from;
        sums_[j].second += share * from * from;
      }
    }
    return likelihood;
  }

  void maximise() {
    for (std::size_t j = 0; j < mixture_.components.size(); ++j) {
      Gaussian& each = mixture_.components[j];
      const Sums& sums = sums_[j];
      each.weight = sums.mass / observations_;
      if (sums.mass < 1e-10) continue;  // its mean and deviation change nothing
      const double moved = sums.first / sums.mass;
      each.mean += moved;
      const double variance = std::max(0.0, sums.second / sums.mass - moved * moved);
      each.deviation = std::max(std::sqrt(variance), options_.least_deviation);
    }
  }

  struct Sums {
    double mass = 0, first = 0, second = 0;
  };
  const std::vector<Repeated>& values_;
  const MixtureFitOptions& options_;
  Mixture mixture_;
  std::vector<Sums> sums_;
  double observations_ = 0;
};

double deviation_of(const std::vector<Repeated>& values) {
  double count = 0, sum = 0, squares = 0;
  for (const Repeated& each : values) {
    count += each.count;
    sum += each.count * each.value;
  }
  for (const Repeated& each : values)
    squares += each.count * (each.value - sum / count) * (each.value - sum / count);
  return std::sqrt(squares / count);
}

// Centres in the middle of equal parts of the observations.
std::vector<double> even_centres(const std::vector<Repeated>& values, std::size_t components) {
  double count = 0;
  for (const Repeated& each : values) count += each.count;
  std::vector<double> centres;
  double passed = 0;
  for (const Repeated& each : values) {
    passed += each.count;
    while (centres.size() < components &&
           passed >= count * (static_cast<double>(centres.size()) + 0.5) / static_cast<double>(components))
      centres.push_back(each.value);
  }
  return centres;
}

// Far from each other: each is drawn with a probability of its squared distance [Arthur and Vassilvitskii
// 2007].
std::vector<double> far_centres(const std::vector<Repeated>& values, std::size_t components, Random& random) {
  std::vector<double> far(values.size(), 1);
  std::vector<double> centres;
  while (centres.size() < components) {
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) sum += values[i].count * far[i];
    double left = random.unit() * sum;
    std::size_t chosen = 0;
    while (chosen + 1 < values.size() && (left -= values[chosen].count * far[chosen]) >= 0) ++chosen;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double distance = std::pow(values[i].value - values[chosen].value, 2);
      far[i] = centres.empty() ? distance : std::min(far[i], distance);
    }
    centres.push_back(values[chosen].value);
  }
  return centres;
}

Mixture around(const std::vector<double>& centres, double deviation) {
  Mixture mixture;
  const auto size = static_cast<double>(centres.size());
  for (const double centre : centres) mixture.components.push_back({1 / size, centre, deviation / size});
  return mixture;
}

}  // namespace

MixtureFit improve_mixture(std::span<const double> observations, const Mixture& start,
                           const MixtureFitOptions& options) {
  const std::vector<Repeated> values = repeated(observations);
  return Climb(values, start, options).run();
}

MixtureFit fit_mixture(std::span<const double> observations, std::size_t components,
                       const MixtureFitOptions& options) {
  const std::vector<Repeated> values = repeated(observations);
  components = std::clamp<std::size_t>(components, 1, values.size());
  const double deviation = std::max(deviation_of(values), options.least_deviation);
  MixtureFit best = Climb(values, around(even_centres(values, components), deviation), options).run();
  for (int i = 1; i < options.restarts && components > 1; ++i) {
    Random random(options.seed, "mixture", static_cast<std::uint64_t>(i));
    MixtureFit fit = Climb(values, around(far_centres(values, components, random), deviation), options).run();
    if (fit.log_likelihood > best.log_likelihood) best = std::move(fit);
  }
  return best;
}

MixtureChoice choose_mixture(std::span<const double> observations, std::size_t most_components,
                             const MixtureFitOptions& options) {
  MixtureChoice choice;
  for (std::size_t components = 1; components <= std::max<std::size_t>(1, most_components); ++components) {
    MixtureFit fit = fit_mixture(observations, components, options);
    choice.tried.push_back({components, fit.log_likelihood, fit.bic});
    if (components == 1 || fit.bic < choice.best.bic) choice.best = std::move(fit);
  }
  return choice;
}

}  // namespace wavewright
