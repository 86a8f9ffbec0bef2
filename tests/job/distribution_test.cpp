#include "wavewright/job/distribution.h"
#include "tests/property.h"

#include <cmath>
#include <numeric>

#include <rapidcheck.h>

#include "wavewright/core/error.h"

namespace wavewright {
namespace {

double mean_of(const std::vector<Duration>& durations) {
  double sum = 0;
  for (const Duration d : durations) sum += static_cast<double>(to_ms(d));
  return sum / static_cast<double>(durations.size());
}

TEST(Distribution, ReadsTheContractsNames) {
  EXPECT_EQ(parse_distribution("lognormal(9.9511,1.6764)"),
            (Distribution{Distribution::Shape::lognormal, 9.9511, 1.6764}));
  EXPECT_EQ(parse_distribution("normal( 154 , 558 )"), (Distribution{Distribution::Shape::normal, 154, 558}));
  for (const char* text : {"const(5000)", "uniform(1,100)", "normal(154,558)", "lognormal(9.9511,1.6764)"}) {
    EXPECT_EQ(to_string(parse_distribution(text)), text);
  }
}

TEST(Distribution, RefusesWhatIsNone) {
  for (const char* text :
       {"", "5", "const()", "const(1,2)", "const(-1)", "const(nan)", "const(inf)", "normal(1)",
        "normal(1,2,3)", "normal(1,-2)", "normal(-1000,1)", "normal(0,0)", "uniform(5,1)", "uniform(-1,1)",
        "uniform(0,0)", "lognormal(1,2", "lognormal(1;2)", "exp(5)", "const(1e400)"}) {
    EXPECT_THROW((void)parse_distribution(text), UsageError) << text;
  }
}

TEST(Distribution, NormalIsRedrawnUntilPositive) {
  Random random(7, "test");
  const std::vector<Duration> drawn = draw(parse_distribution("normal(154,558)"), 200'000, random);
  EXPECT_GE(*std::min_element(drawn.begin(), drawn.end()), ms(1));
  // Mean of N(154, 558) cut at 0: m + s·φ(m/s)/Φ(m/s) = 506 [papers' errata on HP].
  const double ratio = 154.0 / 558.0;
  const double density = std::exp(-ratio * ratio / 2) / std::sqrt(2 * M_PI);
  const double below = 0.5 * std::erfc(-ratio / std::sqrt(2.0));
  EXPECT_NEAR(mean_of(drawn), 154 + 558 * density / below, 3);
}

TEST(Distribution, LognormalsOfTheFacebookTraceAreInMilliseconds) {
  Random random(7, "test");
  std::vector<Duration> maps = draw(parse_distribution("lognormal(9.9511,1.6764)"), 100'001, random);
  std::nth_element(maps.begin(), maps.begin() + 50'000, maps.end());
  EXPECT_NEAR(static_cast<double>(to_ms(maps[50'000])), 20'975, 400);  // the 21 s of ORDER's fit
}

TEST(Distribution, ProfileKeepsItsRangeAndMean) {
  holds_always([] {
    const double min = *rc::gen::inRange(1, 1000);
    const double max = min + *rc::gen::inRange(0, 100'000);
    const double mean = min + (max - min) * *rc::gen::inRange(0, 101) / 100.0;
    Random random(*rc::gen::arbitrary<std::uint64_t>(), "test");
    const std::vector<Duration> drawn = draw(DurationRange{min, mean, max}, 4000, random);
    for (const Duration d : drawn) {
      RC_ASSERT(static_cast<double>(to_ms(d)) >= min - 1 && static_cast<double>(to_ms(d)) <= max + 1);
    }
    // The widest such beta has a standard deviation of 0.19 × width; six of the mean's are allowed.
    RC_ASSERT(std::abs(mean_of(drawn) - mean) <= 0.5 + (max - min) * 0.19 * 6 / std::sqrt(4000.0));
  });
}

TEST(Distribution, EveryDrawIsPositiveAndSeeded) {
  for (const char* text : {"const(3)", "uniform(0,2)", "normal(1,100)", "lognormal(-3,2)"}) {
    Random one(3, "x"), two(3, "x"), other(4, "x");
    const auto first = draw(parse_distribution(text), 500, one);
    EXPECT_EQ(first, draw(parse_distribution(text), 500, two));
    const bool random = std::string(text) != "const(3)";
    EXPECT_EQ(first != draw(parse_distribution(text), 500, other), random) << text;
    EXPECT_GE(*std::min_element(first.begin(), first.end()), ms(1)) << text;
  }
}

}  // namespace
}  // namespace wavewright
