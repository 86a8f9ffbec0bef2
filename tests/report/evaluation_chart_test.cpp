#include "wavewright/report/charts/evaluation_chart.h"

#include "wavewright/core/error.h"

namespace wavewright {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t times = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
  return times;
}

EvaluatedRun run_of(const std::string& name, double measured) {
  return {name,           "job_1_0001", measured,       0.9 * measured, measured,
          1.2 * measured, measured,     1.1 * measured, 0.8 * measured, 1.3 * measured};
}

TEST(EvaluationChart, HasADotARunInEveryPanel) {
  const std::string svg = evaluation_svg({run_of("a", 10'000), run_of("b", 100'000)});
  EXPECT_EQ(count(svg, "<title>a "), 5U);
  EXPECT_EQ(count(svg, "class=\"interval\""), 2U) << "of p50 only";
  EXPECT_NE(svg.find("10.0 %"), std::string::npos) << "the mean absolute error of p50";
  EXPECT_NE(svg.find("2 of 2 runs within"), std::string::npos);
}

TEST(EvaluationChart, NamesAreNeverMoreThanText) {
  for (const std::string& text : {evaluation_svg({run_of("<script>x</script>", 5)}),
                                  evaluation_page({run_of("<script>x</script>", 5)})}) {
    EXPECT_EQ(text.find("<script>"), std::string::npos);
  }
}

TEST(EvaluationChart, OfNoRunsThereIsNone) {
  EXPECT_THROW((void)evaluation_svg({}), UsageError);
}

}  // namespace
}  // namespace wavewright
