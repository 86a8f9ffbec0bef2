// How long the driver waits until it believes that a command has nothing on the cluster, and what it then
// makes of its job. Each fault is one that random schedules draw too rarely to tell a wrong wait from a right
// one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/live/scripted_cluster.h"

namespace wavewright {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr Duration second = ms(1'000);
const Client gone = {ClientState::gone, 0, {}};

Client ended(int status) {
  return {ClientState::ended, status, "last words"};
}

// One job, whose client dies as soon as it has sent its request.
struct Lost : ScriptedCluster {
  Lost() {
    add("J1");
    at_start = gone;
  }
  // So long after `sent` it was submitted again.
  Duration again_after(Duration sent, Duration every = second) {
    (void)until([&] { return started.size() > 1; }, every);
    return now - sent;
  }
};

// A request meets no cluster for the first minute. It may have been sent again in vain after 59 s, again
// after twice that, in the second outage, and then, after as long as it had been tried, at 236 s. The cluster
// takes it within 10 s of answering.
TEST(DriverWaits, ARequestThatTwiceMetNoClusterMayStillCome) {
  Lost world;
  world.begin();
  const Duration sent = world.now;
  world.step();
  world.away = true;
  world.steps(59);
  world.away = false;
  world.steps(40);
  world.away = true;
  world.steps(30);
  world.away = false;
  const Duration again = world.again_after(sent);
  EXPECT_GE(again, ms(246'000));
  EXPECT_LE(again, ms(300'000));
}

// Nobody looked for a minute, in which the cluster may have been away: the request may come after 118 s.
TEST(DriverWaits, AnOutageThatNobodySawIsReckonedWith) {
  Lost world;
  world.begin();
  const Duration sent = world.now;
  world.step(ms(60'000));
  const Duration again = world.again_after(sent);
  EXPECT_GE(again, ms(128'000));
  EXPECT_LE(again, ms(150'000));
}

// An answer vouches for a fifth of the time that the cluster needs to take a request, not for all the time
// since the one before.
TEST(DriverWaits, RareAnswersVouchForLittle) {
  Lost world;
  world.begin();
  const Duration again = world.again_after(world.now, ms(9'000));
  EXPECT_GE(again, ms(81'000));
  EXPECT_LE(again, ms(120'000));
}

// The intent is 100 s old when the next program leads, and the cluster is away for 30 s more: tried in vain
// 129 s after it was sent, the request may come 120 s later.
TEST(DriverWaits, ANewProgramReckonsWithWhatWasSentBeforeIt) {
  Lost world;
  world.begin();
  const Duration sent = world.now;
  world.step(ms(100'000));
  world.begin();
  world.away = true;
  world.steps(30);
  world.away = false;
  const Duration again = world.again_after(sent);
  EXPECT_GE(again, ms(129'000 + 120'000 + 10'000));
  EXPECT_LE(again, ms(300'000));
}

// By a clock that went back nobody knows how old the intent is.
TEST(DriverWaits, AnIntentOfTheFutureMayBeOfAnyAge) {
  Lost world;
  world.begin();
  world.step();
  world.batch.jobs[0].submitting_since = world.wall() + ms(3'600'000);
  world.begin();
  const Duration again = world.again_after(world.now);
  EXPECT_GE(again, ms(130'000));
  EXPECT_LE(again, ms(150'000));
}

// The ResourceManager that was replaced may answer for `settling` after the last list of before.
TEST(DriverWaits, WhenAnotherResourceManagerAnswersTheWaitBeginsAnew) {
  ScriptedCluster world;
  world.add("J1");
  world.at_start = ended(0);
  world.begin();
  world.steps(9);
  world.mark.began = 1;
  const Duration took = world.until([&] { return has_ended(world.job("J1").state); });
  EXPECT_EQ(world.job("J1").state, LiveState::done);
  EXPECT_GE(took, ms(10'000));
  EXPECT_LE(took, ms(13'000));
}

// Each question takes some milliseconds, so a client is always seen later than the list was asked for.
TEST(DriverWaits, WaitsEndThoughQuestionsTakeTime) {
  Lost lost;
  lost.call = ms(5);
  lost.begin();
  EXPECT_LE(lost.again_after(lost.now), ms(20'000));

  ScriptedCluster world;
  world.call = ms(5);
  world.add("J1");
  world.at_start = ended(0);
  world.begin();
  world.step();
  world.accept("J1", "application_1_1", ApplicationState::succeeded);
  EXPECT_LE(world.until([&] { return world.job("J1").state == LiveState::done; }), ms(5'000));
}

// The list was asked for before the client was seen dead: it may lack what the client sent last. Answers are
// so rare that each vouches for as long, whatever a question takes.
TEST(DriverWaits, AListAskedForBeforeTheClientWasSeenDeadDoesNotCount) {
  const auto again_after = [](Duration call) {
    Lost lost;
    lost.call = call;
    lost.begin();
    return lost.again_after(lost.now, ms(2'100));
  };
  EXPECT_GE(again_after(ms(1)), again_after(Duration{}) + ms(2'000));
}

TEST(DriverWaits, AClientThatLostTheClusterDoesNotFailAJobThatSucceeded) {
  ScriptedCluster world;
  world.add("J1");
  world.begin();
  world.step();
  world.accept("J1", "application_1_1", ApplicationState::running);
  world.step();
  world.away = true;
  world.step();
  world.away = false;
  world.clients["tag-J1"] = ended(1);
  world.listed[0].state = ApplicationState::succeeded;
  (void)world.until([&] { return has_ended(world.job("J1").state); });
  EXPECT_EQ(world.job("J1").state, LiveState::done);
  EXPECT_THAT(world.job("J1").reason, HasSubstr("the cluster was away: its command ended with 1"));
}

// Between two lists it restarted and forgot its applications; the history knows.
TEST(DriverWaits, ARestartThatNobodySawDoesNotFailAJobThatSucceeded) {
  ScriptedCluster world;
  world.add("J1");
  world.begin();
  world.step();
  world.accept("J1", "application_1_1", ApplicationState::running);
  world.step();
  world.history["application_1_1"] = world.listed[0];
  world.history["application_1_1"].state = ApplicationState::succeeded;
  world.listed.clear();
  world.mark.incarnation = 1;
  world.clients["tag-J1"] = ended(1);
  (void)world.until([&] { return has_ended(world.job("J1").state); });
  EXPECT_EQ(world.job("J1").state, LiveState::done);
}

TEST(DriverWaits, ACommandThatWasNeverStartedIsNotUnknownThoughTheClusterForgot) {
  ScriptedCluster world;
  world.add("J1");
  world.refused_starts = 1;
  world.begin();
  world.step();
  world.mark.incarnation = 1;
  EXPECT_LE(world.until([&] { return !world.started.empty(); }), ms(5'000));
  EXPECT_EQ(world.told("J1", "Again"), 1);
}

// A job whose client is gone, and whose application the cluster no longer lists. The history server cannot
// load one of the jobs that it lists, which may be that one.
struct Forgotten : ScriptedCluster {
  explicit Forgotten(bool many_applications = false) {
    add("J1").many_applications = many_applications;
    add("J2");
    mark.kept = mark.listed = 1;
    at_start = gone;
    begin();
    step();
    at_start = {ClientState::alive, 0, {}};
    mark.ended = 10;
    history_unread = true;
  }
  void record(ApplicationState state) {
    history["application_1_1"] = {.id = "application_1_1", .state = state, .tags = {"tag-J1"}};
  }
};

TEST(DriverWaits, AHistoryThatCannotTellNowIsAskedAgainAndTheOtherJobsGoOn) {
  Forgotten world;
  world.steps(600);
  EXPECT_EQ(world.job("J1").state, LiveState::submitting);
  EXPECT_THAT(world.started, ElementsAre("J1", "J2"));
  world.record(ApplicationState::succeeded);
  world.history_unread = false;
  EXPECT_LE(world.until([&] { return has_ended(world.job("J1").state); }), ms(61'000));
  EXPECT_EQ(world.job("J1").state, LiveState::done) << world.job("J1").reason;
  EXPECT_EQ(world.told("J1", "Unanswered"), 1);
  EXPECT_EQ(world.told("J1", "Answered"), 1);
}

// A job with one application needs no more than the history can tell. One that may have more waits.
TEST(DriverWaits, APartOfTheHistoryIsNotTakenForAll) {
  Forgotten one;
  one.record(ApplicationState::failed);
  EXPECT_LE(one.until([&] { return has_ended(one.job("J1").state); }), ms(30'000));
  EXPECT_EQ(one.job("J1").state, LiveState::failed);
  Forgotten many(true);
  many.record(ApplicationState::failed);
  many.steps(800);
  EXPECT_EQ(many.job("J1").state, LiveState::submitting);
  many.steps(300);
  EXPECT_EQ(many.job("J1").state, LiveState::unknown);
  EXPECT_THAT(many.job("J1").reason, HasSubstr("the history cannot tell what ran: history: answers 500"));
}

// Its command computes splits for half an hour, and the cluster lists the latest ended application alone.
TEST(DriverWaits, AJobWhoseClientLivesIsNotUnknown) {
  ScriptedCluster world;
  world.add("J1");
  world.mark.kept = world.mark.listed = 1;
  world.begin();
  world.step();
  world.mark.ended = 10;
  world.steps(1'800);
  EXPECT_EQ(world.job("J1").state, LiveState::submitting);
  world.wish("J1", Wish::cancel);
  world.steps(2);
  EXPECT_THAT(world.killed, testing::Contains("tag-J1"));
}

// The command lives on another machine: between two of its applications it is not judged.
TEST(DriverWaits, AJobFromAfarThatRanForLongIsGivenTimeForItsNextApplication) {
  ScriptedCluster world;
  LiveJob& job = world.add("J1");
  job.many_applications = true;
  job.state = LiveState::submitting;
  job.attempts = 1;
  job.machine = "there";
  job.submitting_since = world.wall();
  world.begin();
  world.steps(10);
  world.accept("J1", "application_1_1", ApplicationState::running);
  world.steps(1'200);
  world.listed[0].state = ApplicationState::succeeded;
  world.steps(60);
  EXPECT_EQ(world.job("J1").state, LiveState::running);
}

// An application is in no list for ten minutes, twice; it is unknown after a quarter of an hour of one time.
TEST(DriverWaits, AnApplicationThatIsBackIsNotLostFromBefore) {
  ScriptedCluster world;
  world.add("J1");
  world.begin();
  world.step();
  world.accept("J1", "application_1_1", ApplicationState::running);
  world.step();
  for (int i = 0; i < 2; ++i) {
    const std::vector<Application> there = std::exchange(world.listed, {});
    world.steps(600);
    EXPECT_EQ(world.job("J1").state, LiveState::running) << i;
    world.listed = there;
    world.steps(2);
  }
  world.listed.clear();
  world.steps(1'000);
  EXPECT_EQ(world.job("J1").state, LiveState::unknown);
}

// The cluster lists neither any more. The first had failed and the command tried again, with success.
TEST(DriverWaits, ForgottenApplicationsAreJudgedInTheirOrder) {
  ScriptedCluster world;
  world.add("J1").many_applications = true;
  world.begin();
  world.step();
  world.accept("J1", "application_1_1", ApplicationState::failed);
  world.accept("J1", "application_1_2", ApplicationState::running);
  world.step();
  for (const Application& each : world.listed) world.history[each.id] = each;
  world.history["application_1_2"].state = ApplicationState::succeeded;
  world.clients["tag-J1"] = ended(0);
  world.listed.clear();
  (void)world.until([&] { return has_ended(world.job("J1").state); });
  EXPECT_EQ(world.job("J1").state, LiveState::done) << world.job("J1").reason;
}

// Its command is lost behind the first application or behind the second, and all that it started succeeded.
TEST(DriverWaits, ACommandThatStartedASecondApplicationMayHaveHadMoreToDo) {
  for (const int applications : {1, 2}) {
    ScriptedCluster world;
    world.add("J1");
    world.begin();
    world.step();
    world.accept("J1", "application_1_1", ApplicationState::succeeded);
    world.step();
    EXPECT_FALSE(world.job("J1").many_applications);
    if (applications == 2) world.accept("J1", "application_1_2", ApplicationState::succeeded);
    world.steps(3);
    EXPECT_EQ(world.job("J1").many_applications, applications == 2);
    EXPECT_EQ(world.told("J1", "SeveralApplications"), applications - 1);
    world.clients["tag-J1"] = gone;
    (void)world.until([&] { return has_ended(world.job("J1").state); });
    EXPECT_EQ(world.job("J1").state, applications == 2 ? LiveState::unknown : LiveState::done);
  }
}

// A command that was lost and came through after all is one application an attempt.
TEST(DriverWaits, AnApplicationOfEachAttemptIsNotTakenForSeveral) {
  Lost world;
  world.begin();
  (void)world.until([&] { return world.job("J1").attempts == 2; });
  world.accept("J1", "application_1_1", ApplicationState::running);
  world.accept("J1", "application_1_2", ApplicationState::running);
  world.steps(2);
  EXPECT_EQ(world.job("J1").applications.size(), 2U);
  EXPECT_FALSE(world.job("J1").many_applications);
}

// The cluster was away during the first attempt, not during the second.
TEST(DriverWaits, AnOutageOfOneAttemptDoesNotExcuseTheNext) {
  Lost world;
  world.begin();
  world.step();
  world.away = true;
  world.step();
  world.away = false;
  world.at_start = ended(1);
  (void)world.until([&] { return has_ended(world.job("J1").state); });
  EXPECT_EQ(world.job("J1").state, LiveState::failed);
  EXPECT_EQ(world.job("J1").attempts, 2);
}

TEST(DriverWaits, OnlyWhatRunsIsKilled) {
  ScriptedCluster world;
  world.add("J1").many_applications = true;
  world.begin();
  world.step();
  world.accept("J1", "application_1_1", ApplicationState::succeeded);
  world.accept("J1", "application_1_2", ApplicationState::running);
  world.clients["tag-J1"] = gone;
  world.wish("J1", Wish::cancel);
  world.step();
  EXPECT_THAT(world.killed, ElementsAre("application_1_2"));
}

TEST(DriverWaits, AJobThatIsCancelledAfterItsDeadlineIsNotToldAsLate) {
  ScriptedCluster world;
  LiveJob& job = world.add("J1");
  job.not_before = world.wall() + ms(3'600'000);
  job.deadline = world.wall() + ms(500);
  world.begin();
  world.step();
  world.wish("J1", Wish::cancel);
  world.steps(3);
  EXPECT_EQ(world.job("J1").state, LiveState::cancelled);
  EXPECT_EQ(world.told("J1", "Late"), 0);
}

// The second of three jobs has a deadline, and the first leaves for the archive before it passes.
TEST(DriverWaits, ADeadlineIsToldOnceAndOfItsJobThoughAnotherWasArchived) {
  ScriptedCluster world;
  LiveJob& first = world.add("J1");
  first.state = LiveState::done;
  first.ended_at = world.wall() - ms(3'600'000);
  LiveJob& late = world.add("J2");
  late.not_before = world.wall() + ms(3'600'000);
  late.deadline = world.wall() + ms(20'000);
  world.add("J3").not_before = world.wall() + ms(3'600'000);
  DriverOptions options;
  options.keep_ended = ms(60'000);
  world.begin(options);
  world.steps(19);
  EXPECT_THAT(world.archived, ElementsAre("J1"));
  EXPECT_EQ(world.told("J2", "Late"), 0);
  world.steps(10);
  EXPECT_EQ(world.told("J2", "Late"), 1);
  EXPECT_EQ(world.told("J3", "Late"), 0);
}

// The journal took the entry and gave no answer: the driver reads again, and archives nothing twice.
TEST(DriverWaits, AnArchiveWithoutAnAnswerIsNotWrittenTwice) {
  ScriptedCluster world;
  LiveJob& job = world.add("J1");
  job.state = LiveState::done;
  job.ended_at = world.wall() - ms(3'600'000);
  world.add("J2").not_before = world.wall() + ms(3'600'000);
  world.archive_fails_once = true;
  DriverOptions options;
  options.keep_ended = ms(60'000);
  world.begin(options);
  world.steps(30);
  EXPECT_THAT(world.archived, ElementsAre("J1"));
  EXPECT_THAT(world.driver->batch()->jobs, SizeIs(1));
}

}  // namespace
}  // namespace wavewright
