// Malleable admission: jobs that hold the fewest slots with which they are in time.
#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/realtime/worlds.h"
#include "wavewright/core/error.h"
#include "wavewright/job/workload_file.h"
#include "wavewright/realtime/admission.h"

namespace wavewright {
namespace {

using namespace realtime_worlds;  // NOLINT(google-build-using-namespace)

constexpr const char* fewest = "rtmr(slots=fewest)";

AdmissionController malleable(SlotPool slots) {
  return {slots, {.feedback = Feedback::jobs, .fewest_slots = true}};
}

TEST(Limits, AJobGetsTheFewestSlots) {
  // Six maps of 10 by 30: two slots. Then three reduces of 10 by 50: two.
  for (const auto& [deadline, maps, reduces] :
       {std::tuple{20, 6, 3}, {50, 2, 2}, {49, 3, 2}, {90, 1, 1}, {89, 2, 1}}) {
    AdmissionController controller = malleable({8, 4});
    const auto answer = controller.admit(
        {.job = 0, .deadline = at_ms(deadline), .maps = 6, .reduces = 3, .map = ms(10), .reduce = ms(10)},
        at_ms(0));
    ASSERT_TRUE(answer.accepted) << deadline;
    EXPECT_EQ(controller.limits().at(0), (SlotPool{maps, reduces})) << deadline;
  }
}

TEST(Limits, RoomIsLeftForAJobThatComesLater) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 100, std::vector<Duration>(10, ms(10))), a_job("B", 1, 21, {ms(20)})};
  EXPECT_TRUE(run(workload, "rtmr", nodes(1, 2, 1)).jobs[1].rejected) << "A's next maps go first";
  const SimulationResult result = run(workload, fewest, nodes(1, 2, 1));
  EXPECT_EQ(result.jobs[0].finish, at_ms(100)) << "on one slot";
  EXPECT_EQ(result.jobs[1].finish, at_ms(21));
}

TEST(Limits, ReducesAreLimitedToo) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 40, {}, std::vector<Duration>(4, ms(10))), a_job("B", 1, 11, {}, {ms(10)})};
  EXPECT_TRUE(run(workload, "rtmr", nodes(1, 1, 2)).jobs[1].rejected);
  const SimulationResult result = run(workload, fewest, nodes(1, 1, 2));
  EXPECT_EQ(result.jobs[0].finish, at_ms(40));
  EXPECT_EQ(result.jobs[1].finish, at_ms(11));
}

// B needs one slot behind A; before it comes C, which is due first, and then B needs two.
TEST(Limits, AJobThatWaitsGetsMoreIfOneIsPutBeforeIt) {
  AdmissionController controller = malleable({2, 1});
  const auto job = [](JobIndex number, std::int64_t deadline, Count maps) {
    return RealtimeJob{.job = number, .deadline = at_ms(deadline), .maps = maps, .map = ms(10)};
  };
  ASSERT_TRUE(controller.admit(job(0, 40, 4), at_ms(0)).accepted);
  EXPECT_EQ(controller.limits().at(0), (SlotPool{1, 1}));
  ASSERT_TRUE(controller.admit(job(1, 20, 2), at_ms(0)).accepted);
  ASSERT_EQ(controller.queue(), (std::vector<JobIndex>{1, 0}));
  EXPECT_EQ(controller.limits().at(1), (SlotPool{1, 1})) << "beside it";
  ASSERT_TRUE(controller.admit(job(2, 20, 2), at_ms(0)).accepted);
  EXPECT_EQ(controller.limits().at(2), (SlotPool{2, 1})) << "behind both";
  EXPECT_EQ(controller.estimate(0), at_ms(40));
}

TEST(Limits, AreLiftedWhereAllIsPlacedAnew) {
  AdmissionController controller = malleable({2, 1});
  ASSERT_TRUE(
      controller.admit({.job = 0, .deadline = at_ms(40), .maps = 4, .map = ms(10)}, at_ms(0)).accepted);
  controller.replan({2, 1}, [](JobIndex) { return TasksLeft{}; }, at_ms(0));
  EXPECT_EQ(controller.estimate(0), at_ms(20));
  EXPECT_GE(controller.limits().at(0).map_slots, 4);
}

TEST(Limits, OnlyWhereNothingIsPlacedAnewEachTime) {
  EXPECT_THROW((void)make_policy_on("rtmr(slots=fewest, feedback=tasks)", nodes(1, 1, 1), policies()),
               UsageError);
  EXPECT_THROW(
      (void)make_policy_on("rtmr(slots=fewest, feedback=tasks, order=any)", nodes(1, 1, 1), policies()),
      UsageError);
  EXPECT_THROW(AdmissionController({1, 1}, {.feedback = Feedback::tasks, .fewest_slots = true}),
               InternalError);
}

// A, on one slot of a node, would take its only start at each report, and B never have the other slot.
TEST(Limits, OnlyWhereAReportFillsAllSlotsOfANode) {
  const auto taken_with = [](int map_slots, int reduce_slots, const char* starts) {
    (void)make_policy_on(
        fewest, nodes(1, map_slots, reduce_slots, std::string("heartbeat_ms = 2\n") + starts), policies());
  };
  EXPECT_THROW(taken_with(2, 1, "maps_per_heartbeat = 1\n"), UsageError);
  EXPECT_THROW(taken_with(1, 3, "reduces_per_heartbeat = 2\n"), UsageError);
  EXPECT_NO_THROW(taken_with(2, 3, ""));
  EXPECT_NO_THROW(taken_with(2, 3, "maps_per_heartbeat = 2\nreduces_per_heartbeat = 3\n"));
  EXPECT_NO_THROW((void)make_policy_on(fewest, nodes(1, 2, 3, "maps_per_heartbeat = 1\n"), policies()));
}

// The slots that are available first, as a list.
TEST(Limits, SlotsAreTakenAndPutBack) {
  holds_always([] {
    std::vector<std::int64_t> times(*rc::gen::inRange<std::size_t>(1, 9));
    for (std::int64_t& at : times) at = *rc::gen::inRange(0, 6);
    const auto count = *rc::gen::inRange<std::size_t>(1, 10), tasks = *rc::gen::inRange<std::size_t>(0, 20);
    SlotTimes slots(times);
    std::sort(times.begin(), times.end());
    const std::size_t first = std::min(count, times.size());
    for (std::size_t task = 0; task < tasks; ++task) {
      times.front() += 4;
      std::sort(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(first));
    }
    std::sort(times.begin(), times.end());
    SlotTimes taken = slots.take_first(static_cast<Count>(count));
    RC_ASSERT(taken.slots() == static_cast<Count>(first));
    (void)taken.place(static_cast<Count>(tasks), 4, 0);
    slots.put_back(taken);
    std::vector<std::int64_t> listed;
    for (const SlotTimes::Step& step : slots.steps())
      listed.insert(listed.end(), static_cast<std::size_t>(step.slots), step.at);
    RC_ASSERT(listed == times);
  });
}

TEST(Limits, AcceptedJobsAreInTimeOnTheFewestSlots) {
  int accepted = 0, more = 0, rejected = 0, with_heartbeats = 0, limited = 0;
  holds_always(
      [&] {
        World world = some_world();
        for (NodeGroup& group : world.cluster.nodes) group.slots.map_slots += *rc::gen::inRange(0, 4);
        world.cluster.mode.maps_per_heartbeat = world.cluster.mode.reduces_per_heartbeat = 0;
        // Many short maps: the job takes its slot again and again.
        world.workload.jobs.front().maps.insert(world.workload.jobs.front().maps.end(),
                                                *rc::gen::inRange<std::size_t>(0, 30), ms(1));
        if (world.workload.jobs.front().deadline)
          *world.workload.jobs.front().deadline += ms(*rc::gen::inRange(0, 600));
        const std::string feedback = *rc::gen::element<std::string>("none", "jobs");
        const std::string policy = fmt::format("rtmr(slots=fewest, feedback={})", feedback);
        RC_LOG() << policy << "\n" << to_toml(world.cluster);
        std::ostringstream jobs;
        write_workload(jobs, world.workload);
        RC_LOG() << jobs.str();
        const SimulationResult result = run_both(world.workload, policy, world.cluster);
        const SimulationResult all =
            run(world.workload, fmt::format("rtmr(feedback={})", feedback), world.cluster);
        for (std::size_t i = 0; i < result.jobs.size(); ++i) {
          const JobOutcome& job = result.jobs[i];
          ++(job.rejected ? rejected : accepted);
          more += !job.rejected && all.jobs[i].rejected ? 1 : 0;
          if (job.rejected || !world.workload.jobs[i].deadline) continue;
          limited += !all.jobs[i].rejected && job.finish > all.jobs[i].finish ? 1 : 0;
          if (world.cluster.mode.heartbeat > Duration{}) ++with_heartbeats;
          RC_LOG() << "job " << i << " ends at " << to_ms(job.finish) << "\n";
          RC_ASSERT(job.finish <= *world.workload.jobs[i].deadline);
        }
      },
      4'000);
  EXPECT_GT(accepted, rare(4'000));
  EXPECT_GT(rejected, rare(4'000));
  EXPECT_GT(with_heartbeats, rare(800));
  EXPECT_GT(limited, rare(500));
  EXPECT_GT(more, rare(16));
}

}  // namespace
}  // namespace wavewright
