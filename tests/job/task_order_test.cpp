// The order of tasks within jobs.
#include "wavewright/job/task_order.h"

#include <algorithm>

#include "tests/job/some_workload.h"
#include "tests/property.h"
#include "wavewright/core/error.h"
#include "wavewright/job/sampled.h"

namespace wavewright {
namespace {

Workload one_job() {
  Job job;
  job.id = "A";
  job.maps = {ms(5), ms(8), ms(9), ms(50), ms(50)};
  job.reduces = {ms(1), ms(4), ms(2)};
  job.shuffles = {ms(9), ms(1), ms(1)};
  job.splits = {{"n0"}, {"n1"}, {"n2"}, {"n3"}, {"n4"}};
  return {{job}};
}

TEST(TaskOrder, LongestFirstKeepsEqualTasksAsListed) {
  const Job job = in_task_order(one_job(), TaskOrder::longest_first).jobs[0];
  EXPECT_EQ(job.maps, (std::vector{ms(50), ms(50), ms(9), ms(8), ms(5)}));
  EXPECT_EQ(job.splits, (std::vector<std::vector<std::string>>{{"n3"}, {"n4"}, {"n2"}, {"n1"}, {"n0"}}));
}

TEST(TaskOrder, AReducesShuffleIsPartOfItsLengthAndGoesWithIt) {
  const Job job = in_task_order(one_job(), TaskOrder::longest_first).jobs[0];
  EXPECT_EQ(job.reduces, (std::vector{ms(1), ms(4), ms(2)})) << "with shuffles 10, 5 and 3";
  EXPECT_EQ(job.shuffles, (std::vector{ms(9), ms(1), ms(1)}));
}

TEST(TaskOrder, GivesTheListedNumberOfEachPlace) {
  const TaskPlaces places(one_job(), TaskOrder::longest_first);
  ASSERT_TRUE(places.moves());
  for (const auto& [place, listed] : {std::pair{0U, 3U}, {1U, 4U}, {2U, 2U}, {3U, 1U}, {4U, 0U}})
    EXPECT_EQ(places.listed_map(0, place), listed);
  EXPECT_EQ(places.listed_reduce(0, 2), 2U) << "its reduces stand as listed";
  EXPECT_FALSE(TaskPlaces(one_job(), TaskOrder::as_listed).moves());
}

// Who plans does not know the drawn lengths.
TEST(TaskOrder, GoesByTheExpectedLengthsOfADraw) {
  const Workload expected = one_job();
  const Workload drawn = drawn_lengths(expected, {.tasks = 2, .jobs = 0}, 7);
  ASSERT_NE(drawn.jobs[0].maps, expected.jobs[0].maps);
  Workload arranged = drawn;
  TaskPlaces(drawn, TaskOrder::longest_first).arrange(arranged);
  for (const auto& [place, listed] : {std::pair{0U, 3U}, {1U, 4U}, {2U, 2U}, {3U, 1U}, {4U, 0U}})
    EXPECT_EQ(arranged.jobs[0].maps[place], drawn.jobs[0].maps[listed]);
}

TEST(TaskOrder, HasNames) {
  for (const TaskOrder order : {TaskOrder::longest_first, TaskOrder::as_listed})
    EXPECT_EQ(parse_task_order(to_string(order)), order);
  EXPECT_THROW((void)parse_task_order("longest-frist"), UsageError);
}

TEST(TaskOrder, MovesWholeTasksAndLosesNone) {
  holds_always([] {
    Job listed = any_job(1, {});
    listed.first_shuffles = any_durations(listed.reduces.size());
    listed.shuffles = any_durations(listed.reduces.size());
    const Workload workload{{listed}};
    const TaskPlaces places(workload, TaskOrder::longest_first);
    Workload arranged = workload;
    places.arrange(arranged);
    const Job& job = arranged.jobs[0];
    RC_ASSERT(std::is_sorted(job.maps.begin(), job.maps.end(), std::greater<>()));
    for (std::uint32_t place = 0; place < job.maps.size(); ++place)
      RC_ASSERT(job.maps[place] == listed.maps[places.listed_map(0, place)]);
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t place = 0; place < job.reduces.size(); ++place) {
      numbers.push_back(places.listed_reduce(0, place));
      RC_ASSERT(job.reduces[place] == listed.reduces[numbers.back()]);
      RC_ASSERT(job.first_shuffles[place] == listed.first_shuffles[numbers.back()]);
      RC_ASSERT(job.shuffles[place] == listed.shuffles[numbers.back()]);
      if (place > 0) {
        RC_ASSERT(job.reduces[place - 1] + job.shuffles[place - 1] >=
                  job.reduces[place] + job.shuffles[place]);
      }
    }
    std::sort(numbers.begin(), numbers.end());
    for (std::uint32_t i = 0; i < numbers.size(); ++i) RC_ASSERT(numbers[i] == i);
  });
}

}  // namespace
}  // namespace wavewright
