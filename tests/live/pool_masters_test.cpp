#include "wavewright/live/yarn/pool_masters.h"

#include <gtest/gtest.h>

namespace wavewright {
namespace {

constexpr std::int64_t mebibyte = std::int64_t{1} << 20;

Job job_of(const std::string& id, std::vector<Duration> maps, std::vector<Duration> reduces) {
  Job job;
  job.id = id;
  job.name = id;
  job.maps = std::move(maps);
  job.reduces = std::move(reduces);
  return job;
}

// On one slot of each kind, b's map runs while a reduces; c and d follow one another.
class Pools : public ::testing::Test {
 protected:
  Pools() {
    batch_.jobs = {job_of("a", {ms(10)}, {ms(20)}), job_of("b", {ms(10)}, {ms(5)}), job_of("c", {ms(5)}, {}),
                   job_of("d", {ms(5)}, {})};
    plan_.order = {"a", "b", "c", "d"};
    plan_.pools = {{{1, 1}, {"a", "b"}}, {{1, 0}, {"c", "d"}}};
    cluster_.limits.min_memory = Bytes{1024 * mebibyte};
  }
  [[nodiscard]] std::vector<PoolMasters> found() const { return pool_masters(plan_, batch_, cluster_, 1); }

  Workload batch_;
  Plan plan_;
  Cluster cluster_;
};

TEST_F(Pools, MastersCountWhileThePlanRunsTheirJobs) {
  const std::vector<PoolMasters> both = found();
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0].at_once, 2 * 2048) << "1.5 GiB each, in steps of 1 GiB";
  EXPECT_EQ(both[1].at_once, 2048) << "one that ends is not beside the next one";
  EXPECT_EQ(both[0].task, 1024);
  EXPECT_EQ(both[0].slots, 2 * 1024);
  EXPECT_EQ(both[0].master, 2048);
  EXPECT_EQ(both[1].slots, 1024);
  plan_.pools[1].slots.map_slots = 2;
  EXPECT_EQ(found()[1].at_once, 2 * 2048);
}

TEST_F(Pools, JobsMayStateTheirMemory) {
  batch_.jobs[1].memory = {Bytes{3000 * mebibyte}, {}, Bytes{2500 * mebibyte}};
  batch_.jobs[3].memory.reduce = Bytes{9000 * mebibyte};  // of no task
  const std::vector<PoolMasters> both = found();
  EXPECT_EQ(both[0].at_once, 2048 + 3072);
  EXPECT_EQ(both[0].task, 3072);
  EXPECT_EQ(both[1].task, 1024);
}

TEST_F(Pools, NothingIsKnownWithoutTasksOrSlotsForThem) {
  plan_.pools[0].slots.reduce_slots = 0;
  EXPECT_EQ(found()[0].at_once, 0);
  EXPECT_EQ(found()[1].at_once, 0);
  plan_.pools[0].slots.reduce_slots = 1;
  for (Job& job : batch_.jobs) job.maps = job.reduces = {};
  EXPECT_EQ(found()[0].at_once, 0);
}

}  // namespace
}  // namespace wavewright
