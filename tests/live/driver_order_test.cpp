// The order in which the driver submits, and what wishes, promises and drift change of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/live/scripted_cluster.h"

namespace wavewright {
namespace {

using ::testing::ElementsAre;

// A cluster with a dispatching queue; the shortest of a round goes first.
struct Queued : ScriptedCluster {
  explicit Queued(const std::string& when) {
    batch.ordering = LiveOrdering{.when = when, .mode = OrderingMode::alg, .pool = {1, 1}};
  }
  LiveJob& add_of(const std::string& id, std::int64_t seconds, const std::string& profile = "") {
    LiveJob& job = add(id);
    job.maps = {1, ms(1'000 * seconds)};
    job.profile = profile;
    return job;
  }
  // Its application is accepted and runs.
  void run(const std::string& id) { accept(id, "application_" + id, ApplicationState::running); }
  // It is submitted first and runs; there is no room for another.
  void run_alone(const std::string& id) {
    DriverOptions options;
    options.most_at_once = 1;
    begin(options);
    step();
    run(id);
    steps(2);
  }
  void finish(const std::string& id) {
    for (Application& each : listed) {
      if (each.id == "application_" + id) each.state = ApplicationState::succeeded;
    }
    clients["tag-" + id] = {ClientState::ended, 0, {}};
  }
};

TEST(DriverOrder, WhateverWaitsForACancelledJobIsCancelledAtOnce) {
  ScriptedCluster world;
  world.add("J1").after = {"J2"};
  world.add("J2").after = {"J3"};
  world.add("J3").not_before = world.wall() + ms(3'600'000);
  world.begin();
  world.step();
  world.wish("J1", Wish::hold);
  world.step();
  ASSERT_EQ(world.job("J1").state, LiveState::held);
  world.wish("J3", Wish::cancel);
  world.step();
  for (const char* id : {"J1", "J2", "J3"}) EXPECT_EQ(world.job(id).state, LiveState::cancelled) << id;
  EXPECT_EQ(world.job("J1").reason, "J2 before it is cancelled");
}

TEST(DriverOrder, AHeldJobIsCancelled) {
  ScriptedCluster world;
  world.add("J1");
  world.wish("J1", Wish::hold);
  world.wish("J1", Wish::cancel);
  world.begin();
  world.step();
  EXPECT_EQ(world.job("J1").state, LiveState::cancelled);
}

TEST(DriverOrder, CancellingIsToldOnce) {
  ScriptedCluster world;
  world.add("J1");
  world.begin();
  world.step();
  world.wish("J1", Wish::cancel);
  world.step();
  world.wish("J1", Wish::cancel);
  world.steps(2);
  EXPECT_EQ(world.told("J1", "Cancelling"), 1);
}

TEST(DriverOrder, ACommandThatHasNoApplicationForLongHoldsTheNextUpNoLonger) {
  ScriptedCluster world;
  world.add("J1");
  world.add("J2");
  DriverOptions options;
  options.patience = ms(30'000);
  world.begin(options);
  const Duration took = world.until([&] { return world.started.size() == 2; });
  EXPECT_EQ(took, ms(30'000));
}

TEST(DriverOrder, ARoundIsAtItsInstant) {
  Queued world("tp-fti(60s)");
  world.add_of("J1", 10);
  world.begin();
  EXPECT_EQ(world.until([&] { return !world.started.empty(); }), ms(60'000));
}

TEST(DriverOrder, ARoundIsOfTheJobsThatWaitThoughAnotherWasArchivedMeanwhile) {
  Queued world("tp-fti(60s)");
  LiveJob& ended = world.add("J0");
  ended.state = LiveState::done;
  ended.ended_at = world.wall() - ms(30'000);
  world.add_of("A", 30);
  world.add_of("B", 5);
  world.add_of("C", 20);
  DriverOptions options;
  options.keep_ended = ms(60'000);
  options.most_submitting = 3;
  world.begin(options);
  world.steps(50);
  ASSERT_THAT(world.archived, ElementsAre("J0"));
  ASSERT_TRUE(world.started.empty());
  world.steps(20);
  EXPECT_THAT(world.started, ElementsAre("B", "C", "A"));
}

// TP-ATI: the next round is when the two-stage makespan of the last one is over, and an interval after it at
// least. On one slot of a kind, jobs without reduces take the sum of their lengths.
TEST(DriverOrder, AnAdaptiveRoundIsWhenTheWorkOfTheLastOneIsOver) {
  Queued world("tp-ati(10s)");
  const Time began = world.wall();
  world.add_of("A", 30);
  world.add_of("B", 5);
  world.add_of("C", 20).not_before = began + ms(12'000);
  world.add_of("D", 8).not_before = began + ms(40'000);
  world.add_of("E", 3).not_before = began + ms(60'000);
  world.add_of("F", 1).not_before = began + ms(75'000);
  DriverOptions options;
  options.most_submitting = 6;
  world.begin(options);
  const auto until_started = [&](std::size_t jobs) {
    return world.until([&] { return world.started.size() == jobs; });
  };
  EXPECT_EQ(until_started(2), ms(10'000)) << "the first is an interval after the beginning";
  EXPECT_EQ(until_started(4), ms(35'000)) << "A and B take 35 s; C waits since 12 s, D since 40 s";
  EXPECT_EQ(until_started(5), ms(28'000)) << "C and D take 28 s, until 73 s; E waits since 60 s";
  EXPECT_EQ(until_started(6), ms(10'000)) << "E takes 3 s, less than the interval";
  EXPECT_THAT(world.started, ElementsAre("B", "A", "D", "C", "E", "F"));
}

// Jobs without reduces are equal to Johnson's rule; reversed, the last to come goes first.
TEST(DriverOrder, APlannerOrdersARound) {
  Queued world("pnj(3, at_latest=1h)");
  world.batch.ordering->planned = PlannedBy{.method = "reverse-johnson"};
  for (const auto& [id, length] : {std::pair{"J1", 10}, {"J2", 20}, {"J3", 30}}) world.add_of(id, length);
  DriverOptions options;
  options.most_submitting = 3;
  world.begin(options);
  world.steps(3);
  EXPECT_THAT(world.started, ElementsAre("J3", "J2", "J1"));
}

TEST(DriverOrder, AJobWhoseCommandDidNotStartKeepsItsPlace) {
  Queued world("pnj(3, at_latest=1h)");
  for (const auto& [id, length] : {std::pair{"J1", 10}, {"J2", 20}, {"J3", 30}}) world.add_of(id, length);
  world.refused_starts = 1;
  DriverOptions options;
  options.most_submitting = 3;
  world.begin(options);
  world.steps(3);
  EXPECT_THAT(world.started, ElementsAre("J1", "J2", "J3"));
}

// It waits in no round: the next one is for two others.
TEST(DriverOrder, AJobWhoseCommandDidNotStartIsNotInTheNextRound) {
  Queued world("pnj(2, at_latest=1h)");
  world.add_of("J1", 10);
  world.add_of("J2", 20);
  world.add_of("J3", 30);
  world.batch.jobs[2].not_before = world.wall() + ms(1'500);
  world.refused_starts = 1;
  DriverOptions options;
  options.most_submitting = 3;
  world.begin(options);
  world.steps(60);
  EXPECT_THAT(world.started, ElementsAre("J1", "J2"));
}

// There is room for one job. Each is submitted by another program than the one before it.
TEST(DriverOrder, ARestartAfterARoundKeepsItsOrderAndWaitsForNoOther) {
  Queued world("tp-fti(10m)");
  for (const auto& [id, length] : {std::pair{"J1", 30}, {"J2", 10}, {"J3", 20}}) world.add_of(id, length);
  DriverOptions options;
  options.most_at_once = 1;
  world.begin(options);
  EXPECT_EQ(world.until([&] { return !world.started.empty(); }), ms(600'000));
  for (const char* id : {"J2", "J3"}) {
    ASSERT_EQ(world.started.back(), id);
    world.run(id);
    world.step();
    world.begin(options);
    world.finish(id);
    world.steps(3);
  }
  EXPECT_THAT(world.started, ElementsAre("J2", "J3", "J1")) << "the next round is ten minutes after this one";
  EXPECT_THAT(world.driver->dispatched(), ElementsAre());
}

// The journal fails when it is to have the order of a round. Nothing is submitted before it has it, and
// whether it has it or not, the order is the same, and at once.
TEST(DriverOrder, ARoundThatTheJournalMayHaveIsGivenOnce) {
  for (const bool written : {true, false}) {
    Queued world("pnj(3, at_latest=1h)");
    for (const auto& [id, length] : {std::pair{"J1", 30}, {"J2", 10}, {"J3", 20}}) world.add_of(id, length);
    world.fails_at_round = written;
    DriverOptions options;
    options.most_submitting = 3;
    world.begin(options);
    world.step();
    EXPECT_TRUE(world.started.empty()) << written;
    EXPECT_EQ(world.batch.round->order.size(), written ? 3U : 0U);
    world.steps(2);
    EXPECT_THAT(world.started, ElementsAre("J2", "J3", "J1")) << written;
  }
}

// When the first job is submitted, after the beginning; another program begins each so often. 0 = never in
// six hours.
Duration first_start(Queued& world, Duration each, Duration clock_set = {}) {
  world.add_of("J1", 10);
  for (Duration at{}; at < ms(6 * 3'600'000); at += ms(10'000)) {
    if (at == ms(60'000)) world.wall_ahead += clock_set;
    if (at % each == Duration{}) world.begin();
    world.step(ms(10'000));
    if (!world.started.empty()) return at;
  }
  return {};
}

TEST(DriverOrder, ARoundComesAtItsTimeHoweverOftenTheProgramIsStartedAgain) {
  for (const char* when : {"tp-fti(1h)", "tp-ati(1h)", "pnj(7, at_latest=1h)"}) {
    Queued world(when);
    EXPECT_EQ(first_start(world, ms(2'400'000)), ms(3'600'000)) << when;
  }
}

// The program of 40 minutes finds the last round six hours ahead: an hour from then on.
TEST(DriverOrder, AClockThatGoesBackDelaysARoundByOneIntervalAtMost) {
  Queued world("tp-fti(1h)");
  EXPECT_EQ(first_start(world, ms(2'400'000), -ms(6 * 3'600'000)), ms(2'400'000 + 3'600'000));
}

TEST(DriverOrder, ARoundThatWasDueWhileNobodyLedIsGivenAtOnce) {
  Queued world("tp-fti(1h)");
  world.add_of("J1", 10);
  world.begin();
  world.step();
  world.now += ms(4'800'000);
  world.begin();
  world.step();
  EXPECT_THAT(world.started, ElementsAre("J1"));
}

// A is submitted at 10 s and takes 600 s, which the journal has: C, which comes after the restart, waits for
// that.
TEST(DriverOrder, AnAdaptiveRoundWaitsForTheWorkOfTheLastOneAfterARestart) {
  Queued world("tp-ati(10s)");
  world.add_of("A", 600);
  world.add_of("C", 5).not_before = world.wall() + ms(40'000);
  DriverOptions options;
  options.most_submitting = 2;
  world.begin(options);
  const Duration began = world.now;
  EXPECT_EQ(world.until([&] { return world.started.size() == 1; }), ms(10'000));
  world.steps(20);
  world.begin(options);
  (void)world.until([&] { return world.started.size() == 2; });
  EXPECT_EQ(world.now - began, ms(610'000));
}

// B is held when its turn comes. It waits for the next round then, which another program gives.
TEST(DriverOrder, AJobThatWasHeldAtItsTurnComesWithAnotherRoundAfterARestart) {
  Queued world("pnj(3, at_latest=1h)");
  for (const auto& [id, length] : {std::pair{"A", 10}, {"B", 20}, {"C", 30}}) world.add_of(id, length);
  DriverOptions options;
  options.most_at_once = 1;
  world.begin(options);
  world.step();
  world.run("A");
  world.wish("B", Wish::hold);
  world.step();
  EXPECT_THAT(world.driver->dispatched(), ElementsAre("B", "C"));
  world.finish("A");
  world.steps(2);
  ASSERT_THAT(world.started, ElementsAre("A", "C"));
  world.wish("B", Wish::release);
  world.begin(options);
  world.run("C");
  world.step();
  EXPECT_THAT(world.driver->dispatched(), ElementsAre());
  world.finish("C");
  world.steps(60);
  EXPECT_THAT(world.started, ElementsAre("A", "C")) << "its round is when it has waited for an hour";
}

// R runs and drifts; A and B, which were ordered, are ordered anew, at once.
TEST(DriverOrder, DriftDoesNotWaitForTheNextRound) {
  Queued world("pnj(3, at_latest=1h)");
  world.add_of("R", 1);
  world.add_of("A", 10);
  world.add_of("B", 20);
  world.run_alone("R");
  world.driver->drifted("R", 3.0, std::nullopt, "slow");
  world.step();
  world.finish("R");
  world.steps(10);
  EXPECT_THAT(world.started, ElementsAre("R", "A"));
}

// A and B wait for a round. By what R shows, A, of the same profile, takes three times as long.
TEST(DriverOrder, DriftChangesTheLengthsOfJobsInTheQueue) {
  Queued world("tp-fti(60s)");
  world.add_of("R", 10, "etl");
  world.begin();
  (void)world.until([&] { return !world.started.empty(); });
  world.run("R");
  world.batch.jobs.clear();
  world.batch = *world.driver->batch();
  world.add_of("A", 10, "etl");
  world.add_of("B", 20, "report");
  DriverOptions options;
  options.most_submitting = 2;
  world.begin(options);  // another program
  world.steps(2);
  world.driver->drifted("R", 3.0, std::nullopt, "slow");
  world.steps(2);
  EXPECT_THAT(world.started, ElementsAre("R", "B", "A"));
}

// X was on its way before Y, and stays before it, though by the drift of R it is longer by now.
TEST(DriverOrder, DriftLeavesAJobThatTheClusterDidNotGetAtTheFront) {
  Queued world("pnj(4, at_latest=1h)");
  world.add_of("R", 1, "etl");
  world.add_of("X", 2, "etl");
  world.add_of("Z", 3);
  world.add_of("Y", 4);
  DriverOptions options;
  options.patience = ms(30'000);
  world.begin(options);
  world.step();
  world.run("R");
  world.steps(2);
  ASSERT_THAT(world.started, ElementsAre("R", "X"));
  world.steps(31);
  ASSERT_THAT(world.started, ElementsAre("R", "X", "Z")) << "X has no application for long";
  world.clients["tag-X"] = {ClientState::gone, 0, {}};
  (void)world.until([&] { return world.job("X").state == LiveState::waiting; });
  ASSERT_EQ(world.started.size(), 3U) << "Z is on its way";
  world.driver->drifted("R", 10.0, std::nullopt, "slow");
  world.step();
  world.run("Z");
  world.steps(2);
  EXPECT_THAT(world.started, ElementsAre("R", "X", "Z", "X"));
}

// Jobs with the order of a plan: R, A, B, of which A has the profile of R.
struct Planned : Queued {
  Planned() : Queued(std::string(when_drifted)) {
    add_ranked("R", 10, "etl", 0);
    add_ranked("A", 10, "etl", 1);
    add_ranked("B", 20, "report", 2);
  }
  LiveJob& add_ranked(const std::string& id, std::int64_t seconds, const std::string& profile,
                      std::int64_t rank) {
    LiveJob& job = add_of(id, seconds, profile);
    job.target = LiveTarget{rank, 10 + rank, 4, 2};
    return job;
  }
  [[nodiscard]] LiveTarget target(const std::string& id) const { return *job(id).target; }
};

TEST(DriverOrder, WithoutDriftThePlanIsKept) {
  Planned world;
  world.begin();
  world.step();
  world.run("R");
  world.steps(2);
  world.run("A");
  world.steps(2);
  EXPECT_THAT(world.started, ElementsAre("R", "A", "B"));
}

TEST(DriverOrder, AfterADriftWhatWasNotSubmittedIsOrderedAnew) {
  Planned world;
  world.run_alone("R");
  world.driver->drifted("R", 3.0, std::nullopt, "slow");
  world.driver->replan({});
  world.step();
  EXPECT_EQ(world.target("R"), (LiveTarget{0, 10, 4, 2}));
  EXPECT_EQ(world.target("B"), (LiveTarget{1, 11, 4, 2})) << "ranks are exchanged, caps are not";
  EXPECT_EQ(world.target("A"), (LiveTarget{2, 12, 4, 2}));
  EXPECT_EQ(world.told("", "Replanned"), 1);
  const auto told = std::find_if(world.log.begin(), world.log.end(),
                                 [](const LiveEvent& each) { return each.what == "Replanned"; });
  EXPECT_EQ(told->detail, "next B, A");
  world.driver->replan({});
  world.step();
  EXPECT_EQ(world.told("", "Replanned"), 1) << "nothing changes any more";
  world.finish("R");
  world.steps(3);
  EXPECT_THAT(world.started, ElementsAre("R", "B"));
}

// All are on the cluster. B and C have no task yet; A has, so that it keeps its rank.
TEST(DriverOrder, AfterADriftWhatHasNoTaskOnTheClusterIsOrderedAnew) {
  Planned world;
  world.add_ranked("C", 15, "report", 3);
  world.begin();
  for (const char* id : {"R", "A", "B", "C"}) {
    world.step();
    world.run(id);
  }
  world.steps(2);
  ASSERT_THAT(world.started, ElementsAre("R", "A", "B", "C"));
  world.driver->drifted("R", 3.0, std::nullopt, "slow");
  world.driver->replan({});
  world.step();
  EXPECT_EQ(world.told("", "Replanned"), 0) << "all have been submitted";
  world.driver->replan({"B", "C"});
  world.step();
  EXPECT_EQ(world.target("R").map_rank, 0);
  EXPECT_EQ(world.target("A").map_rank, 1);
  EXPECT_EQ(world.target("C").map_rank, 2);
  EXPECT_EQ(world.target("B").map_rank, 3);
  EXPECT_EQ(world.target("B").reduce_rank, 13);
}

TEST(DriverOrder, NothingIsOrderedAnewUnlessTheBatchAsksForIt) {
  Planned world;
  world.batch.ordering.reset();
  world.run_alone("R");
  world.driver->drifted("R", 3.0, std::nullopt, "slow");
  world.driver->replan({"A", "B"});
  world.finish("R");
  world.steps(3);
  EXPECT_THAT(world.started, ElementsAre("R", "A"));
  EXPECT_EQ(world.target("A").map_rank, 1);
}

// By its factor to the profile, not to the lengths that an earlier drift gave it. What waits with the same
// profile changes likewise, held or not, and the journal has it.
TEST(DriverOrder, ASecondDriftIsCountedFromTheProfile) {
  ScriptedCluster world;
  for (const char* id : {"R", "waits", "held", "other", "none"}) world.add(id);
  for (LiveJob& job : world.batch.jobs) {
    job.maps = {4, ms(10'000)};
    job.profile = job.id == "other" ? "report" : job.id == "none" ? "" : "etl";
    if (job.id != "R") job.not_before = world.wall() + ms(3'600'000);
  }
  world.wish("held", Wish::hold);
  world.begin();
  world.step();
  world.driver->drifted("R", 5.0, std::nullopt, "it does not run yet");
  world.accept("R", "application_1_1", ApplicationState::running);
  world.steps(2);
  EXPECT_EQ(world.job("R").maps.mean, ms(10'000));
  world.driver->drifted("R", 2.0, std::nullopt, "slow");
  world.driver->drifted("R", 3.0, 0.0, "slower");
  world.step();
  for (const char* id : {"R", "waits", "held"}) {
    EXPECT_EQ(world.job(id).maps.mean, ms(30'000)) << id;
    EXPECT_EQ(world.job(id).map_drift, 3.0) << id;
    EXPECT_FALSE(world.job(id).reduce_drift) << id;
  }
  for (const char* id : {"other", "none"}) EXPECT_EQ(world.job(id).maps.mean, ms(10'000)) << id;
  EXPECT_EQ(world.told("R", "Drifted"), 2);
}

TEST(DriverOrder, JobsWithoutAProfileAreNotAlike) {
  ScriptedCluster world;
  for (const char* id : {"R", "other"}) world.add(id).maps = {4, ms(10'000)};
  world.batch.jobs[1].not_before = world.wall() + ms(3'600'000);
  world.begin();
  world.step();
  world.accept("R", "application_1_1", ApplicationState::running);
  world.steps(2);
  world.driver->drifted("R", 2.0, std::nullopt, "slow");
  world.step();
  EXPECT_EQ(world.job("R").maps.mean, ms(20'000));
  EXPECT_EQ(world.job("other").maps.mean, ms(10'000));
}

TEST(DriverOrder, APromiseIsWrittenAndNotChanged) {
  ScriptedCluster world;
  world.add("J1").not_before = world.wall() + ms(3'600'000);
  world.begin();
  world.step();
  world.driver->promise("J1", at_ms(1), at_ms(2));
  world.driver->promise("J1", at_ms(3), at_ms(4));
  world.step();
  EXPECT_EQ(world.job("J1").expected_start, at_ms(1));
  EXPECT_EQ(world.job("J1").expected_end, at_ms(2));
}

// One that is promised later may be due earlier. Its command must not delay those of the others.
TEST(DriverOrder, JobsWithPromisedDeadlinesGoFirstAsTheyWerePromised) {
  ScriptedCluster world;
  for (const char* id : {"J1", "J2", "J3", "J4"}) world.add(id).deadline = world.wall() + ms(9'000'000);
  world.batch.jobs[2].promise = DeadlinePromise{};
  world.batch.jobs[3].promise = DeadlinePromise{};
  world.batch.jobs[3].deadline = world.wall() + ms(1'000'000);
  DriverOptions options;
  options.most_submitting = 4;
  world.begin(options);
  world.step();
  EXPECT_THAT(world.started, ElementsAre("J3", "J4", "J1", "J2"));
}

TEST(DriverOrder, TheNodeOfTheLatestMasterIsWritten) {
  ScriptedCluster world;
  world.add("J1");
  world.begin();
  world.step();
  Application& made = world.accept("J1", "application_1_1", ApplicationState::running);
  world.step();
  EXPECT_EQ(world.job("J1").master_node, "");
  for (const char* node : {"n1:8042", "n2:8042", ""}) {
    made.master_node = node;
    world.step();
    EXPECT_EQ(world.job("J1").master_node, *node == 0 ? "n2:8042" : node);
  }
}

TEST(DriverOrder, APromiseAtRiskIsWrittenAndToldOnce) {
  ScriptedCluster world;
  world.add("J1").not_before = world.wall() + ms(3'600'000);
  world.add("J2").not_before = world.wall() + ms(3'600'000);
  world.batch.jobs[0].promise = DeadlinePromise{};
  world.begin();
  world.step();
  for (int i = 0; i < 2; ++i) {
    world.driver->put_at_risk("J1", true, "late");
    world.driver->put_at_risk("J2", true, "it has no promise");
    world.driver->put_at_risk("J3", true, "it is not there");
    world.step();
  }
  EXPECT_TRUE(world.job("J1").promise->at_risk);
  EXPECT_EQ(world.told("J1", "PromiseAtRisk"), 1);
  EXPECT_EQ(world.told("J2", "PromiseAtRisk"), 0);
  world.driver->put_at_risk("J1", false, "in time");
  world.step();
  EXPECT_FALSE(world.job("J1").promise->at_risk);
  EXPECT_EQ(world.told("J1", "PromiseSafe"), 1);
}

TEST(DriverOrder, NothingIsNotedOfAJobThatHasEnded) {
  ScriptedCluster world;
  world.add("J1");
  world.begin();
  world.step();
  world.driver->note("J1", "Progress", "");
  world.wish("J1", Wish::cancel);
  world.clients["tag-J1"] = {ClientState::gone, 0, {}};
  (void)world.until([&] { return has_ended(world.job("J1").state); });
  world.driver->note("J1", "Progress", "");
  world.steps(2);
  EXPECT_EQ(world.told("J1", "Progress"), 1);
}

TEST(DriverOrder, NothingDriftsByAFactorOfZeroOrOfAJobThatDoesNotRun) {
  Queued world("pnj(2)");
  world.add_of("J1", 5, "etl");
  world.add_of("J2", 10, "etl");
  DriverOptions options;
  options.most_at_once = 1;
  world.begin(options);
  world.steps(2);
  world.run("J1");
  world.steps(2);
  ASSERT_EQ(world.job("J1").state, LiveState::running);
  world.driver->drifted("J1", 0, std::nullopt, "nothing");
  world.driver->drifted("J2", 3, std::nullopt, "it waits");
  world.steps(2);
  EXPECT_EQ(world.job("J1").maps.mean, ms(5'000));
  EXPECT_EQ(world.job("J2").maps.mean, ms(10'000));
}

}  // namespace
}  // namespace wavewright
