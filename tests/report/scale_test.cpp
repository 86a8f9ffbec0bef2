#include "wavewright/report/charts/scale.h"

#include <algorithm>

#include <rapidcheck.h>

namespace wavewright::report {
namespace {

std::vector<std::string> labels(const std::vector<Tick>& ticks) {
  std::vector<std::string> result;
  for (const Tick& tick : ticks) result.push_back(tick.label);
  return result;
}

constexpr std::int64_t minute = 60'000;

TEST(ReportScale, TicksStandAtRoundDurations) {
  EXPECT_EQ(labels(Axis::linear(ms(12 * minute)).ticks(8)),
            (std::vector<std::string>{"0", "2min", "4min", "6min", "8min", "10min", "12min"}));
  EXPECT_EQ(labels(Axis::linear(ms(81 * minute)).ticks(8)),
            (std::vector<std::string>{"0", "15min", "30min", "45min", "1h", "1h15m"}));
  EXPECT_EQ(labels(Axis::linear(ms(47)).ticks(6)),
            (std::vector<std::string>{"0", "10ms", "20ms", "30ms", "40ms"}));
}

TEST(ReportScale, AWideSpanIsLogarithmicAndANarrowOneIsNot) {
  const Axis wide = Axis::fitting(ms(1000), ms(60 * minute));
  EXPECT_TRUE(wide.logarithmic());
  EXPECT_NEAR(wide.position(ms(10'000)) - wide.position(ms(1000)),
              wide.position(ms(100'000)) - wide.position(ms(10'000)), 1e-9);
  EXPECT_EQ(labels(wide.ticks(6)), (std::vector<std::string>{"1s", "10s", "1min", "10min", "1h"}));
  EXPECT_FALSE(Axis::fitting(ms(1000), ms(5000)).logarithmic());
}

TEST(ReportScale, TicksOfAnyAxisAreFewInsideAndInOrder) {
  EXPECT_TRUE(rc::check("ticks", [] {
    const std::int64_t low = *rc::gen::inRange<std::int64_t>(1, std::int64_t{1} << 40);
    const std::int64_t high = low * *rc::gen::inRange<std::int64_t>(1, 200);
    const auto most = static_cast<std::size_t>(*rc::gen::inRange(4, 10));
    for (const Axis& axis : {Axis::linear(ms(high)), Axis::fitting(ms(low), ms(high))}) {
      const std::vector<Tick> ticks = axis.ticks(most);
      RC_ASSERT(!ticks.empty());
      RC_ASSERT(ticks.size() <= most);
      RC_ASSERT(ticks.front().position >= 0);
      RC_ASSERT(ticks.back().position <= 1);
      RC_ASSERT(std::is_sorted(ticks.begin(), ticks.end(),
                               [](auto& a, auto& b) { return a.position < b.position; }));
    }
  }));
}

TEST(ReportScale, ValuesBeyondTheEndsStayOnTheChart) {
  const Axis axis = Axis::linear(ms(100));
  EXPECT_EQ(axis.position(ms(250)), 1);
  EXPECT_EQ(axis.position(ms(-5)), 0);
  EXPECT_EQ(Axis::linear(ms(0)).position(ms(0)), 0);
}

TEST(ReportScale, ValuesHaveRoundTicks) {
  EXPECT_EQ(labels(value_ticks(5, 4)), (std::vector<std::string>{"0", "2", "4"}));
  EXPECT_EQ(labels(value_ticks(0.037, 4)), (std::vector<std::string>{"0", "0.01", "0.02", "0.03"}));
  EXPECT_EQ(labels(value_ticks(62'000, 4)), (std::vector<std::string>{"0", "20,000", "40,000", "60,000"}));
  EXPECT_EQ(labels(value_ticks(0, 4)), (std::vector<std::string>{"0"}));
  EXPECT_TRUE(rc::check("value ticks", [] {
    const double high = *rc::gen::inRange(1, 1'000'000) / 1000.0;
    const std::vector<Tick> ticks = value_ticks(high, 4);
    RC_ASSERT(ticks.size() >= 2U);
    RC_ASSERT(ticks.size() <= 4U);
    RC_ASSERT(ticks.back().position <= 1);
  }));
}

}  // namespace
}  // namespace wavewright::report
