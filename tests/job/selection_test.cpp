#include "wavewright/job/selection.h"

#include <gmock/gmock.h>

#include "wavewright/core/error.h"

namespace wavewright {
namespace {

using testing::ElementsAre;

Workload jobs(const std::vector<std::pair<std::string, int>>& submitted) {
  Workload workload;
  for (const auto& [id, at] : submitted) {
    Job job;
    job.id = id;
    job.submit = at_ms(at);
    job.maps = {ms(5)};
    workload.jobs.push_back(job);
  }
  return workload;
}

std::vector<std::string> ids(const Workload& workload) {
  std::vector<std::string> result;
  for (const Job& job : workload.jobs) result.push_back(job.id);
  return result;
}

const Workload some = jobs({{"late", 90}, {"a", 10}, {"b", 10}, {"c", 30}, {"d", 20}});

TEST(Selection, TakesTheFirstBySubmissionInTheOrderOfTheWorkload) {
  EXPECT_THAT(ids(select_jobs(some, {.first = 1})), ElementsAre("a"));
  EXPECT_THAT(ids(select_jobs(some, {.first = 4})), ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(ids(select_jobs(some, {.first = 99})), ElementsAre("late", "a", "b", "c", "d"));
}

TEST(Selection, CountsTimeFromTheFirstSubmission) {
  EXPECT_THAT(ids(select_jobs(some, {.within = ms(20)})), ElementsAre("a", "b", "d"));
  EXPECT_THAT(ids(select_jobs(some, {.within = ms(21)})), ElementsAre("a", "b", "c", "d"));
}

TEST(Selection, NamedJobsAreLeftOutAndNotReplaced) {
  EXPECT_THAT(ids(select_jobs(some, {.first = 3, .without = {"b"}})), ElementsAre("a", "d"));
  EXPECT_EQ(select_jobs(some, {.first = 3, .without = {"b"}}).jobs[1].submit, at_ms(20));
}

TEST(Selection, RefusesUnknownJobsEmptySelectionsAndLostPredecessors) {
  EXPECT_THROW((void)select_jobs(some, {.without = {"x"}}), UsageError);
  EXPECT_THROW((void)select_jobs(some, {.within = ms(0)}), UsageError);
  EXPECT_THROW((void)select_jobs(some, {.first = 1, .without = {"a"}}), UsageError);
  Workload chained = some;
  chained.jobs[3].after = {"b"};
  EXPECT_THROW((void)select_jobs(chained, {.without = {"b"}}), UsageError);
  EXPECT_THAT(ids(select_jobs(chained, {.without = {"b", "c"}})), ElementsAre("late", "a", "d"));
}

}  // namespace
}  // namespace wavewright
