// Runs that have not ended: told while they run, told again, and told by their history at last.
#include "tests/store/databases.h"
#include "tests/store/runs.h"
#include "wavewright/store/phases.h"

namespace wavewright {
namespace {

using LiveRuns = DatabaseTest;

JobRun running(int maps, Duration later = Duration(0)) {
  JobRun run = plausible_run(1, maps, 0);
  run.state = RunState::running;
  run.finish.reset();
  run.submit = *run.submit + later;
  run.source = "http://rm:8088";
  return run;
}

Store::Added add(Store& store, const JobRun& run) {
  return store.add(std::vector{run});
}

TEST_P(LiveRuns, TakeTheNewerCopyAndThenTheHistory) {
  Store store = this->store();
  EXPECT_EQ(add(store, running(1)).fresh, 1);
  EXPECT_EQ(store.headers({.state = RunState::running}).size(), 1U);
  EXPECT_EQ(add(store, running(2)).updated, 1);
  EXPECT_EQ(add(store, plausible_run(1, 4, 1)).completed, 1);
  EXPECT_EQ(add(store, running(3)).known, 1) << "what ended never changes";
  const std::vector<JobRun> runs = store.runs({});
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].state, RunState::succeeded);
  EXPECT_EQ(runs[0].tasks.size(), 5U);
  EXPECT_EQ(load_phases(store, "WordCount").size(), 1U);
  ASSERT_EQ(store.names().size(), 1U);
  EXPECT_EQ(store.names()[0].runs, 1);
  EXPECT_EQ(store.names()[0].succeeded, 1);
}

TEST_P(LiveRuns, AreOneRunThoughTheClusterTellsAnotherSubmission) {
  Store store = this->store();
  (void)add(store, running(1, std::chrono::seconds(7)));
  EXPECT_EQ(add(store, running(2, std::chrono::seconds(-3))).updated, 1);
  EXPECT_EQ(add(store, plausible_run(1, 4, 1)).completed, 1);
  EXPECT_EQ(add(store, running(3, std::chrono::seconds(7))).known, 1);
  EXPECT_EQ(store.headers({}).size(), 1U);
  EXPECT_EQ(store.run_count(), 1);
}

TEST_P(LiveRuns, OfARestartedClusterAreOthers) {
  Store store = this->store();
  (void)add(store, running(1));
  EXPECT_EQ(add(store, moved(running(1), std::chrono::hours(5))).fresh, 1);
  EXPECT_EQ(store.run_count(), 2);
}

TEST_P(LiveRuns, InOneBatchCountOnce) {
  Store store = this->store();
  const std::vector batch = {running(1), running(2, std::chrono::seconds(1)), plausible_run(1, 4, 1),
                             running(3)};
  const Store::Added added = store.add(batch);
  EXPECT_EQ(added.fresh, 1);
  EXPECT_EQ(added.updated, 1);
  EXPECT_EQ(added.completed, 1);
  EXPECT_EQ(added.known, 1);
  ASSERT_EQ(store.runs({}).size(), 1U);
  EXPECT_EQ(store.runs({})[0].tasks.size(), 5U);
  EXPECT_EQ(store.names()[0].runs, 1);
}

// A name that only the replaced copy had is gone with it.
TEST_P(LiveRuns, LeaveNoNameBehind) {
  Store store = this->store();
  JobRun run = running(1);
  run.name = "not told yet";
  (void)add(store, run);
  (void)add(store, plausible_run(1, 4, 1));
  ASSERT_EQ(store.names().size(), 1U);
  EXPECT_EQ(store.names()[0].name, "WordCount");
}

TEST_P(LiveRuns, AHistoryThatGrewIsToldAnewButAnotherCutCopyIsNot) {
  Store store = this->store();
  JobRun cut = plausible_run(1, 2, 0);
  cut.state = RunState::unknown;
  (void)add(store, cut);
  JobRun grown = plausible_run(1, 4, 0);
  grown.state = RunState::unknown;
  EXPECT_EQ(add(store, grown).updated, 1);
  cut.source = "/elsewhere";
  EXPECT_EQ(add(store, cut).known, 1);
  ASSERT_EQ(store.runs({}).size(), 1U);
  EXPECT_EQ(store.runs({})[0].tasks.size(), 4U);
}

// An id comes again after a restart of the cluster: submissions more than ten minutes apart are two runs.
TEST_P(LiveRuns, SubmissionsTwentyMinutesApartAreTwoRuns) {
  Store store = this->store();
  JobRun first = plausible_run(1, 2, 0);
  first.state = RunState::running;
  const JobRun later = moved(plausible_run(1, 2, 0), std::chrono::minutes(20));
  (void)store.add(std::vector{first});
  EXPECT_EQ(store.add(std::vector{later}).fresh, 1);
  EXPECT_EQ(store.headers({}).size(), 2U);
}

// The third could be either of the first two, which are fifteen minutes apart: what has ended stays ended.
TEST_P(LiveRuns, WhatIsNotNewBesideOneRunReplacesNoOther) {
  Store store = this->store();
  std::vector<JobRun> runs(3, plausible_run(1, 2, 0));
  for (std::size_t i = 1; i < 3; ++i) {
    runs[i].state = RunState::unknown;
    runs[i].finish.reset();
  }
  runs[1] = moved(runs[1], std::chrono::minutes(15));
  runs[2] = moved(runs[2], std::chrono::minutes(8));
  const Store::Added added = store.add(runs);
  EXPECT_EQ(added.fresh, 2);
  EXPECT_EQ(added.known, 1);
}

INSTANTIATE_ON_EVERY_DATABASE(LiveRuns);

}  // namespace
}  // namespace wavewright
