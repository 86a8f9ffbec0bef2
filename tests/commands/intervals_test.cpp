// No interval and no quantiles are printed where nothing varies, or less than is shown.
#include <gmock/gmock.h>

#include "tests/commands/run.h"

namespace wavewright {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Intervals : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    write("jobs.jsonl", R"({"id":"A","map_ms":[1000]}
{"id":"B","map_ms":[2000]}
)");
    write("long.jsonl", R"({"id":"A","map_ms":[1000000]}
)");
  }
  [[nodiscard]] std::string told(const std::string& arguments) const {
    const CommandResult result = run("-q " + arguments + " --map-slots 1 --reduce-slots 1");
    EXPECT_EQ(result.status, 0) << result.err;
    return result.out;
  }
};

// A spread of a millionth changes no length by half a millisecond.
TEST_F(Intervals, OfAPlanWhoseDrawsAreEqual) {
  const std::string same = told("plan jobs.jsonl --deadline 1min --spread 0.0001%");
  EXPECT_THAT(same, HasSubstr("it ends at 3s every time"));
  EXPECT_THAT(same, Not(HasSubstr("p95")));
  EXPECT_THAT(same, Not(HasSubstr("interval")));
  const std::string other = told("plan jobs.jsonl --deadline 1min --spread 20%");
  EXPECT_THAT(other, HasSubstr("p95"));
  EXPECT_THAT(other, HasSubstr("95 % interval"));
}

TEST_F(Intervals, OfARobustPlanWhoseDrawsAreEqual) {
  const std::string robust = "plan jobs.jsonl --robust expected --samples 20 --evaluations 20 --spread ";
  EXPECT_THAT(told(robust + "0.0001%"), Not(HasSubstr("–")));
  EXPECT_THAT(told(robust + "0.0001%"), Not(HasSubstr("interval")));
  EXPECT_THAT(told(robust + "20%"), HasSubstr("–"));
  EXPECT_THAT(told(robust + "20%"), HasSubstr("95 % intervals"));
}

// The makespans differ by a millisecond or two, their mean is known to a tenth of one.
TEST_F(Intervals, ThatRoundToNothing) {
  const std::string text = told("simulate long.jsonl --replications 100 --spread 0.00005%");
  EXPECT_THAT(text, Not(HasSubstr("± 0")));
  EXPECT_THAT(told("simulate long.jsonl --replications 100 --spread 1%"), HasSubstr("±"));
}

}  // namespace
}  // namespace wavewright
