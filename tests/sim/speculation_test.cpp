// Which running tasks are doubled.
#include <gmock/gmock.h>

#include "wavewright/sim/nodes/speculation.h"

namespace wavewright::sim {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Speculation, HadoopDoublesWhatIsFarBelowTheMean) {
  const std::vector<Progress> running = {
      {0.9, 100, true}, {0.75, 100, true}, {0.5, 100, true}, {0.4, 100, false}};
  EXPECT_THAT(choose_to_double(SpeculationRule::hadoop, running, 6, 99), ElementsAre(2))
      << "0.5 < 0.855 - 0.2";
  EXPECT_THAT(choose_to_double(SpeculationRule::hadoop, running, 0, 99), IsEmpty());
}

TEST(Speculation, LateDoublesTheSlowestQuarterLongestLeftFirst) {
  // Rates 0.001, 0.002, 0.009, 0.009 …: of eight, two are slow; the first has 100 ms left, the second 450.
  std::vector<Progress> running = {{0.9, 900, true}, {0.1, 50, true}};
  for (int i = 0; i < 6; ++i) running.push_back({0.9, 100, true});
  EXPECT_THAT(choose_to_double(SpeculationRule::late, running, 0, 99), ElementsAre(1, 0));
  EXPECT_THAT(choose_to_double(SpeculationRule::late, running, 0, 1), ElementsAre(1));
  EXPECT_THAT(choose_to_double(SpeculationRule::late, running, 0, 0), IsEmpty());
  running[1].eligible = false;
  EXPECT_THAT(choose_to_double(SpeculationRule::late, running, 0, 99), ElementsAre(0));
}

TEST(Speculation, LateDoublesNothingWhereAllAreAlike) {
  EXPECT_THAT(choose_to_double(SpeculationRule::late, std::vector<Progress>(5, {0.5, 100, true}), 0, 9),
              IsEmpty());
}

TEST(Speculation, ProgressRunsFromTheBeginningOfTheWork) {
  EXPECT_EQ(done_part(5, 10, 20), 0);
  EXPECT_EQ(done_part(15, 10, 20), 0.5);
  EXPECT_EQ(done_part(25, 10, 20), 1);
  EXPECT_EQ(done_part(25, 0, 0), 0) << "a reduce that waits for its maps";
}

}  // namespace
}  // namespace wavewright::sim
