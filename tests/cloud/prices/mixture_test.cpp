#include "wavewright/cloud/prices/mixture.h"

#include <cmath>
#include <limits>

#include "tests/property.h"
#include "wavewright/cloud/prices/mixture_fit.h"
#include "wavewright/core/error.h"

namespace wavewright {
namespace {

Mixture two() {
  return {{{0.3, -1, 0.5}, {0.7, 2, 1}}};
}

std::vector<double> drawn(const Mixture& mixture, std::size_t count, std::uint64_t seed) {
  Random random(seed, "test");
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(mixture.draw(random));
  return values;
}

double density(double x, const Gaussian& each) {
  const double z = (x - each.mean) / each.deviation;
  return std::exp(-z * z / 2) / (each.deviation * std::sqrt(2 * M_PI));
}

TEST(Mixture, IsWhatItsFormulasSay) {
  const Mixture mixture = two();
  const double at_zero = 0.3 * density(0, mixture.components[0]) + 0.7 * density(0, mixture.components[1]);
  EXPECT_NEAR(mixture.log_density(0), std::log(at_zero), 1e-12);
  EXPECT_NEAR(mixture.mean(), 0.3 * -1 + 0.7 * 2, 1e-12);
  // By the trapezoid rule.
  double mass = 0, square = 0;
  constexpr double step = 0.001;
  for (double x = -8; x < 1; x += step) mass += step * (std::exp(mixture.log_density(x + step / 2)));
  for (double x = -8; x < 10; x += step)
    square += step * std::exp(mixture.log_density(x)) * (x - mixture.mean()) * (x - mixture.mean());
  EXPECT_NEAR(mixture.cumulative(1), mass, 1e-6);
  EXPECT_NEAR(mixture.deviation(), std::sqrt(square), 1e-6);
  EXPECT_NEAR(mixture.log_density(500), std::log(0.7) - 498.0 * 498 / 2 - std::log(2 * M_PI) / 2, 1e-6);
}

TEST(Mixture, QuantileInvertsTheCumulativeShare) {
  holds_always(
      [](std::uint64_t seed) {
        Random random(seed, "mixture");
        Mixture mixture;
        const std::uint64_t size = 1 + random.below(5);
        for (std::uint64_t i = 0; i < size; ++i)
          mixture.components.push_back(
              {1 / static_cast<double>(size), random.normal(0, 5), std::exp(random.normal(0, 2))});
        const double share = random.uniform(0.001, 0.999);
        RC_ASSERT(std::abs(mixture.cumulative(mixture.quantile(share)) - share) < 1e-8);
      },
      500);
  EXPECT_NEAR(normal_quantile(0.975), 1.959964, 1e-6);
  EXPECT_NEAR(normal_cumulative(1.959964), 0.975, 1e-6);
}

// One step of EM, by Bayes' rule as in a textbook.
TEST(MixtureFit, AStepIsBayesRuleAndWeightedMeans) {
  const std::vector<double> values = {-2, -1.5, 0.1, 0.4, 2.5, 3, 3};
  const Mixture start = two();
  const MixtureFit fit = improve_mixture(values, start, {.least_deviation = 1e-3, .most_iterations = 1});
  double before = 0;
  for (std::size_t j = 0; j < 2; ++j) {
    double mass = 0, sum = 0, squares = 0;
    for (const double x : values) {
      const double share = start.components[j].weight * density(x, start.components[j]) /
                           (0.3 * density(x, start.components[0]) + 0.7 * density(x, start.components[1]));
      mass += share, sum += share * x, squares += share * x * x;
    }
    EXPECT_NEAR(fit.mixture.components[j].weight, mass / 7, 1e-12);
    EXPECT_NEAR(fit.mixture.components[j].mean, sum / mass, 1e-12);
    EXPECT_NEAR(fit.mixture.components[j].deviation, std::sqrt(squares / mass - sum / mass * sum / mass),
                1e-9);
  }
  for (const double x : values) before += start.log_density(x);
  double after = 0;
  for (const double x : values) after += fit.mixture.log_density(x);
  ASSERT_EQ(fit.climb.size(), 2u);
  EXPECT_NEAR(fit.climb[0], before, 1e-9);
  EXPECT_NEAR(fit.log_likelihood, after, 1e-9);
  EXPECT_NEAR(fit.bic, 5 * std::log(7) - 2 * after, 1e-9);
}

// Also with values that repeat, where a deviation is held at its least.
TEST(MixtureFit, TheLikelihoodNeverFalls) {
  holds_always(
      [](std::uint64_t seed) {
        Random random(seed, "data");
        std::vector<double> values;
        const bool repeats = random.below(2) == 0;
        for (std::uint64_t i = 5 + random.below(60); i > 0; --i)
          values.push_back(repeats ? static_cast<double>(random.below(4))
                                   : random.normal(0, 1) + 8 * static_cast<double>(random.below(3)));
        Mixture start;
        const std::uint64_t size = 1 + random.below(5);
        for (std::uint64_t i = 0; i < size; ++i)
          start.components.push_back(
              {1 / static_cast<double>(size), random.normal(4, 6), random.uniform(0.05, 4)});
        const MixtureFit fit =
            improve_mixture(values, start, {.least_deviation = 0.05, .most_iterations = 200});
        for (std::size_t i = 1; i < fit.climb.size(); ++i)
          RC_ASSERT(fit.climb[i] >= fit.climb[i - 1] - 1e-9 * std::abs(fit.climb[i - 1]));
        double weight = 0;
        for (const Gaussian& each : fit.mixture.components) {
          weight += each.weight;
          RC_ASSERT(std::isfinite(each.mean) && each.deviation >= 0.05);
        }
        RC_ASSERT(std::abs(weight - 1) < 1e-9);
      },
      150);
}

TEST(MixtureFit, OneComponentIsMeanAndDeviation) {
  const MixtureFit fit = fit_mixture(std::vector<double>{1, 2, 3, 6}, 1, {});
  ASSERT_EQ(fit.mixture.components.size(), 1u);
  EXPECT_NEAR(fit.mixture.components[0].mean, 3, 1e-9);
  EXPECT_NEAR(fit.mixture.components[0].deviation, std::sqrt((4 + 1 + 0 + 9) / 4.0), 1e-9);
}

TEST(MixtureFit, FindsWhatTheDataWereDrawnFrom) {
  const MixtureFit fit = fit_mixture(drawn(two(), 5'000, 1), 2, {});
  ASSERT_EQ(fit.mixture.components.size(), 2u);
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_NEAR(fit.mixture.components[j].weight, two().components[j].weight, 0.03);
    EXPECT_NEAR(fit.mixture.components[j].mean, two().components[j].mean, 0.1);
    EXPECT_NEAR(fit.mixture.components[j].deviation, two().components[j].deviation, 0.1);
  }
}

TEST(MixtureFit, ChoosesTheNumberOfComponents) {
  const auto chosen = [](const Mixture& mixture) {
    return choose_mixture(drawn(mixture, 2'000, 3), 5, {}).best.mixture.components.size();
  };
  EXPECT_EQ(chosen({{{1, 4, 2}}}), 1u);
  EXPECT_EQ(chosen(two()), 2u);
  EXPECT_EQ(chosen({{{0.4, 0, 0.2}, {0.3, 3, 0.5}, {0.3, 9, 1}}}), 3u);
  const MixtureChoice choice = choose_mixture(drawn(two(), 500, 3), 5, {});
  ASSERT_EQ(choice.tried.size(), 5u);
  for (const auto& tried : choice.tried) EXPECT_GE(tried.bic, choice.best.bic);
}

TEST(MixtureFit, SurvivesDegenerateData) {
  EXPECT_EQ(fit_mixture(std::vector<double>(50, 7.0), 4, {.least_deviation = 0.1}).mixture,
            (Mixture{{{1, 7, 0.1}}}));
  const MixtureFit atoms = fit_mixture(std::vector<double>{1, 1, 1, 1, 5, 5}, 2, {.least_deviation = 0.1});
  EXPECT_NEAR(atoms.mixture.components.at(0).weight, 4 / 6.0, 1e-6);
  EXPECT_NEAR(atoms.mixture.components.at(1).deviation, 0.1, 1e-9);
  EXPECT_THROW((void)fit_mixture({}, 1, {}), UsageError);
  EXPECT_THROW((void)fit_mixture(std::vector{1.0, std::numeric_limits<double>::infinity()}, 1, {}),
               UsageError);
}

TEST(MixtureFit, SameSeedSameFit) {
  const std::vector<double> values = drawn(two(), 300, 9);
  EXPECT_EQ(fit_mixture(values, 4, {.seed = 5}).mixture, fit_mixture(values, 4, {.seed = 5}).mixture);
}

}  // namespace
}  // namespace wavewright
