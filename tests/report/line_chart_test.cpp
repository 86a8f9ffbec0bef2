// Lines over numbers: what is drawn where.
#include "wavewright/report/charts/line_chart.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wavewright/core/error.h"

namespace wavewright {
namespace {

using testing::HasSubstr;
using testing::Not;

LineChart some_chart() {
  return {
      "Time & <money>", "jobs", "%", {{"ours", {{0, 0}, {50, 25, std::pair(20.0, 50.0)}, {100, 10}}, {}}}};
}

TEST(LineChart, ShowsRoundNumbersAndEscapesText) {
  const std::string svg = line_chart_svg(some_chart());
  EXPECT_THAT(svg, HasSubstr("Time &amp; &lt;money&gt;"));
  for (const char* tick : {">0<", ">20<", ">40<", ">50<", ">60<", ">80<", ">100<"})
    EXPECT_THAT(svg, HasSubstr(tick));
  EXPECT_THAT(svg, Not(HasSubstr(">110<")));
  EXPECT_THAT(svg, Not(HasSubstr("class=\"zero\""))) << "nothing is below 0";
  EXPECT_THAT(svg, Not(HasSubstr("as the paper prints it")));
}

// The frame is 638 wide from 66 and 304 high from 74; the axes end at 100 and 50.
TEST(LineChart, DrawsPointsInTheirPlace) {
  const std::string svg = line_chart_svg(some_chart());
  EXPECT_THAT(svg, HasSubstr("x=\"66\" y=\"74\" width=\"638\" height=\"304\""));
  EXPECT_THAT(svg, HasSubstr("d=\"M66 378L385 226L704 317.2\"")) << svg;
  EXPECT_THAT(svg, HasSubstr("d=\"M385 256.4L385 74\"")) << "the interval";
  EXPECT_THAT(svg, HasSubstr("class=\"interval\""));
}

TEST(LineChart, GoesBelowZeroWhereValuesDo) {
  LineChart chart = some_chart();
  chart.lines[0].points[0].y = -7;
  chart.lines[0].printed = {{0, 1}, {50, 2}};
  const std::string svg = line_chart_svg(chart);
  EXPECT_THAT(svg, HasSubstr(">-10<"));
  EXPECT_THAT(svg, HasSubstr("class=\"zero\""));
  EXPECT_THAT(svg, HasSubstr("as the paper prints it"));
}

TEST(LineChart, TakesOnePointAndRefusesNone) {
  EXPECT_THAT(line_chart_svg({"t", "x", "y", {{"one", {{0, 0}}, {}}}}), HasSubstr("</svg>"));
  EXPECT_THROW((void)line_chart_svg({"t", "x", "y", {}}), UsageError);
  EXPECT_THROW(
      (void)line_chart_svg({"t", "x", "y", {{"l", {{0, std::numeric_limits<double>::infinity()}}, {}}}}),
      UsageError);
}

}  // namespace
}  // namespace wavewright
