// Series: instances that are accepted together are in time, whatever comes between.
#include "wavewright/realtime/series.h"

#include <sstream>

#include <fmt/format.h>

#include "tests/realtime/worlds.h"
#include "wavewright/core/error.h"
#include "wavewright/job/workload_file.h"
#include "wavewright/realtime/admission.h"

namespace wavewright {
namespace {

using namespace realtime_worlds;  // NOLINT(google-build-using-namespace)

TEST(Series, IsReadFromText) {
  const auto both = parse_series("nightly/24h/30|a/b/10ms/2");
  ASSERT_TRUE(both);
  EXPECT_EQ((*both)[0], (Series{"nightly", ms(86'400'000), 30}));
  EXPECT_EQ((*both)[1], (Series{"a/b", ms(10), 2})) << "names may have a slash";
  for (const char* const wrong :
       {"", "nightly", "nightly/24h", "nightly/24h/1", "nightly/24h/x", "nightly/24h/2x", "nightly/0/2",
        "/1h/2", "a/1h/2|", "a/1h/2|a/2h/2", "a/1x/2", "a/1h/10001", "//2", "/2"}) {
    EXPECT_FALSE(parse_series(wrong)) << wrong;
  }
  EXPECT_TRUE(parse_series("a/1h/10000"));
}

TEST(Series, OneOfTooManyInstancesIsNamed) {
  EXPECT_EQ(series_too_long("a/1h/10001"), "a/1h/10001");
  EXPECT_EQ(series_too_long("a/1h/2|b/1h/99999999999999999999|c/1h/20000"), "b/1h/99999999999999999999");
  for (const char* const other :
       {"a/1h/10000", "a/1h/x|b/1h/20000", "a/1x/20000", "a/1h/-99999999999999999999", "a/0/20000"})
    EXPECT_FALSE(series_too_long(other)) << other;
  try {
    (void)make_policy_on("rtmr(feedback=tasks, order=any, series=hourly/1h/20000)", nodes(1, 1, 1),
                         policies());
    FAIL() << "too many";
  } catch (const UsageError& error) {
    EXPECT_EQ(std::string(error.what()),
              "policy 'rtmr': series 'hourly/1h/20000' has more than 10000 instances; give fewer instances");
  }
}

constexpr const char* by_deadline = "rtmr(feedback=tasks, order=deadline, series=nightly/100ms/3)";
constexpr const char* any_order = "rtmr(feedback=tasks, order=any, series=nightly/100ms/3)";

// Instances at 0, 100 and 200, each of two maps of 10 that are due 30 later.
Workload three_nights() {
  Workload workload;
  for (int night = 0; night < 3; ++night) {
    workload.jobs.push_back(
        a_job(fmt::format("night-{}", night), 100 * night, 100 * night + 30, {ms(10), ms(10)}));
    workload.jobs.back().name = "nightly";
  }
  return workload;
}

TEST(Series, LaterInstancesOfItsOwnBlockNone) {
  Workload workload = three_nights();
  for (Job& job : workload.jobs) job.maps.assign(3, ms(10));  // each needs all of its time
  for (const char* const policy : {by_deadline, any_order}) {
    const SimulationResult result = run(workload, policy, nodes(1, 1, 1));
    for (std::size_t night = 0; night < 3; ++night) {
      EXPECT_FALSE(result.jobs[night].rejected) << policy;
      EXPECT_EQ(to_ms(result.jobs[night].finish), 100 * static_cast<std::int64_t>(night) + 30);
    }
  }
}

// B's second instance comes 1 before A's second one, and is due later. It may hold the slot then.
TEST(Series, InstancesOfAnotherSeriesBlock) {
  for (const std::int64_t slack : {10, 9}) {
    Workload workload;
    for (const std::int64_t at : {0, 100}) {
      workload.jobs.push_back(a_job(fmt::format("A{}", at), at, at + 10 + slack, {ms(10)}));
      workload.jobs.back().name = "A";
    }
    for (const std::int64_t at : {1, 99}) {
      workload.jobs.push_back(a_job(fmt::format("B{}", at), at, at + 50, {ms(10)}));
      workload.jobs.back().name = "B";
    }
    const SimulationResult result =
        run(workload, "rtmr(feedback=tasks, order=deadline, series=A/100ms/2|B/98ms/2)", nodes(1, 1, 1));
    EXPECT_FALSE(result.jobs[1].rejected);
    EXPECT_LE(result.jobs[1].finish, at_ms(110 + slack));
    EXPECT_EQ(result.jobs[2].rejected, slack == 9);
  }
}

TEST(Series, AJobThatMayBlockAnInstanceIsRejectedOrGoesFirst) {
  for (const int length : {10, 11}) {
    Workload workload = three_nights();
    workload.jobs.push_back(a_job("B", 95, 400, {ms(length)}));
    const SimulationResult result = run(workload, by_deadline, nodes(1, 1, 1));
    EXPECT_EQ(result.jobs[3].rejected, length == 11);
    EXPECT_EQ(result.jobs[1].finish, at_ms(length == 11 ? 120 : 125));
    for (int night = 0; night < 3; ++night)
      EXPECT_FALSE(result.jobs[static_cast<std::size_t>(night)].rejected);
    if (length == 11) {
      EXPECT_EQ(result.rejections.at(3).text.substr(0, 68),
                "An instance of a series that was accepted might end late; a deadline");
    }
  }
  // In any order it may go first, and then it blocks nothing.
  Workload workload = three_nights();
  workload.jobs.push_back(a_job("B", 95, 400, {ms(11)}));
  const SimulationResult result = run(workload, any_order, nodes(1, 1, 1));
  EXPECT_EQ(result.jobs[3].finish, at_ms(106));
  EXPECT_EQ(result.jobs[1].finish, at_ms(126));
}

TEST(Series, ReducesOfOtherJobsBlockToo) {
  for (const int length : {20, 21}) {
    Workload workload = three_nights();
    for (Job& job : workload.jobs) {
      job.maps = {ms(10)};
      job.reduces = {ms(10)};
    }
    workload.jobs.push_back(a_job("B", 1, 400, {}, {ms(length)}));
    EXPECT_EQ(run(workload, by_deadline, nodes(1, 1, 1)).jobs[3].rejected, length == 21) << length;
  }
}

// The second and last has come at 100, and waits for B, which runs until 105. C may go before it.
TEST(Series, AnInstanceThatHasComeIsBlockedNoMore) {
  Workload workload = three_nights();
  workload.jobs.pop_back();
  workload.jobs.push_back(a_job("B", 95, 400, {ms(10)}));
  workload.jobs.push_back(a_job("C", 101, 110, {ms(5)}));
  const SimulationResult result =
      run(workload, "rtmr(feedback=tasks, order=deadline, series=nightly/100ms/2)", nodes(1, 1, 1));
  EXPECT_EQ(result.jobs[3].finish, at_ms(110));
  EXPECT_EQ(result.jobs[1].finish, at_ms(130));
}

// One instance that cannot be in time is enough. Behind B's maps, which are due first, the second ends late.
TEST(Series, IsRejectedAsAWhole) {
  Workload workload = three_nights();
  workload.jobs.insert(workload.jobs.begin(), a_job("B", 0, 125, std::vector<Duration>(11, ms(10))));
  const SimulationResult result = run(workload, by_deadline, nodes(1, 1, 1));
  EXPECT_FALSE(result.jobs[0].rejected);
  ASSERT_TRUE(result.jobs[1].rejected);
  EXPECT_EQ(result.rejections.at(1).code, "DeadlineNotSure");
  Workload alone = three_nights();
  alone.jobs[0].deadline = at_ms(19);
  const SimulationResult tight = run(alone, by_deadline, nodes(1, 1, 1));
  ASSERT_TRUE(tight.jobs[0].rejected);
  EXPECT_EQ(tight.rejections.at(0).text, "One of its 3 instances might end late.");
  alone.jobs[0].deadline.reset();
  EXPECT_EQ(run(alone, by_deadline, nodes(1, 1, 1)).rejections.at(0).code, "NoDeadline");
}

// An instance that is not as promised is asked about like any other job; its place is free again.
TEST(Series, AnInstanceThatIsLargerOrLateIsAskedAboutAlone) {
  Workload workload = three_nights();
  workload.jobs[1].maps.push_back(ms(10));
  SimulationResult result = run(workload, by_deadline, nodes(1, 1, 1));
  EXPECT_EQ(result.jobs[1].finish, at_ms(130)) << "larger, and in time all the same";
  workload.jobs[1].maps.push_back(ms(10));
  result = run(workload, by_deadline, nodes(1, 1, 1));
  EXPECT_TRUE(result.jobs[1].rejected);
  EXPECT_FALSE(result.jobs[2].rejected) << "the third is as promised";
  workload = three_nights();
  workload.jobs[1].submit = at_ms(111);
  EXPECT_TRUE(run(workload, by_deadline, nodes(1, 1, 1)).jobs[1].rejected);
  workload.jobs[1].submit = at_ms(110);
  EXPECT_FALSE(run(workload, by_deadline, nodes(1, 1, 1)).jobs[1].rejected);
}

// The second does not come: its room is given to others from then on.
TEST(Series, AnInstanceThatDoesNotComeIsForgotten) {
  Workload workload = three_nights();
  workload.jobs.erase(workload.jobs.begin() + 1);
  workload.jobs.push_back(a_job("B", 101, 121, {ms(20)}));
  const SimulationResult result = run(workload, by_deadline, nodes(1, 1, 1));
  EXPECT_EQ(result.jobs[2].finish, at_ms(121));
  EXPECT_EQ(result.jobs[1].finish, at_ms(220)) << "the third, as promised";
}

RealtimeJob controlled(JobIndex number, std::int64_t deadline, Count maps, std::int64_t map,
                       Count reduces = 0, std::int64_t reduce = 0, std::int64_t release = 0) {
  return {number, at_ms(deadline), maps, reduces, ms(map), ms(reduce), at_ms(release)};
}

// Job 0 cannot be in time on the one slot that is left, and holds up nothing.
TEST(Series, WhatIsLateAnywayHoldsUpNoOtherJob) {
  AdmissionController controller({2, 1}, {.feedback = Feedback::tasks, .order = QueueOrder::deadline});
  const std::vector<RealtimeJob> expected{controlled(100, 530, 1, 10, 0, 0, 500)};
  ASSERT_TRUE(controller.admit_expected(expected, at_ms(0)).accepted);
  ASSERT_TRUE(controller.admit(controlled(0, 100, 10, 20), at_ms(0)).accepted);
  controller.replan({1, 1}, [](JobIndex) { return TasksLeft{}; }, at_ms(0));
  EXPECT_EQ(controller.at_risk(), std::vector<JobIndex>{0});
  EXPECT_TRUE(controller.admit(controlled(1, 50, 1, 30), at_ms(0)).accepted);
  EXPECT_FALSE(controller.admit(controlled(2, 49, 1, 21), at_ms(0)).accepted) << "job 1 would be late";
}

// The deadline that a refusal names is accepted, and none before; a refusal changes nothing.
TEST(Series, ARefusalNamesTheEarliestDeadlineBesideExpectedJobs) {
  int named = 0, beside = 0;
  holds_always(
      [&] {
        const SlotPool slots{*rc::gen::inRange(1, 4), *rc::gen::inRange(1, 3)};
        const QueueOrder order = *rc::gen::element(QueueOrder::deadline, QueueOrder::any);
        AdmissionController controller(slots, {.feedback = Feedback::tasks, .order = order});
        const auto some = [&](JobIndex number, std::int64_t release) {
          const Count maps = *rc::gen::inRange(0, 6), reduces = *rc::gen::inRange(0, 4);
          return controlled(number, release + *rc::gen::inRange(5, 90), maps, *rc::gen::inRange(1, 15),
                            reduces, *rc::gen::inRange(1, 15), release);
        };
        std::vector<RealtimeJob> expected;
        for (JobIndex i = 0; i < 3; ++i) expected.push_back(some(100 + i, *rc::gen::inRange(1, 120)));
        const bool expects = controller.admit_expected(expected, at_ms(0)).accepted;
        for (JobIndex next = 0; next < 12; ++next) {
          RealtimeJob job = some(next, 0);
          const AdmissionAnswer answer = controller.admit(job, at_ms(0));
          const std::vector<JobIndex> queue = controller.queue();
          if (answer.accepted || !answer.earliest_deadline) continue;
          ++named;
          if (expects) ++beside;
          // By deadline a job may be in time if it is due, and so placed, earlier.
          RC_ASSERT(order == QueueOrder::deadline || *answer.earliest_deadline > job.deadline);
          job.deadline = *answer.earliest_deadline - ms(1);
          RC_ASSERT(!controller.admit(job, at_ms(0)).accepted);
          RC_ASSERT(controller.queue() == queue);
          job.deadline = *answer.earliest_deadline;
          RC_ASSERT(controller.admit(job, at_ms(0)).accepted);
          RC_ASSERT(controller.at_risk().empty());
        }
      },
      500);
  EXPECT_GT(named, sized(500));
  EXPECT_GT(beside, sized(100));
}

TEST(Series, BadOnesAreRefused) {
  for (const char* const policy :
       {"rtmr(feedback=tasks, order=any, series=nightly)", "rtmr(feedback=tasks, series=nightly/1h/2)",
        "rtmr(series=nightly/1h/2)"}) {
    EXPECT_THROW((void)make_policy_on(policy, nodes(1, 1, 1), policies()), UsageError) << policy;
  }
}

TEST(Series, AcceptedInstancesAreInTimeAndNeverRejected) {
  int promised = 0, rejected = 0, others = 0, with_heartbeats = 0;
  holds_always(
      [&] {
        World world = some_world();
        const std::int64_t every = *rc::gen::inRange(5, 60), times = *rc::gen::inRange(2, 5);
        const std::int64_t from = *rc::gen::inRange(0, 30);
        Job night = a_job("", 0, 0, std::vector<Duration>(*rc::gen::inRange<std::size_t>(0, 4), ms(0)),
                          std::vector<Duration>(*rc::gen::inRange<std::size_t>(0, 3), ms(0)));
        if (night.maps.empty() && night.reduces.empty()) night.maps.push_back({});
        const std::int64_t map = *rc::gen::inRange(1, 20), reduce = *rc::gen::inRange(1, 20);
        const std::int64_t room = *rc::gen::inRange(20, 200);
        std::vector<std::string> nights;
        for (std::int64_t k = 0; k < times; ++k) {
          night.id = fmt::format("night-{}", k);
          night.name = "nightly";
          night.submit = at_ms(from + k * every);
          night.deadline = night.submit + ms(room);
          // The first shows the lengths that are promised; later ones are no longer.
          for (Duration& each : night.maps)
            each = ms(k == 0 ? map : *rc::gen::inRange<std::int64_t>(1, map + 1));
          for (Duration& each : night.reduces)
            each = ms(k == 0 ? reduce : *rc::gen::inRange<std::int64_t>(1, reduce + 1));
          world.workload.jobs.push_back(night);
        }
        const std::string policy =
            fmt::format("rtmr(feedback=tasks, order={}, series=nightly/{}ms/{})",
                        *rc::gen::element<std::string>("deadline", "any"), every, times);
        RC_LOG() << policy << "\n" << to_toml(world.cluster);
        std::ostringstream jobs;
        write_workload(jobs, world.workload);
        RC_LOG() << jobs.str();
        const SimulationResult result = run_both(world.workload, policy, world.cluster);
        const std::size_t count = world.workload.jobs.size(), first = count - static_cast<std::size_t>(times);
        for (std::size_t i = 0; i < count; ++i) {
          const JobOutcome& job = result.jobs[i];
          if (i > first && !result.jobs[first].rejected) RC_ASSERT(!job.rejected);
          if (i >= first) ++(job.rejected ? rejected : promised);
          if (i < first && !job.rejected) ++others;
          if (job.rejected || !world.workload.jobs[i].deadline) continue;
          if (i >= first && world.cluster.mode.heartbeat > Duration{}) ++with_heartbeats;
          RC_LOG() << "job " << i << " ends at " << to_ms(job.finish) << "\n";
          RC_ASSERT(job.finish <= *world.workload.jobs[i].deadline);
        }
      },
      3'000);
  EXPECT_GT(promised, sized(2'000));
  EXPECT_GT(rejected, sized(500));
  EXPECT_GT(others, sized(2'000));
  EXPECT_GT(with_heartbeats, sized(500));
}

}  // namespace
}  // namespace wavewright
