#include "wavewright/report/charts/curves.h"

#include <gmock/gmock.h>

#include "tests/report/page_checks.h"

namespace wavewright::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

CurveChart two_curves() {
  CurveChart chart;
  chart.caption = "Use";
  chart.curves = {{"<b>maps", "", "map", false, {1, 4}}, {"reduces", "", "reduce", false, {2, 2}}};
  return chart;
}

TEST(ReportCurves, AStackIsAsHighAsItsSums) {
  CurveChart chart = two_curves();
  EXPECT_EQ(peak(chart), 4);
  chart.stacked = true;
  EXPECT_EQ(peak(chart), 6);
  fit_levels(chart);
  EXPECT_GE(chart.high, 6);
  EXPECT_GT(chart.levels.size(), 1U);
}

TEST(ReportCurves, LayersLieOnEachOther) {
  CurveChart chart = two_curves();
  chart.stacked = true;
  chart.high = 6;
  const std::string html = curve_figure(chart, {}, ms(1000));
  // 150 px for 6: maps of 25 and 100 px at the bottom, reduces of 50 px on top of them.
  EXPECT_THAT(html, HasSubstr("class=\"layer map\" d=\"M0 125h500v25h-500zM500 50h500v100h-500z\""));
  EXPECT_THAT(html, HasSubstr("class=\"layer reduce\" d=\"M0 75h500v50h-500zM500 0h500v50h-500z\""));
  EXPECT_THAT(html, Not(HasSubstr("<b>maps")));
  EXPECT_EQ(sample::unbalanced(html), "");
}

TEST(ReportCurves, WhatThereIsToUseIsALine) {
  CurveChart chart = two_curves();
  chart.high = 6;
  chart.limit = {6, 3};
  EXPECT_THAT(curve_figure(chart, {}, ms(1000)),
              HasSubstr("class=\"limit\" d=\"M0 0L500 0L500 75L1000 75\""));
}

}  // namespace
}  // namespace wavewright::report
