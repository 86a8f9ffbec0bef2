#include "wavewright/report/charts/bar_chart.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wavewright/core/error.h"

namespace wavewright {
namespace {

using testing::HasSubstr;
using testing::Not;

BarChart some_chart() {
  return {"Cost & <money>", "USD", {{"W1", {{"spot", 25, std::pair(20.0, 50.0), 40}, {"mixed", 50}}}}};
}

// The frame is 504 wide from 330; the axis ends at 50. The bars begin below the heading of the group.
TEST(BarChart, DrawsBarsIntervalsAndPrintedValuesInTheirPlace) {
  const std::string svg = bar_chart_svg(some_chart());
  EXPECT_THAT(svg, HasSubstr("Cost &amp; &lt;money&gt;"));
  EXPECT_THAT(svg, HasSubstr(R"(<rect x="330" y="95" width="252" height="14" class="bar"/>)")) << svg;
  EXPECT_THAT(svg, HasSubstr(R"(<rect x="330" y="119" width="504" height="14" class="bar"/>)"));
  EXPECT_THAT(svg, HasSubstr("d=\"M531.6 102L834 102\""));
  EXPECT_THAT(svg, HasSubstr("d=\"M733.2 92L733.2 112\""));
  EXPECT_THAT(svg, HasSubstr("as the paper prints it"));
}

TEST(BarChart, GoesToBothSidesOfZero) {
  const std::string svg = bar_chart_svg({"t", "x", {{"", {{"more", 10}, {"less", -10}}}}});
  EXPECT_THAT(svg, HasSubstr(R"(<rect x="582" y="69" width="252" height="14" class="bar"/>)")) << svg;
  EXPECT_THAT(svg, HasSubstr(R"(<rect x="330" y="93" width="252" height="14" class="less"/>)"));
  EXPECT_THAT(svg, Not(HasSubstr("as the paper prints it")));
}

TEST(BarChart, RefusesWhatItCannotDraw) {
  EXPECT_THROW((void)bar_chart_svg({"t", "x", {}}), UsageError);
  EXPECT_THROW((void)bar_chart_svg({"t", "x", {{"", {{"a", std::numeric_limits<double>::infinity()}}}}}),
               UsageError);
}

}  // namespace
}  // namespace wavewright
