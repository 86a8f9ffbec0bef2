#include "wavewright/profile/why.h"

#include <fmt/format.h>

#include "tests/profile/history.h"
#include "wavewright/core/error.h"

namespace wavewright {
namespace {

TEST(Why, NamesTheTaskOfEveryStatistic) {
  JobRun run = small_run();  // maps of 90 and 100 ms
  run.tasks[1].attempts[0].node = "node7";
  run.tasks[1].attempts[0].id = run.tasks[1].successful_attempt = "attempt_long";
  std::vector<TaskSource> sources;
  add_sources(run, PhaseName::map, sources);
  ASSERT_EQ(sources.size(), 2U);
  const TaskSource longest = sources_of(parse_statistic("map.max"), sources).front();
  EXPECT_EQ(longest.attempt, "attempt_long");
  EXPECT_EQ(longest.node, "node7");
  EXPECT_EQ(longest.run, run.id);
  EXPECT_EQ(sources_of(parse_statistic("map.min"), sources).front().length, ms(90));
  EXPECT_EQ(sources_of(parse_statistic("map.p0"), sources).front().length, ms(90));
  EXPECT_EQ(sources_of(parse_statistic("map.p100"), sources, 1).size(), 1U);
}

TEST(Why, AMeanComesFromTheTasksNearestToIt) {
  std::vector<TaskSource> sources;
  for (const int length : {10, 20, 30, 58, 62, 180}) {
    sources.push_back({"job", "task", fmt::format("attempt_{}", length), "node", ms(length)});
  }
  const std::vector<TaskSource> mean = sources_of(parse_statistic("map.mean"), sources, 3);  // of 60 ms
  ASSERT_EQ(mean.size(), 3U);
  EXPECT_EQ(mean[0].length, ms(58));
  EXPECT_EQ(mean[1].length, ms(62));
  EXPECT_EQ(mean[2].length, ms(30));
  EXPECT_EQ(sources_of(parse_statistic("map"), sources, 1).front().length, ms(180)) << "the longest";
  EXPECT_EQ(order_of(parse_statistic("map.mean")), "nearest to their mean first");
  EXPECT_EQ(order_of(parse_statistic("map")), "the longest first");
  EXPECT_EQ(order_of(parse_statistic("map.min")), "the shortest first");
  EXPECT_EQ(order_of(parse_statistic("map.p95")), "nearest to the 95 % point first");
}

TEST(Why, APercentileComesFromItsRank) {
  std::vector<TaskSource> sources;
  for (const int length : {10, 20, 30, 40, 50})
    sources.push_back({"job", "task", "attempt", "node", ms(length)});
  // Rank 0.75 · (5 − 1) = 3, counted from 0.
  EXPECT_EQ(sources_of(parse_statistic("map.p75"), sources, 1).front().length, ms(40));
}

TEST(Why, EachPhaseHasItsOwnTasks) {
  const JobRun run = small_run();
  const auto lengths = [&](PhaseName phase) {
    std::vector<TaskSource> sources;
    add_sources(run, phase, sources);
    std::vector<Duration> all;
    for (const TaskSource& source : sources) all.push_back(source.length);
    return all;
  };
  EXPECT_EQ(lengths(PhaseName::first_shuffle), (std::vector<Duration>{ms(30)}));
  EXPECT_EQ(lengths(PhaseName::shuffle), (std::vector<Duration>{ms(40)}));
  EXPECT_EQ(lengths(PhaseName::reduce), (std::vector<Duration>{ms(40), ms(40)}));
}

TEST(Why, TakesPhasesAsTablesNameThem) {
  EXPECT_EQ(parse_statistic("first shuffle").phase, PhaseName::first_shuffle);
  EXPECT_EQ(parse_statistic("First-Shuffle.max").phase, PhaseName::first_shuffle);
  EXPECT_EQ(parse_statistic("later shuffle.p95").phase, PhaseName::shuffle);
  EXPECT_EQ(parse_statistic("later shuffle.p95").q, 0.95);
}

TEST(Why, RefusesWhatIsNoStatistic) {
  EXPECT_THROW((void)parse_statistic("mpa"), UsageError);
  EXPECT_THROW((void)parse_statistic("map.median"), UsageError);
  EXPECT_THROW((void)parse_statistic("map.p101"), UsageError);
  EXPECT_THROW((void)parse_statistic(""), UsageError);
  EXPECT_EQ(parse_statistic("reduce.p95").q, 0.95);
}

}  // namespace
}  // namespace wavewright
