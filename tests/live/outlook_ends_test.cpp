// Starts and ends of a forecast's jobs, by hand: a job that runs goes on from where it is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/live/exact_outlook.h"

namespace wavewright {
namespace {

// A master needs 5 s. That of the job that runs has started: its map has 6 s left.
TEST(OutlookEnds, WhatRunsNeedsNoMasterAnyMore) {
  ExactOutlook world;
  world.add(LiveState::running, "runs", 1, one_runs(1, ms(4'000)));
  world.add(LiveState::accepted, "accepted");
  world.add(LiveState::waiting, "waits");
  Cluster cluster = flat_cluster({8, 1});
  cluster.masters.start = ms(5'000);
  const Outlook outlook = world.on(cluster);
  EXPECT_EQ(end_in(outlook, "runs"), 6);
  EXPECT_EQ(start_in(outlook, "runs"), -1);
  EXPECT_EQ(maps_done_in(outlook, "runs"), 6);
  for (const char* id : {"accepted", "waits"}) {
    EXPECT_EQ(start_in(outlook, id), 5) << id;
    EXPECT_EQ(maps_done_in(outlook, id), 15) << id;
    EXPECT_EQ(end_in(outlook, id), 15) << id;
  }
}

// Without a cluster each goes on with the slots it holds: one map has 6 s left, nine take 10 s each.
TEST(OutlookEnds, WithoutAClusterOnlyRunningJobsAreForecast) {
  ExactOutlook world;
  world.add(LiveState::running, "runs", 10, one_runs(10, ms(4'000)));
  world.add(LiveState::running, "not read yet", 10);
  world.add(LiveState::accepted, "was asked too early", 10, one_runs(10, ms(4'000)));
  auto with_commit = exact_lengths(ms(10'000));
  with_commit->commit = ms(5'000);
  world.known["runs"].lengths = with_commit;
  const Outlook outlook = world.look({});
  EXPECT_EQ(maps_done_in(outlook, "runs"), 96);
  EXPECT_EQ(end_in(outlook, "runs"), 101) << "its commit takes 5 s";
  EXPECT_EQ(end_in(outlook, "not read yet"), -1);
  EXPECT_EQ(end_in(outlook, "was asked too early"), -1);
}

// The whole job is forecast if its tasks are not known, less the time for which it has run.
TEST(OutlookEnds, TheTimeThatHasPassedIsTakenOff) {
  struct Case {
    bool many_applications;
    std::optional<JobProgress> progress;
    int ran;  // s
    double end;
  };
  const std::vector<Case> cases = {{false, {}, 0, 100},
                                   {false, {}, 60, 40},
                                   {false, {}, 300, 0},
                                   {true, one_runs(3, ms(4'000)), 60, 40},  // a reading of one application
                                   {false, one_runs(3, ms(4'000)), 60, 26}};
  for (const Case& each : cases) {
    ExactOutlook world;
    LiveJob& job = world.add(LiveState::running, "etl", 10, each.progress);
    job.many_applications = each.many_applications;
    job.started_at = outlook_now - ms(1'000 * each.ran);
    EXPECT_EQ(end_in(world.on(flat_cluster({1, 1})), "etl"), each.end) << each.ran;
  }
}

TEST(OutlookEnds, MapsThatAreDoneEndNoMore) {
  ExactOutlook world;
  JobProgress progress;
  progress.maps = {.total = 4, .done = 4};
  progress.reduces = {.total = 1, .running = 1, .tasks = {{ms(4'000), false, false}}};
  world.add(LiveState::running, "reduces", 4, progress);
  LiveJob& reduces_alone = world.add(LiveState::waiting, "no maps", 0);
  reduces_alone.reduces = {1, ms(10'000)};
  const Outlook outlook = world.on(flat_cluster({4, 4}));
  EXPECT_EQ(maps_done_in(outlook, "reduces"), -1);
  EXPECT_EQ(end_in(outlook, "reduces"), 6);
  EXPECT_EQ(maps_done_in(outlook, "no maps"), -1);
  EXPECT_EQ(end_in(outlook, "no maps"), 10);
}

TEST(OutlookEnds, AnEndAtTheDeadlineIsOnTime) {
  ExactOutlook world;
  LiveJob& job = world.add(LiveState::waiting, "a");
  job.deadline = outlook_now + ms(10'000);
  EXPECT_EQ(world.on(flat_cluster({1, 1})).of("a")->on_time, 1);
  job.deadline = *job.deadline - ms(1);
  EXPECT_EQ(world.on(flat_cluster({1, 1})).of("a")->on_time, 0);
}

StageProgress done_after(Count total, Count done, Duration length, bool later = false) {
  StageProgress stage{.total = total, .done = done};
  stage.tasks.assign(static_cast<std::size_t>(done), {length, true, later});
  return stage;
}

// The profile says 10 s, an earlier drift twice that, and they take four times as long.
TEST(OutlookFactors, AreBesideTheProfile) {
  ExactOutlook world;
  LiveJob& job = world.add(LiveState::running, "etl", 4);
  job.map_drift = job.reduce_drift = 2;
  JobProgress progress;
  progress.maps = done_after(4, 4, ms(40'000));
  progress.reduces = done_after(4, 3, ms(40'000));
  const auto lengths = exact_lengths(ms(10'000), ms(10'000));
  lengths->maps.between = lengths->reduces.between = 1;  // so that the profile hardly counts
  world.known["etl"] = known_job(job, lengths, progress);
  const Outlook outlook = world.on(flat_cluster({4, 4}));
  ASSERT_TRUE(outlook.of("etl"));
  const JobOutlook& etl = *outlook.of("etl");
  EXPECT_NEAR(*etl.map_factor, 4, 0.05);
  EXPECT_NEAR(*etl.reduce_factor, 4, 0.05);
}

// 10 s of reduce; the shuffle takes 10 s beside the last map, and 30 s if the reduce starts later.
TEST(OutlookFactors, AReduceIsBesideTheShuffleThatItHad) {
  const LiveJob job = job_in(LiveState::running, "etl", 4);
  auto lengths = exact_lengths(ms(10'000), ms(10'000));
  lengths->first_shuffle = {ms(10'000)};
  lengths->shuffle = {ms(30'000)};
  for (const bool later : {false, true}) {
    JobProgress progress;
    progress.maps = done_after(4, 4, ms(10'000));
    progress.reduces = done_after(4, 3, ms(later ? 40'000 : 20'000), later);
    EXPECT_NEAR(known_job(job, lengths, progress).reduces.measured, 0, 0.01) << later;
  }
}

// A map whose output was lost runs again, beside reduces that are done: their lengths are not known.
TEST(OutlookFactors, ReducesCountOnceTheMapsAreDone) {
  const LiveJob job = job_in(LiveState::running, "etl", 4);
  JobProgress progress;
  progress.maps = done_after(4, 3, ms(10'000));
  progress.reduces = done_after(4, 3, ms(0));
  const auto lengths = exact_lengths(ms(10'000), ms(10'000));
  EXPECT_EQ(known_job(job, lengths, progress).reduces.done, 0);
  progress.maps = done_after(4, 4, ms(10'000));
  EXPECT_EQ(known_job(job, lengths, progress).reduces.done, 3);
}

KnownJob measured(Count runs, int startup, int wait, int commit) {
  auto lengths = exact_lengths(ms(10'000));
  lengths->runs = runs;
  lengths->startup = ms(startup);
  lengths->wait = ms(wait);
  lengths->commit = ms(commit);
  return {.lengths = lengths};
}

TEST(MeasuredStarts, AreTheMediansOfTheProfiles) {
  const Cluster flat = flat_cluster({1, 1});
  const KnownJob listed = measured(0, 0, 0, 0);  // in a workload file: it was never measured
  const Cluster cluster = with_measured_starts(flat, {{"a", measured(3, 7'000, 1'000, 500)},
                                                      {"b", measured(3, 9'000, 2'000, 600)},
                                                      {"c", measured(3, 90'000, 30'000, 9'000)},
                                                      {"d", listed},
                                                      {"e", listed},
                                                      {"f", listed},
                                                      {"g", listed},
                                                      {"no profile", {}}});
  EXPECT_EQ(cluster.mode.launch, ms(2'000));
  EXPECT_EQ(cluster.masters.start, ms(7'000)) << "of 9 s until the first task its launch took 2 s";
  EXPECT_EQ(cluster.masters.finish, ms(600));
  EXPECT_EQ(with_measured_starts(flat, {{"a", measured(3, 1'000, 2'000, 0)}}).masters.start, Duration{})
      << "never below 0";
  EXPECT_EQ(with_measured_starts(flat, {{"d", listed}}).masters.start, Duration{});
}

TEST(MeasuredStarts, ClustersThatTellTheirsKeepThem) {
  Cluster master = flat_cluster({1, 1}), launch = master, work = master;
  master.masters.start = ms(1'000);
  launch.mode.launch = ms(1'000);
  work.launches.work = ms(1'000);
  const KnownJobs known = {{"a", measured(3, 9'000, 2'000, 600)}};
  EXPECT_EQ(with_measured_starts(master, known).mode.launch, Duration{});
  EXPECT_EQ(with_measured_starts(master, known).masters.start, ms(1'000));
  EXPECT_EQ(with_measured_starts(launch, known).masters.start, Duration{});
  EXPECT_EQ(with_measured_starts(work, known).masters.start, Duration{});
}

}  // namespace
}  // namespace wavewright
