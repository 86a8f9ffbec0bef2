#include "wavewright/job/summary.h"
#include "tests/property.h"

#include <rapidcheck.h>

namespace wavewright {
namespace {

Job job_of(const std::string& id, std::vector<Duration> maps, std::vector<Duration> reduces,
           std::int64_t submit = 0) {
  Job job;
  job.id = id;
  job.maps = std::move(maps);
  job.reduces = std::move(reduces);
  job.submit = at_ms(submit);
  return job;
}

TEST(Summary, CountsWorkAndLoad) {
  WorkloadSummarizer summarizer;
  summarizer.add(job_of("a", {ms(10), ms(20), ms(30)}, {ms(100)}, 0));
  summarizer.add(job_of("b", {ms(40)}, {}, 50));
  const WorkloadSummary summary = summarizer.finish();
  EXPECT_EQ(summary.jobs, 2);
  EXPECT_EQ(summary.maps.tasks, 4);
  EXPECT_EQ(summary.maps.work, ms(100));
  EXPECT_EQ(summary.maps.quantiles,
            (std::array{ms(10), ms(17), ms(25), ms(32), ms(40)}));  // type 7, rounded down
  EXPECT_EQ(summary.reduces.jobs, 1);
  EXPECT_DOUBLE_EQ(summary.offered_map_load(1).value(), 2.0);  // 100 ms of work arrive within 50
  EXPECT_DOUBLE_EQ(summary.offered_map_load(4).value(), 0.5);
  EXPECT_FALSE(summary.offered_map_load(0));
  EXPECT_EQ(summary.biggest.at(0).id, "a");
  EXPECT_EQ(summary.biggest.at(0).work, ms(160));
}

TEST(Summary, HasNoLoadWhenAllArriveAtOnce) {
  WorkloadSummarizer summarizer;
  summarizer.add(job_of("a", {ms(10)}, {}));
  EXPECT_FALSE(summarizer.finish().offered_map_load(5));
}

TEST(Summary, SizesAreBinnedByPowersOfTwo) {
  WorkloadSummarizer summarizer;
  for (const std::size_t tasks : {1U, 2U, 3U, 3U, 9U}) {
    summarizer.add(job_of("j", std::vector<Duration>(tasks, ms(1)), {}));
  }
  std::vector<std::array<Count, 3>> bins;
  for (const SizeBin& bin : summarizer.finish().sizes) bins.push_back({bin.from, bin.to, bin.jobs});
  EXPECT_THAT(bins, testing::ElementsAre(std::array<Count, 3>{1, 1, 1}, std::array<Count, 3>{2, 3, 3},
                                         std::array<Count, 3>{4, 7, 0}, std::array<Count, 3>{8, 15, 1}));
}

TEST(Summary, QuantilesAreThoseOfTheSortedList) {
  holds_always([] {
    const auto values = *rc::gen::nonEmpty(
        rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(0, 50)));
    std::vector<Duration> durations;
    for (const auto value : values) durations.push_back(ms(value));
    WorkloadSummarizer summarizer;
    summarizer.add(job_of("j", durations, {}));
    const auto quantiles = summarizer.finish().maps.quantiles;
    std::sort(durations.begin(), durations.end());
    for (std::size_t quarter = 0; quarter < 5; ++quarter) {
      const double place = static_cast<double>(durations.size() - 1) * static_cast<double>(quarter) / 4;
      const auto below = static_cast<std::size_t>(place);
      const double low = static_cast<double>(to_ms(durations[below]));
      const double high = static_cast<double>(to_ms(durations[std::min(below + 1, durations.size() - 1)]));
      const double expected = low + (high - low) * (place - static_cast<double>(below));
      RC_ASSERT(static_cast<double>(to_ms(quantiles.at(quarter))) <= expected + 1e-9);
      RC_ASSERT(static_cast<double>(to_ms(quantiles.at(quarter))) > expected - 1 - 1e-9);
    }
  });
}

TEST(Summary, BiggestAreTheFiveWithMostWork) {
  WorkloadSummarizer summarizer;
  for (const int work : {3, 9, 1, 9, 4, 8, 2, 7})
    summarizer.add(job_of(std::to_string(work), {ms(work)}, {}));
  std::string ids;
  for (const JobSize& job : summarizer.finish().biggest) ids += job.id;
  EXPECT_EQ(ids, "99874");
}

}  // namespace
}  // namespace wavewright
