#include "wavewright/plan/bounds/demand_bound.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "wavewright/plan/bounds/demand_relaxation.h"

namespace wavewright {

namespace {

// `rows` instants at which demand and supply are compared; the level ends after `patience` ascent steps
// without a larger bound. The next level starts from its prices.
struct Level {
  std::size_t rows, patience;
};
constexpr Level levels[] = {{24, 150}, {40, 250}, {64, 300}, {112, 800}};
constexpr double horizon = 1.15;          // times the known bound: the largest makespan tried
constexpr double aim = 5e-4;              // times the known bound: first step above the proven bound
constexpr double finest = 1e-5;           // times the known bound: last step
constexpr double beyond_rounding = 1e-7;  // of a row's width: an excess that is no rounding error
constexpr double smoothest = 1e-2, sharpest = 1e-5;  // of a row's width

// Ascent in the prices, with makespans from `proven`, a valid bound, on.
class Ascent {
 public:
  Ascent(DemandRelaxation& relaxation, std::int64_t known, double proven, const DemandPrices& prices)
      : relaxation_(relaxation),
        known_(static_cast<double>(known)),
        proven_(proven),
        prices_(prices),
        tried_(prices.rows(), 0),
        lacks_(prices.rows(), 0),
        tried_lacks_(prices.rows(), 0) {}

  // Stops after `patience` steps without a larger bound, or after `looks` evaluations.
  void run(std::size_t patience, double looks, const Stop& stop) {
    left_ = looks;
    const double width = relaxation_.step();
    double softness = smoothest * width, rate = 0.05 / width;
    aim_above();
    double now = look(prices_, softness, lacks_), before = now;
    const auto sharpen = [&] {
      softness /= 2;
      now = look(prices_, softness, lacks_);
    };
    for (std::size_t step = 0, last = 0;
         step < last + patience && left_ > 0 && proven_ < relaxation_.furthest() && !stop.now(); ++step) {
      climb(rate);
      double there = look(tried_, softness, tried_lacks_);
      if (shown(tried_)) {
        last = step;
        softness = std::min(smoothest * width, 4 * softness);  // the new target is far again
        rate *= 4;
        raise();
        aim_above();
        there = look(tried_, softness, tried_lacks_);
        now = -std::numeric_limits<double>::max();
      }
      if (there > now) {
        std::swap(prices_, tried_);
        std::swap(lacks_, tried_lacks_);
        now = there;
        rate *= 1.3;
      } else {
        rate /= 2;
        if (rate * width < 1e-9) rate = 1e-3 / width, sharpen();
      }
      if (step % 20 != 19) continue;
      if (now - before < 1e-3 * std::abs(now) + 1e-5 * width && softness > sharpest * width) sharpen();
      before = now;
    }
    softness_ = softness;
  }

  [[nodiscard]] double proven() const { return proven_; }
  [[nodiscard]] const DemandPrices& prices() const { return prices_; }
  [[nodiscard]] double left() const { return left_; }
  [[nodiscard]] std::vector<std::int64_t> mean_ends() {
    relaxation_.price(prices_, softness_);
    return relaxation_.mean_ends();
  }

 private:
  void aim_above() { relaxation_.set(std::min(proven_ + aim * known_, relaxation_.furthest())); }
  double look(const DemandPrices& prices, double softness, DemandPrices& lacks) {
    --left_;
    relaxation_.price(prices, softness);
    return relaxation_.soft_excess(prices, lacks);
  }
  [[nodiscard]] bool shown(const DemandPrices& prices) const {
    return relaxation_.excess(prices) > beyond_rounding * relaxation_.step();
  }
  void climb(double rate) {
    constexpr double least = 1e-12;
    double most = 0;
    for (std::size_t row = 0; row < prices_.maps.size(); ++row)
      most = std::max({most, lacks_.maps[row], lacks_.reduces[row]});
    for (std::size_t row = 0; row < prices_.maps.size(); ++row) {
      tried_.maps[row] = std::max(least, prices_.maps[row] * std::exp(rate * (lacks_.maps[row] - most)));
      tried_.reduces[row] =
          std::max(least, prices_.reduces[row] * std::exp(rate * (lacks_.reduces[row] - most)));
    }
    tried_.scale();
  }
  // The tried prices prove the makespan too small. Finds the largest makespan that they prove too small.
  void raise() {
    proven_ = relaxation_.makespan();
    for (double by = aim * known_; by > finest * known_;) {
      const double further = std::min(proven_ + by, relaxation_.furthest());
      if (further == proven_) return;
      --left_;
      relaxation_.set(further);
      relaxation_.price(tried_, 0);
      if (shown(tried_)) {
        proven_ = further;
        by *= 2;
      } else {
        by /= 4;
      }
    }
  }

  DemandRelaxation& relaxation_;
  double known_, proven_;
  double left_ = 0;      // evaluations left
  double softness_ = 0;  // at the end of run()
  DemandPrices prices_, tried_, lacks_, tried_lacks_;
};

}  // namespace

DemandBound demand_bound(std::span<const DemandJob> jobs, SlotPool pool, std::int64_t known,
                         double multiplications, const Stop& stop) {
  if (jobs.size() < 2 || known <= 0) return {known, {}};
  DemandBound found{known, {}};
  auto proven = static_cast<double>(known);
  DemandPrices prices(levels[0].rows, 1);
  for (const Level& level : levels) {
    const double look = DemandRelaxation::multiplications(jobs.size(), level.rows);
    if (level.rows > levels[0].rows && multiplications < look) break;
    DemandRelaxation relaxation(jobs, pool, horizon * static_cast<double>(known), level.rows);
    Ascent ascent(relaxation, known, proven, prices.on(level.rows));
    ascent.run(level.patience, multiplications / look, stop);
    multiplications = look * ascent.left();
    proven = ascent.proven();
    prices = ascent.prices();
    found = {static_cast<std::int64_t>(std::floor(proven)), ascent.mean_ends()};
  }
  return found;
}

}  // namespace wavewright
