// Heartbeats that starts of tasks show, made up with known periods.
#include "wavewright/sim/calibration/heartbeat_history.h"

#include <gtest/gtest.h>

#include "wavewright/core/random.h"

namespace wavewright::sim {
namespace {

// Starts at multiples of the period, a few apart, each off by up to `off` ms.
std::vector<double> gaps_of(double period, double off, std::size_t count) {
  SplitMix random(7);
  std::vector<double> gaps;
  double before = 0, beat = 0;
  for (std::size_t i = 0; i < count; ++i) {
    beat += 1 + static_cast<double>(random.bits() % 4);
    const double at = beat * period + off * (2 * random.unit() - 1);
    gaps.push_back(at - before);
    before = at;
  }
  return gaps;
}

TEST(PeriodOf, FindsThePeriodAndNoPartOfIt) {
  for (const double period : {60.0, 300.0, 1'000.0, 3'000.0, 20'000.0}) {
    const auto found = period_of(gaps_of(period, period / 20, 400));
    ASSERT_TRUE(found) << period;
    EXPECT_NEAR(static_cast<double>(to_ms(*found)), period, period / 100);
  }
}

TEST(PeriodOf, FindsNoneInStartsAtAnyTime) {
  SplitMix random(3);
  for (int world = 0; world < 50; ++world) {
    std::vector<double> gaps;
    for (int i = 0; i < 300; ++i) gaps.push_back(4'000 * random.unit());
    EXPECT_FALSE(period_of(gaps)) << world;
  }
}

TEST(PeriodOf, NeedsThirtyGaps) {
  EXPECT_FALSE(period_of({}));
  EXPECT_FALSE(period_of(gaps_of(300, 5, 29)));
  EXPECT_TRUE(period_of(gaps_of(300, 5, 60)));
}

// Tasks of one length, one after the other, start as regularly.
TEST(PeriodOf, TakesNoTasksLengthForIt) {
  EXPECT_FALSE(period_of(std::vector<double>(200, 9'000.0)));
}

// Some node always starts several tasks at one heartbeat: those gaps tell nothing.
TEST(PeriodOf, PassesOverStartsAtOneInstant) {
  std::vector<double> gaps = gaps_of(1'000, 30, 100);
  gaps.resize(400, 2.0);
  const auto found = period_of(gaps);
  ASSERT_TRUE(found);
  EXPECT_NEAR(static_cast<double>(to_ms(*found)), 1'000, 10);
}

TEST(Gaps, AreBetweenStartsOnANodeOrOfAJob) {
  std::vector<JobRun> runs(2);
  const auto add = [](JobRun& run, const char* node, int start, TaskKind kind = TaskKind::map) {
    TaskRun task;
    task.kind = kind;
    Attempt attempt;
    attempt.node = std::string(node);
    attempt.start = at_ms(start);
    task.attempts.push_back(attempt);
    run.tasks.push_back(task);
  };
  runs[0].id = std::string(1, 'a');
  runs[1].id = std::string(1, 'b');
  add(runs[0], "n", 400);
  add(runs[0], "m", 100);
  add(runs[1], "n", 150);
  add(runs[1], "n", 160, TaskKind::setup);
  EXPECT_EQ(gaps_on_nodes(runs), (std::vector<double>{250}));
  EXPECT_EQ(gaps_of_jobs(runs), (std::vector<double>{300}));
}

}  // namespace
}  // namespace wavewright::sim
