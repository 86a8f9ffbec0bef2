// Which running tasks are doubled.
#include <gmock/gmock.h>

#include "tests/property.h"
#include "wavewright/sim/model/speculation.h"

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

// The only one left: half done after 1,000 ms, where its siblings took 100. And one that is as fast as they
// were.
TEST(Speculation, LateComparesALoneTaskWithThoseThatHaveFinished) {
  const std::vector<std::uint64_t> took(9, 100);
  const std::vector<Progress> slow = {{0.5, 1000, true}};
  EXPECT_THAT(choose_to_double(SpeculationRule::late, slow, 9, 1, took), ElementsAre(0));
  EXPECT_THAT(choose_to_double(SpeculationRule::late, slow, 1, 1, std::vector<std::uint64_t>{0}),
              ElementsAre(0));
  EXPECT_THAT(choose_to_double(SpeculationRule::late, std::vector<Progress>{{0.5, 50, true}}, 9, 1, took),
              IsEmpty());
}

// Rates of ten: three run at 0.0005, 0.0005 and 0.001 a ms, seven have finished at 0.01. The slowest quarter
// of all ends at the third; of those running it would end at the first.
TEST(Speculation, LatesQuarterIsOfAllTasks) {
  const std::vector<Progress> running = {{0.1, 100, true}, {0.05, 100, true}, {0.06, 100, true}};
  const std::vector<std::uint64_t> took(7, 100);
  EXPECT_THAT(choose_to_double(SpeculationRule::late, running, 7, 9, took), ElementsAre(1, 2, 0));
}

// Whoever looks again only when Pace says so misses no instant at which a task is far below the mean.
TEST(Pace, TellsNoInstantThatIsTooLate) {
  holds_always([] {
    struct Work {
      std::uint64_t from = 0, full = 0;
    };
    const auto now = *rc::gen::inRange<std::uint64_t>(50, 100);
    const auto finished = *rc::gen::inRange<std::size_t>(0, 5);
    std::vector<Work> running(*rc::gen::inRange<std::size_t>(1, 6));
    for (Work& work : running) {
      work.from = *rc::gen::inRange<std::uint64_t>(1, 120);
      work.full = work.from + *rc::gen::inRange<std::uint64_t>(0, 200);
    }
    Pace pace;
    for (const Work& work : running) pace.add({now, work.from, work.full});
    pace.divide(running.size() + finished, finished);
    for (std::uint64_t at = now; at < now + 300; ++at) {
      std::vector<Progress> progress;
      for (const Work& work : running) progress.push_back({done_part(at, work.from, work.full), at, true});
      for (const std::size_t i : choose_to_double(SpeculationRule::hadoop, progress, finished, 99))
        RC_ASSERT(pace.first_behind(now, {now, running[i].from, running[i].full}) <= at);
    }
  });
}

// A task of 100 ms and one of 400, both at 50: the mean is 0.3125, the long one 0.1875 below. The 0.0125 that
// are wanting it falls behind in 3.3 ms, at 0.00625 - 0.0025 a ms; two are taken off for rounding.
TEST(Pace, TellsHowLongItTakesToFallBehind) {
  const auto first = [](std::uint64_t full) {
    Pace pace;
    pace.add({50, 0, 100});
    pace.add({50, 0, full});
    pace.divide(2, 0);
    return pace.first_behind(50, {50, 0, full});
  };
  EXPECT_EQ(first(400), 51U);
  EXPECT_EQ(first(1000), 50U) << "it is behind now";
  EXPECT_EQ(first(100), ~std::uint64_t{0}) << "they are alike";
}

// 4 of 6 ms done, beside 4 of 5 and two that are done: exactly 0.2 below the mean, whatever the order of the
// sum.
TEST(Pace, TakesATieForBehind) {
  Pace pace;
  for (const std::uint64_t full : {952U, 952U, 957U, 958U}) pace.add({956, 952, full});
  pace.divide(4, 0);
  EXPECT_EQ(pace.first_behind(956, {956, 952, 958}), 956U);
}

TEST(Speculation, ProgressRunsFromTheBeginningOfTheWork) {
  EXPECT_EQ(done_part(5, 10, 20), 0);
  EXPECT_EQ(done_part(15, 10, 20), 0.5);
  EXPECT_EQ(done_part(25, 10, 20), 1);
  EXPECT_EQ(done_part(25, 0, 0), 0) << "a reduce that waits for its maps";
}

}  // namespace
}  // namespace wavewright::sim
