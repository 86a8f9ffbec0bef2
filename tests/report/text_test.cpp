#include "wavewright/report/text.h"

#include <limits>

namespace wavewright::report {
namespace {

TEST(ReportText, PercentagesHaveAsManyDigitsAsMatter) {
  EXPECT_EQ(percent_text(0.031), "3.1\u202F%");
  EXPECT_EQ(percent_text(0.234), "23\u202F%");
  EXPECT_EQ(percent_change_text(-0.234), "\u221223\u202F%");
  EXPECT_EQ(percent_change_text(0.04), "+4.0\u202F%");
  EXPECT_EQ(percent_change_text(0.0001), "0\u202F%");
}

TEST(ReportText, AtMostIsNeverBelowTheTruth) {
  EXPECT_EQ(percent_above_text(0.0301), "3.1\u202F%");
  EXPECT_EQ(percent_above_text(0.03), "3.0\u202F%");
  EXPECT_EQ(percent_above_text(0.111), "12\u202F%");
  EXPECT_EQ(probability_text(0.92345), "92.3\u202F%");
  EXPECT_EQ(probability_text(0.9999), "99.9\u202F%");
  EXPECT_EQ(probability_text(0.0001), "0.1\u202F%");
  EXPECT_EQ(probability_text(1), "100\u202F%");
  EXPECT_EQ(probability_text(0), "0\u202F%");
}

TEST(ReportText, CountsAreGroupedAndNounsAgree) {
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(233920), "233,920");
  EXPECT_EQ(count_text(-1234567), "\u22121,234,567");
  EXPECT_EQ(counted(1, "job"), "1 job");
  EXPECT_EQ(counted(1000, "job"), "1,000 jobs");
}

TEST(ReportText, ChangesCarryTheirSign) {
  EXPECT_EQ(change_text(ms(-19 * 60'000)), "\u221219min");
  EXPECT_EQ(change_text(ms(250)), "+250ms");
  EXPECT_EQ(change_text(ms(0)), "0");
}

TEST(ReportText, WhatIsNoNumberIsSaid) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(decimal_text(1234), "1,234");
  EXPECT_EQ(decimal_text(infinity), "inf");
  EXPECT_EQ(decimal_text(-infinity), "-inf");
  EXPECT_EQ(decimal_text(1e300), "1e+300");
  EXPECT_EQ(money_text(std::numeric_limits<double>::quiet_NaN()), "nan USD");
}

TEST(ReportText, ShowsMeansOfWholeNumbersWithOneDecimalAtMost) {
  EXPECT_EQ(report::mean_count_text(4), "4");
  EXPECT_EQ(report::mean_count_text(4.6667), "4.7");
  EXPECT_EQ(report::mean_count_text(0), "0");
}

}  // namespace
}  // namespace wavewright::report
