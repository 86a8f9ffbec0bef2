// Durations divided by speeds and multiplied by factors, as integers give them.
#include "wavewright/core/factor.h"

#include <gtest/gtest.h>

#include "tests/property.h"

namespace wavewright {
namespace {

TEST(Factor, DividesAndMultipliesToTheNearestMillisecond) {
  EXPECT_EQ(scaled(36'000'000, factor_of(1.0 / 3)), 12'000'000U);
  EXPECT_EQ(scaled(36'000'000, factor_of(1.0 / 7)), 5'142'857U);
  EXPECT_EQ(scaled(2'100'000'000, factor_of(1.0 / 300'000)), 7'000U);
  EXPECT_EQ(scaled(50, factor_of(1.33)), 67U) << "66.5 is rounded up";
  EXPECT_EQ(scaled(6, factor_of(1.0 / 12)), 1U);
  EXPECT_EQ(scaled(5, factor_of(1.0 / 12)), 0U);
  EXPECT_EQ(scaled(7, factor_of(1e6)), 7'000'000U);
  EXPECT_EQ(scaled(7'000'000, factor_of(1 / 1e6)), 7U);
  EXPECT_EQ(scaled(1'234'567, unit_factor), 1'234'567U);
}

// A speed of p / q: length · q / p, halves up. Lengths of up to ten days.
TEST(Factor, IsExactForSpeedsOfFewDigits) {
  holds_always(
      [] {
        const auto p = static_cast<std::uint64_t>(*rc::gen::inRange(1, 2'000));
        const auto q = static_cast<std::uint64_t>(*rc::gen::element(1, 2, 10, 100));
        const auto length = static_cast<std::uint64_t>(*rc::gen::inRange<std::int64_t>(0, 864'000'000));
        const double speed = static_cast<double>(p) / static_cast<double>(q);
        RC_ASSERT(scaled(length, factor_of(1 / speed)) == (2 * length * q + p) / (2 * p));
        RC_ASSERT(scaled(length, factor_of(speed)) == (2 * length * p + q) / (2 * q));
      },
      20'000);
}

}  // namespace
}  // namespace wavewright
