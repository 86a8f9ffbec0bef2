#include "wavewright/live/promise/promises.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/live/promising_world.h"
#include "tests/property.h"

namespace wavewright {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr Time now = at_ms(1'790'000'000'000);

Time in(std::int64_t seconds) {
  return now + ms(1'000 * seconds);
}

// Lengths and deadlines in seconds; its master asks at once.
LiveJob job_of(const std::string& id, TaskBounds bounds, std::int64_t deadline) {
  LiveJob job;
  job.id = id;
  bounds.map = bounds.map * 1000;
  bounds.reduce = bounds.reduce * 1000;
  job.bounds = bounds;
  job.deadline = in(deadline);
  job.promise = DeadlinePromise{now, {}, "max"};
  return job;
}

// Two map slots and one reduce slot, without delays.
struct Cluster2 {
  LiveBatch batch;
  ProgressByJob progress;
  PromiseRules rules{{2, 1}, {}};

  std::optional<PromiseRefusal> ask(LiveJob job, Time at = now) {
    auto refusal = ask_for_promise(batch, progress, rules, job, at);
    if (!refusal) batch.jobs.push_back(job);
    return refusal;
  }
  void run(std::size_t job, const StageProgress& maps, const StageProgress& reduces) {
    batch.jobs[job].state = LiveState::running;
    JobProgress seen{.at = now, .started = now, .maps = maps, .reduces = reduces};
    if (maps.done == maps.total) seen.maps_done = now;
    progress[batch.jobs[job].id] = seen;
  }
};

StageProgress stage(Count total, Count done, const std::vector<std::int64_t>& running = {}) {
  StageProgress made{.total = total, .done = done, .running = static_cast<Count>(running.size())};
  for (const std::int64_t age : running) made.tasks.push_back({.length = ms(1'000 * age)});
  return made;
}

TEST(Promises, AJobAloneIsPromisedToTheMillisecond) {
  Cluster2 cluster;
  // Two waves of maps, then two reduces after one another.
  const auto refusal = cluster.ask(job_of("A", {4, 2, ms(10), ms(5)}, 29));
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->code, "DeadlineNotSure");
  EXPECT_EQ(refusal->end, in(30));
  EXPECT_EQ(refusal->earliest_deadline, in(30));
  EXPECT_THAT(refusal->give_way, IsEmpty());
  EXPECT_FALSE(cluster.ask(job_of("B", {4, 2, ms(10), ms(5)}, 30)));
  EXPECT_EQ(cluster.batch.jobs.at(0).promise->end, in(30));
}

// B is due first and would go first: its maps end at 10, A's at 30, A's reduce at 35.
TEST(Promises, ARefusalSaysWhatWouldDo) {
  Cluster2 cluster;
  ASSERT_FALSE(cluster.ask(job_of("A", {4, 1, ms(10), ms(5)}, 30)));
  const auto refusal = cluster.ask(job_of("B", {2, 1, ms(10), ms(5)}, 20));
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->end, in(15));
  EXPECT_EQ(refusal->sentence, "job 'A', which is promised, might end late");
  EXPECT_EQ(refusal->earliest_deadline, in(35)) << "behind A";
  EXPECT_EQ(refusal->lacks, (SlotPool{1, 0}));
  EXPECT_THAT(refusal->give_way, ElementsAre("A"));
  EXPECT_THAT(refusal_text(*refusal), HasSubstr("or with 1 more map slot, or without A"));
  EXPECT_TRUE(cluster.ask(job_of("B", {2, 1, ms(10), ms(5)}, 34)));
  EXPECT_FALSE(cluster.ask(job_of("B", {2, 1, ms(10), ms(5)}, 35)));
}

TEST(Promises, WhatGivesWayIsOneJobIfOneDoes) {
  Cluster2 cluster;
  ASSERT_FALSE(cluster.ask(job_of("A", {2, 0, ms(10), {}}, 10)));
  ASSERT_FALSE(cluster.ask(job_of("B", {2, 0, ms(10), {}}, 20)));
  ASSERT_FALSE(cluster.ask(job_of("C", {2, 0, ms(10), {}}, 90)));
  EXPECT_THAT(cluster.ask(job_of("D", {2, 0, ms(10), {}}, 20))->give_way, ElementsAre("B"));
  EXPECT_THAT(cluster.ask(job_of("E", {4, 0, ms(10), {}}, 20))->give_way, ElementsAre("B", "A"));
  EXPECT_THAT(cluster.ask(job_of("F", {1, 0, ms(10), {}}, 9))->give_way, IsEmpty())
      << "it is too short for anyone";
}

TEST(Promises, NoNumberOfSlotsShortensAChain) {
  Cluster2 cluster;
  const auto refusal = cluster.ask(job_of("A", {1, 1, ms(10), ms(5)}, 14));
  EXPECT_FALSE(refusal->lacks);
  EXPECT_EQ(cluster.ask(job_of("A", {6, 3, ms(10), ms(5)}, 15))->lacks, (SlotPool{4, 2}));
  EXPECT_EQ(cluster.ask(job_of("A", {6, 3, ms(10), ms(5)}, 35))->lacks, (SlotPool{1, 0}));
}

TEST(Promises, TheMastersStartCountsFromThePromise) {
  Cluster2 cluster;
  LiveJob job = job_of("A", {2, 0, ms(10), {}}, 18);
  job.promise->tasks_from = in(8);
  ASSERT_FALSE(cluster.ask(job));
  for (const std::int64_t later : {0, 5, 8})
    EXPECT_EQ(promised_ends(cluster.batch, {}, cluster.rules, in(later)).at(0).end, in(18)) << later;
  EXPECT_FALSE(promised_ends(cluster.batch, {}, cluster.rules, in(8)).at(0).at_risk);
  EXPECT_TRUE(promised_ends(cluster.batch, {}, cluster.rules, in(9)).at(0).at_risk) << "it has not come";
}

TEST(Promises, WhatRunsCountsByItsAge) {
  Cluster2 cluster;
  ASSERT_FALSE(cluster.ask(job_of("A", {4, 1, ms(10), ms(5)}, 60)));
  cluster.run(0, stage(4, 1, {6, 2}), stage(1, 0));
  // Slots are free at 4 and 8; A's last map ends at 14, its reduce at 19.
  EXPECT_EQ(promised_ends(cluster.batch, cluster.progress, cluster.rules, now).at(0).end, in(19));
  // B goes first: 14 and 18, then A's map until 24.
  EXPECT_FALSE(cluster.ask(job_of("B", {2, 0, ms(10), {}}, 18)));
  EXPECT_EQ(promised_ends(cluster.batch, cluster.progress, cluster.rules, now).at(1).end, in(29));
}

TEST(Promises, TasksBeyondTheirBoundsAreAtRisk) {
  Cluster2 cluster;
  ASSERT_FALSE(cluster.ask(job_of("A", {2, 0, ms(10), {}}, 12)));
  cluster.run(0, stage(2, 0, {0, 0}), {});
  EXPECT_FALSE(promised_ends(cluster.batch, cluster.progress, cluster.rules, in(2)).at(0).at_risk);
  EXPECT_TRUE(promised_ends(cluster.batch, cluster.progress, cluster.rules, in(13)).at(0).at_risk);
  cluster.batch.jobs[0].map_drift = 1.3;
  EXPECT_TRUE(promised_ends(cluster.batch, cluster.progress, cluster.rules, in(2)).at(0).at_risk)
      << "measured";
}

// A node was lost, and the master still waits for it: what it gave to the node counts as running.
TEST(Promises, ATaskThatRunsLongerThanItsBoundMayStartAnew) {
  Cluster2 cluster;
  ASSERT_FALSE(cluster.ask(job_of("A", {2, 1, ms(10), ms(5)}, 40)));
  const auto end = [&] { return promised_ends(cluster.batch, cluster.progress, cluster.rules, now).at(0); };
  cluster.run(0, stage(2, 1, {10}), stage(1, 0));
  EXPECT_EQ(end().end, in(5)) << "it ends now, and its reduce in 5 s";
  cluster.run(0, stage(2, 1, {11}), stage(1, 0));
  EXPECT_EQ(end().end, in(15)) << "a map anew, then the reduce";
  EXPECT_FALSE(end().at_risk);
  cluster.batch.jobs[0].deadline = in(14);
  EXPECT_TRUE(end().at_risk);
  cluster.run(0, stage(2, 2), stage(1, 0, {6}));
  EXPECT_EQ(end().end, in(5)) << "the reduce anew";
}

// All of its tasks are done, and yet it goes on.
TEST(Promises, AJobThatIsNotOverAfterItsDeadlineIsAtRisk) {
  Cluster2 cluster;
  ASSERT_FALSE(cluster.ask(job_of("A", {2, 0, ms(10), {}}, 14)));
  cluster.run(0, stage(2, 2), {});
  const auto at = [&](int later) {
    return promised_ends(cluster.batch, cluster.progress, cluster.rules, in(later)).at(0);
  };
  EXPECT_FALSE(at(14).at_risk);
  EXPECT_TRUE(at(15).at_risk);
  EXPECT_EQ(at(15).end, in(15));
}

TEST(Promises, AJobThatIsHeldAsksLater) {
  Cluster2 cluster;
  ASSERT_FALSE(cluster.ask(job_of("A", {2, 0, ms(10), {}}, 40)));
  cluster.batch.jobs[0].state = LiveState::held;
  cluster.rules.lead = ms(8'000);
  const auto at = [&](int later) {
    return promised_ends(cluster.batch, cluster.progress, cluster.rules, in(later)).at(0);
  };
  EXPECT_EQ(at(20).end, in(20 + 8 + 10));
  EXPECT_FALSE(at(22).at_risk);
  EXPECT_TRUE(at(23).at_risk);
  cluster.batch.jobs[0].state = LiveState::submitting;
  cluster.batch.jobs[0].submitting_since = in(22);
  EXPECT_FALSE(at(24).at_risk);
  cluster.batch.jobs[0].submitting_since = in(23);
  EXPECT_TRUE(at(24).at_risk);
  cluster.batch.jobs[0].state = LiveState::accepted;
  EXPECT_FALSE(at(24).at_risk) << "its master starts";
}

TEST(Promises, AnEndThatWaitsForReportsExplainIsNoRisk) {
  Cluster2 cluster;
  cluster.rules.delays.map = ms(4'000);
  ASSERT_FALSE(cluster.ask(job_of("A", {2, 0, ms(10), {}}, 14)));
  cluster.run(0, stage(2, 0, {0, 0}), {});
  int behind = 0, at_risk = 0;
  for (std::int64_t later = 0; later <= 40; ++later) {
    const PromisedEnd end = promised_ends(cluster.batch, cluster.progress, cluster.rules, in(later)).at(0);
    EXPECT_EQ(end.at_risk, end.end > in(14 + 4)) << later;
    behind += end.end > in(14) && !end.at_risk ? 1 : 0;
    at_risk += end.at_risk ? 1 : 0;
  }
  EXPECT_GT(behind, 0);
  EXPECT_GT(at_risk, 0);
}

// By its bounds it ends in time. But tasks of other jobs took longer than was said, and so may its own.
TEST(Promises, AJobStaysAtRiskWhileTheForecastExpectsItToBeLate) {
  Cluster2 cluster;
  ASSERT_FALSE(cluster.ask(job_of("A", {2, 0, ms(10), ms(0)}, 30)));
  cluster.batch.jobs[0].promise->at_risk = true;
  const auto found = [&](std::optional<double> on_time) {
    Outlook outlook;
    outlook.jobs["A"].on_time = on_time;
    return found_risks(cluster.batch, {}, cluster.rules, now, &outlook);
  };
  const auto without = found_risks(cluster.batch, {}, cluster.rules, now);
  ASSERT_EQ(without.size(), 1U);
  EXPECT_FALSE(without[0].at_risk);
  EXPECT_THAT(found(0.49), IsEmpty());
  EXPECT_EQ(found(0.5).size(), 1U);
  EXPECT_EQ(found(std::nullopt).size(), 1U) << "it says nothing of the deadline";
  EXPECT_EQ(found_risks(cluster.batch, {}, cluster.rules, now, std::make_unique<Outlook>().get()).size(), 1U);
  cluster.batch.jobs[0].promise->at_risk = false;
  EXPECT_THAT(found(0.1), IsEmpty()) << "a forecast alone puts no promise at risk";
}

TEST(Promises, AJobWithoutPromiseGivesWayButForWhatItRuns) {
  Cluster2 cluster;
  LiveJob other = job_of("O", {100, 0, ms(30), {}}, 0);
  other.deadline.reset();
  other.promise.reset();
  cluster.batch.jobs.push_back(other);
  cluster.run(0, stage(100, 0, {20, 10}), {});
  EXPECT_EQ(cluster.ask(job_of("A", {2, 0, ms(10), {}}, 29))->end, in(30));
  EXPECT_FALSE(cluster.ask(job_of("A", {2, 0, ms(10), {}}, 30))) << "slots at 10 and 20";
}

TEST(Promises, ATaskThatWaitsMayHaveStartedSinceItsJobWasSeen) {
  Cluster2 cluster;
  LiveJob other = job_of("O", {100, 0, ms(30), {}}, 0);
  other.promise.reset();
  cluster.batch.jobs.push_back(other);
  cluster.run(0, stage(100, 0, {20}), {});  // a slot seems free
  EXPECT_EQ(cluster.ask(job_of("A", {2, 0, ms(10), {}}, 29))->end, in(30)) << "the slot at 10, twice";
  cluster.progress.clear();
  EXPECT_EQ(cluster.ask(job_of("A", {2, 0, ms(10), {}}, 39))->end, in(40))
      << "nothing is known of what it runs";
}

// The slots seem to be free at 9 and 19. Either task may have ended within the last second, and another one
// of 30 run in its place.
TEST(Promises, ATaskThatWaitsMayHaveStartedInPlaceOfOneThatRan) {
  Cluster2 cluster;
  LiveJob other = job_of("O", {3, 0, ms(30), {}}, 0);
  other.promise.reset();
  cluster.batch.jobs.push_back(other);
  cluster.run(0, stage(3, 0, {20, 10}), {});
  cluster.progress["O"].at = now - ms(1'000);
  EXPECT_EQ(cluster.ask(job_of("A", {2, 0, ms(10), {}}, 28))->end, in(39)) << "slots at 19 and 30: 29, 39";
  cluster.progress["O"].maps.total = 9;
  EXPECT_EQ(cluster.ask(job_of("A", {2, 0, ms(10), {}}, 39))->end, in(40)) << "both at 30";
  cluster.progress["O"].maps.total = 2;
  EXPECT_FALSE(cluster.ask(job_of("A", {2, 0, ms(10), {}}, 29))) << "none waits";
}

// A's slots are free at 3 and 7, and its last map is the next.
TEST(Promises, BehindItsOnlyRunningJobNothingIsLost) {
  Cluster2 cluster;
  ASSERT_FALSE(cluster.ask(job_of("A", {4, 0, ms(10), {}}, 60)));
  cluster.run(0, stage(4, 1, {6, 2}), {});
  cluster.progress["A"].at = now - ms(1'000);
  ASSERT_FALSE(cluster.ask(job_of("B", {2, 0, ms(10), {}}, 61)));
  EXPECT_EQ(cluster.batch.jobs.at(1).promise->end, in(23)) << "slots at 7 and 13";
}

// A container that A's reading of five seconds ago tells, B has had since.
TEST(Promises, MoreRunningTasksThanSlotsCountFromTheLast) {
  Cluster2 cluster;
  for (const char* id : {"A", "B"}) {
    LiveJob job = job_of(id, {2, 0, ms(20), {}}, 0);
    job.promise.reset();
    cluster.batch.jobs.push_back(job);
  }
  cluster.run(0, stage(2, 0, {10, 10}), {});
  cluster.run(1, stage(2, 0, {3, 1}), {});
  cluster.progress["A"].at = now - ms(5'000);
  EXPECT_EQ(cluster.ask(job_of("C", {1, 0, ms(10), {}}, 20))->end, in(27));
}

TEST(Promises, NothingIsPromisedBesideAJobOfUnknownLength) {
  Cluster2 cluster;
  LiveJob other;
  other.id = "O";
  other.maps.tasks = 5;
  cluster.batch.jobs.push_back(other);
  EXPECT_FALSE(cluster.ask(job_of("A", {2, 0, ms(10), {}}, 10))) << "it waits, and gives way";
  cluster.run(0, stage(5, 0, {3}), {});
  const auto refusal = cluster.ask(job_of("B", {1, 0, ms(10), {}}, 90));
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->code, "OthersNotKnown");
  EXPECT_THAT(refusal->sentence, HasSubstr("'O'"));
  EXPECT_FALSE(refusal->earliest_deadline);
  cluster.progress.clear();
  cluster.batch.jobs[0].maps.tasks = 0;
  EXPECT_EQ(cluster.ask(job_of("C", {1, 0, ms(10), {}}, 90))->code, "OthersNotKnown") << "nor how many";
}

TEST(Promises, SomeJobsAreRefusedForThemselves) {
  Cluster2 cluster;
  const auto code = [&](const std::function<void(LiveJob&)>& change) {
    LiveJob job = job_of("A", {2, 1, ms(10), ms(5)}, 60);
    change(job);
    const auto refusal = ask_for_promise(cluster.batch, {}, cluster.rules, job, now);
    return refusal ? refusal->code : "promised";
  };
  EXPECT_EQ(code([](LiveJob&) {}), "promised");
  EXPECT_EQ(code([](LiveJob& job) { job.deadline.reset(); }), "NoDeadline");
  EXPECT_EQ(code([](LiveJob& job) { job.deadline = now; }), "DeadlinePast");
  EXPECT_EQ(code([](LiveJob& job) { job.after = {"B"}; }), "StartNotKnown");
  EXPECT_EQ(code([](LiveJob& job) { job.not_before = in(1); }), "StartNotKnown");
  EXPECT_EQ(code([](LiveJob& job) { job.not_before = now; }), "promised");
  EXPECT_EQ(code([](LiveJob& job) { job.many_applications = true; }), "TasksNotKnown");
  EXPECT_EQ(code([](LiveJob& job) { job.bounds.reset(); }), "TasksNotKnown");
  EXPECT_EQ(code([](LiveJob& job) { job.bounds = TaskBounds{}; }), "TasksNotKnown");
  EXPECT_EQ(code([](LiveJob& job) {
              job.bounds->reduce = std::chrono::hours(365 * 24);
              job.deadline = now + std::chrono::hours(400 * 24);
            }),
            "TasksNotKnown");
  EXPECT_EQ(code([](LiveJob& job) {
              job.bounds->reduce = std::chrono::hours(365 * 24 - 1);
              job.deadline = now + std::chrono::hours(400 * 24);
            }),
            "promised");
  cluster.rules.slots = {2, 0};
  EXPECT_EQ(code([](LiveJob&) {}), "NoSlots");
  EXPECT_EQ(code([](LiveJob& job) { job.bounds->reduces = 0; }), "promised");
  cluster.rules.slots = {0, 1};
  EXPECT_EQ(code([](LiveJob&) {}), "NoSlots");
}

TEST(Promises, ALostJobHoldsUpNoOther) {
  Cluster2 cluster;
  ASSERT_FALSE(cluster.ask(job_of("A", {2, 0, ms(10), {}}, 10)));
  EXPECT_TRUE(cluster.ask(job_of("B", {2, 0, ms(5), {}}, 9)));
  // A was not started in time, and is late anyhow.
  EXPECT_FALSE(cluster.ask(job_of("B", {2, 0, ms(5), {}}, 8), in(3)));
}

TEST(Promises, RefusalsSurviveTheirDocument) {
  const PromiseRefusal refusal{"A", "DeadlineNotSure", "it might", in(3), in(4), SlotPool{2, 1}, {"B", "C"}};
  const PromiseRefusal back = refusal_from_document(refusal_document(refusal), "test");
  EXPECT_EQ(refusal_text(back), refusal_text(refusal));
  EXPECT_EQ(back.end, refusal.end);
  EXPECT_EQ(back.code, refusal.code);
  EXPECT_FALSE(refusal_from_document(refusal_document({.job = "A"}), "test").lacks);
  EXPECT_THROW((void)refusal_from_document({{"job", "A"}}, "test"), InputError);
}

TEST(Promises, ARefusalSaysHowFarOffEstimatesOfTheProfileHaveBeen) {
  Cluster2 cluster;
  LiveJob job = job_of("A", {4, 2, ms(10), ms(5)}, 29);
  job.profile = "etl";
  auto refusal = cluster.ask(job);
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->profile, "etl");
  EXPECT_FALSE(refusal_from_document(refusal_document(*refusal), "test").record);
  EXPECT_THAT(refusal_text(*refusal), Not(HasSubstr("estimates of")));
  refusal->record = TrackRecord{12, 0.09, 6, 0.04, TrackRecord::Changed{"map", 1.4, now, 3}};
  EXPECT_THAT(refusal_text(*refusal),
              HasSubstr("; estimates of etl: ±9 % in its last 12 runs, ±4 % in 6 live runs; WARNING: etl has "
                        "changed: its maps take 1.40 times as long since "));
  const PromiseRefusal back = refusal_from_document(refusal_document(*refusal), "test");
  EXPECT_EQ(back.record, refusal->record);
  EXPECT_EQ(refusal_text(back), refusal_text(*refusal));
  job.deadline.reset();
  EXPECT_EQ(cluster.ask(job)->profile, "etl") << "of a job that is not asked about";
}

// Clusters whose tasks take any time up to their bounds, with masters that come when they like until they
// must, seen through readings that are seconds old, under the targets that the daemon would tell.
TEST(Promises, PromisedJobsEndInTime) {
  int promised = 0, refused = 0;
  holds_always(
      [&] {
        PromisingWorld world(*rc::gen::arbitrary<std::uint64_t>());
        world.play();
        promised += world.promised;
        refused += world.refused;
        RC_ASSERT(world.late == "");
        RC_ASSERT(world.wrong_offers == "");
      },
      300);
  EXPECT_GT(promised, rare(300));
  EXPECT_GT(refused, rare(100));
}

}  // namespace
}  // namespace wavewright
