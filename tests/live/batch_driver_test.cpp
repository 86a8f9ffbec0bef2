#include "wavewright/live/batch_driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "tests/live/simulated_cluster.h"
#include "tests/property.h"
#include "wavewright/core/error.h"

namespace wavewright {
namespace {

using ::testing::ElementsAre;

LiveBatch batch_of_jobs(std::size_t count) {
  LiveBatch batch;
  batch.name = "nightly";
  batch.tag = "run";
  for (std::size_t i = 0; i < count; ++i) {
    LiveJob job;
    job.id = fmt::format("J{}", i + 1);
    job.tag = "tag-" + job.id;
    job.command = {"submit", job.id};
    batch.jobs.push_back(job);
  }
  return batch;
}

// Runs the batch to its end, whoever has to be started again.
struct Schedule {
  SimulatedCluster cluster;
  std::unique_ptr<SimulatedJournal> journal;
  std::unique_ptr<BatchDriver> driver;
  DriverOptions options;
  struct Late {
    Duration at;  // after the beginning
    LiveJob job;
    SimulatedJob what;
  };
  std::vector<Late> late = {};  // added while the batch runs, in order of time
  std::size_t added = 0;
  Duration began{};

  Schedule(std::uint64_t seed, LiveBatch batch, std::vector<SimulatedJob> jobs, LiveFaults faults,
           DriverOptions given = {})
      : cluster(seed, std::move(batch), std::move(jobs), faults, given.settling), options(given) {
    began = cluster.now();
  }

  void start_program() {
    journal = std::make_unique<SimulatedJournal>(cluster);
    driver = std::make_unique<BatchDriver>(*journal, cluster, cluster, options);
  }
  void end_program() {
    driver.reset();
    journal.reset();
  }

  // One step of the program, which is started if it is dead.
  void step(Duration every) {
    for (; added < late.size() && cluster.now() - began >= late[added].at; ++added)
      cluster.add(late[added].job, late[added].what);
    try {
      if (!driver) start_program();
      driver->step();
    } catch (const ExternalError&) {
    } catch (const LeadLost&) {
      end_program();
    } catch (const Crash&) {
      end_program();
    }
    try {
      cluster.advance(every);
    } catch (const Crash&) {
      end_program();
    }
  }

  bool ended() {
    const auto& jobs = cluster.written().jobs;
    return added == late.size() &&
           std::all_of(jobs.begin(), jobs.end(), [](const LiveJob& job) { return has_ended(job.state); });
  }

  // What is wrong; empty = nothing.
  std::string run(Duration faults_for, Duration every) {
    cluster.on_pause([&] {
      SimulatedJournal other_journal(cluster);
      BatchDriver other(other_journal, cluster, cluster, options);
      for (int i = 0; i < 12; ++i) {
        try {
          other.step();
        } catch (const ExternalError&) {
        }
        cluster.advance(every);
      }
    });
    const Duration begin = cluster.now();
    while (!ended() && cluster.now() - begin < faults_for && cluster.violation().empty()) step(every);
    cluster.heal();
    for (; added < late.size(); ++added) cluster.add(late[added].job, late[added].what);
    for (const LiveJob& job : cluster.written().jobs) cluster.wish_for(job.id, Wish::release);
    const Duration healed = cluster.now();
    while (!ended() && cluster.now() - healed < ms(8 * 3'600'000) && cluster.violation().empty()) step(every);
    for (int i = 0; i < 20; ++i) step(every);  // nothing comes late
    if (cluster.violation().empty()) cluster.check_end();
    return cluster.violation();
  }
};

std::string log_text(const SimulatedCluster& cluster) {
  std::string text;
  for (const LiveEvent& event : cluster.log())
    text += fmt::format("{} {} {} {}\n", to_ms(event.at), event.job, event.what, event.detail);
  return text;
}

struct RandomSchedule {
  LiveBatch batch;
  std::vector<SimulatedJob> jobs;
  LiveFaults faults;
  DriverOptions options;
  std::vector<Schedule::Late> late;
  Duration faults_for{}, every{};

  static LiveOrdering some_ordering(Random& random) {
    static constexpr std::array policies = {"pnj(1)", "pnj(3, at_latest=1m)", "tp-fti(20s)", "tp-ati(10s)"};
    LiveOrdering ordering;
    ordering.when = policies[random.below(policies.size())];
    ordering.objective = queue_objectives[random.below(queue_objectives.size())];
    ordering.mode = random.below(2) == 0 ? OrderingMode::sim : OrderingMode::alg;
    ordering.pool = {random.integer(1, 8), random.integer(1, 8)};
    return ordering;
  }

  explicit RandomSchedule(std::uint64_t seed) {
    Random random(seed, "schedule");
    batch = batch_of_jobs(1 + random.below(6));
    const auto some = [&](double most) { return random.below(3) == 0 ? random.uniform(0, most) : 0; };
    for (std::size_t i = 0; i < batch.jobs.size(); ++i) {
      LiveJob& job = batch.jobs[i];
      SimulatedJob own;
      own.applications = random.below(4) == 0 ? 2 : 1;
      job.many_applications = own.applications > 1;
      own.detached = own.applications == 1 && random.below(5) == 0;
      own.length = ms(random.integer(1'000, 60'000));
      jobs.push_back(own);
      if (i > 0 && random.below(3) == 0) job.after.push_back(batch.jobs[random.below(i)].id);
      job.maps = {random.integer(0, 5), ms(random.integer(1'000, 20'000))};
      job.reduces = {random.integer(0, 3), ms(random.integer(1'000, 20'000))};
      if (random.below(3) == 0) job.deadline = at_ms(1'700'001'000'000 + random.integer(0, 600'000));
      if (random.below(4) == 0) job.not_before = at_ms(1'700'001'000'000 + random.integer(0, 120'000));
    }
    faults.crash = some(0.02);
    faults.no_answer = some(0.1);
    faults.paused = some(0.01);
    faults.reboot = some(0.005);
    faults.client_dies = some(0.1);
    faults.restart = some(0.05);
    faults.forgets = random.below(4) == 0 ? 0.5 : 0;
    faults.store_away = some(0.01);
    faults.clock_jumps = some(0.01);
    faults.slow_answer = some(0.2);
    faults.slow_request = some(0.9);
    faults.job_fails = some(0.3);
    faults.bad_command = some(0.2);
    faults.kept = random.below(3) == 0 ? random.integer(1, 10) : 0;
    faults.others_end = some(1);
    faults.wish = some(0.02);
    faults.moves = random.below(3) == 0 ? random.unit() : 0;
    options.most_at_once = random.below(3);
    options.patience = ms(random.below(2) == 0 ? 5'000 : 120'000);
    options.most_submitting = 1 + random.below(3);
    if (random.below(2) == 0) batch.ordering = some_ordering(random);
    while (batch.jobs.size() > 1 && random.below(4) == 0) {
      late.insert(late.begin(),
                  {ms(random.integer(0, 300'000)), std::move(batch.jobs.back()), std::move(jobs.back())});
      batch.jobs.pop_back();
      jobs.pop_back();
    }
    // Each is added behind those before it.
    for (std::size_t i = 1; i < late.size(); ++i) late[i].at = std::max(late[i].at, late[i - 1].at);
    faults_for = ms(random.integer(30'000, 900'000));
    every = ms(random.integer(500, 5'000));
  }
};

std::string violation_of(std::uint64_t seed, bool with_log = false) {
  const RandomSchedule made(seed);
  Schedule schedule(seed, made.batch, made.jobs, made.faults, made.options);
  schedule.late = made.late;
  std::string violation = schedule.run(made.faults_for, made.every);
  if (with_log && !violation.empty()) violation += "\n" + log_text(schedule.cluster);
  return violation;
}

// WAVEWRIGHT_SCHEDULES: how many; WAVEWRIGHT_SCHEDULE: this one only.
std::uint64_t number_from(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

TEST(BatchDriver, EachJobRunsOnceWhateverFails) {
  const std::uint64_t only = number_from("WAVEWRIGHT_SCHEDULE", 0);
  if (only > 0) {
    EXPECT_EQ(violation_of(only, true), "");
    return;
  }
  const std::uint64_t count = number_from("WAVEWRIGHT_SCHEDULES", static_cast<std::uint64_t>(sized(10'000)));
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    ASSERT_EQ(violation_of(seed, true), "") << "again with WAVEWRIGHT_SCHEDULE=" << seed;
  }
}

TEST(BatchDriver, WithoutFaultsJobsAreAcceptedInTheirOrder) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Schedule schedule(seed, batch_of_jobs(4), std::vector<SimulatedJob>(4), {});
    ASSERT_EQ(schedule.run(ms(0), ms(1'000)), "");
    EXPECT_THAT(schedule.cluster.accepted(), ElementsAre("J1", "J2", "J3", "J4"));
    for (const LiveJob& job : schedule.cluster.written().jobs) {
      EXPECT_EQ(job.state, LiveState::done) << job.reason;
      EXPECT_EQ(job.attempts, 1);
      EXPECT_LT(job.accepted_at, job.started_at);
      EXPECT_LT(job.started_at, job.ended_at);
    }
  }
}

// One job, driven by hand.
struct One {
  Schedule schedule;

  explicit One(LiveFaults faults = {}, SimulatedJob job = {})
      : schedule(1, batch_of_jobs(1), {job}, faults) {}

  [[nodiscard]] const LiveJob& job() const { return schedule.cluster.written().jobs[0]; }
  // Steps of a second until it is so; false if it was not within ten minutes.
  bool until(const std::function<bool(const LiveJob&)>& so) {
    for (int i = 0; i < 600; ++i) {
      if (so(job())) return true;
      schedule.step(ms(1'000));
    }
    return false;
  }
  bool until(LiveState state) {
    return until([&](const LiveJob& each) { return each.state == state; });
  }
};

TEST(BatchDriver, ACancelledJobIsKilled) {
  One one({}, {.applications = 1, .detached = false, .length = ms(100 * 3'600'000)});
  ASSERT_TRUE(one.until(LiveState::running));
  one.schedule.cluster.wish_for("J1", Wish::cancel);
  ASSERT_TRUE(one.until(LiveState::cancelled));
  EXPECT_EQ(one.job().reason, "as its user asked");
  one.schedule.cluster.check_end();
  EXPECT_EQ(one.schedule.cluster.violation(), "");
}

TEST(BatchDriver, AJobCancelledBeforeTheClusterHasItNeverGetsThere) {
  One one;
  one.schedule.step(ms(1));
  ASSERT_EQ(one.job().state, LiveState::submitting);
  one.schedule.cluster.wish_for("J1", Wish::cancel);
  one.schedule.step(ms(1));
  ASSERT_TRUE(one.until(LiveState::cancelled));
  EXPECT_TRUE(one.schedule.cluster.accepted().empty());
}

TEST(BatchDriver, WritesOnlyWhatChanges) {
  One one({}, {.applications = 1, .detached = false, .length = ms(100 * 3'600'000)});
  one.schedule.cluster.wish_for("J1", Wish::release);
  ASSERT_TRUE(one.until(LiveState::running));
  one.schedule.step(ms(1'000));
  const int before = one.schedule.cluster.writes();
  for (int i = 0; i < 10; ++i) one.schedule.step(ms(1'000));
  EXPECT_EQ(one.schedule.cluster.writes(), before);
}

TEST(BatchDriver, ACommandThatFailsWithoutAnApplicationIsNotStartedAgain) {
  One one({.bad_command = 1});
  ASSERT_TRUE(one.until(LiveState::failed));
  EXPECT_EQ(one.job().attempts, 1);
  EXPECT_EQ(one.job().reason, "its command ended with 1: last words");
}

TEST(BatchDriver, AHeldJobWaitsUntilItIsReleased) {
  One one;
  one.schedule.cluster.wish_for("J1", Wish::hold);
  EXPECT_FALSE(one.until([](const LiveJob& job) { return job.attempts > 0; }));
  EXPECT_EQ(one.job().state, LiveState::held);
  one.schedule.cluster.wish_for("J1", Wish::release);
  EXPECT_TRUE(one.until(LiveState::done));
}

TEST(BatchDriver, NoMoreJobsAreOnTheClusterAtOnceThanAsked) {
  for (const std::size_t most : {1U, 2U}) {
    DriverOptions options;
    options.most_at_once = most;
    Schedule schedule(3, batch_of_jobs(5), std::vector<SimulatedJob>(5), {}, options);
    std::size_t peak = 0;
    while (!schedule.ended()) {
      schedule.step(ms(1'000));
      const auto& jobs = schedule.cluster.written().jobs;
      peak = std::max(
          peak, static_cast<std::size_t>(std::count_if(
                    jobs.begin(), jobs.end(), [](const LiveJob& job) { return has_begun(job.state); })));
    }
    EXPECT_EQ(peak, most);
  }
}

TEST(BatchDriver, NoMoreCommandsAreOnTheirWayThanAsked) {
  for (const std::size_t most : {1U, 3U}) {
    DriverOptions options;
    options.most_submitting = most;
    Schedule schedule(3, batch_of_jobs(6), std::vector<SimulatedJob>(6), {}, options);
    std::size_t peak = 0;
    while (!schedule.ended()) {
      schedule.step(ms(1'000));
      const auto& jobs = schedule.cluster.written().jobs;
      peak = std::max(
          peak, static_cast<std::size_t>(std::count_if(jobs.begin(), jobs.end(), [](const LiveJob& job) {
            return job.state == LiveState::submitting;
          })));
    }
    EXPECT_EQ(peak, most);
  }
}

TEST(BatchDriver, AJobWhoseClientIsAlwaysKilledFailsInTheEnd) {
  One one({.client_dies = 2});
  ASSERT_TRUE(one.until(LiveState::failed));
  EXPECT_EQ(one.job().attempts, 5);
  EXPECT_EQ(one.job().reason, "5 attempts: its command was lost before the cluster had it");
}

LiveBatch with_lengths(const std::vector<std::int64_t>& seconds) {
  LiveBatch batch = batch_of_jobs(seconds.size());
  for (std::size_t i = 0; i < seconds.size(); ++i) batch.jobs[i].maps = {1, ms(1'000 * seconds[i])};
  return batch;
}

TEST(BatchDriver, RoundsOfTheDispatchingQueueDecideTheOrder) {
  LiveBatch batch = with_lengths({30, 10, 20, 5, 40});
  batch.ordering = {.when = "pnj(3, at_latest=1h)", .mode = OrderingMode::alg, .pool = {1, 1}};
  batch.jobs[3].not_before = batch.jobs[4].not_before = at_ms(1'700'000'000'000 + 1'000'000 + 600'000);
  Schedule schedule(7, batch, std::vector<SimulatedJob>(5), {});
  ASSERT_EQ(schedule.run(ms(0), ms(1'000)), "");
  // The first three make a round, the shortest first. The last two wait for a third until `at_latest`.
  EXPECT_THAT(schedule.cluster.accepted(), ElementsAre("J2", "J3", "J1", "J4", "J5"));
  const auto& jobs = schedule.cluster.written().jobs;
  EXPECT_LT(*jobs[0].submitting_since, at_ms(1'700'001'120'000));
  EXPECT_GE(*jobs[3].submitting_since, at_ms(1'700'001'000'000 + 600'000 + 3'600'000));
}

TEST(BatchDriver, AJobHeldInTheQueueIsNotInItsRound) {
  LiveBatch batch = with_lengths({30, 10, 20});
  batch.ordering = {.when = "tp-fti(60s)", .mode = OrderingMode::alg, .pool = {1, 1}};
  Schedule schedule(7, batch, std::vector<SimulatedJob>(3), {});
  schedule.step(ms(1'000));
  EXPECT_EQ(schedule.cluster.written().jobs[1].attempts, 0) << "no round before a minute has passed";
  schedule.cluster.wish_for("J2", Wish::hold);
  ASSERT_EQ(schedule.run(ms(600'000), ms(1'000)), "");
  EXPECT_THAT(schedule.cluster.accepted(), ElementsAre("J3", "J1", "J2"));
}

TEST(BatchDriver, AJobThatIsAddedRunsToo) {
  Schedule schedule(5, batch_of_jobs(2), std::vector<SimulatedJob>(2), {});
  LiveJob more = batch_of_jobs(3).jobs[2];
  more.after = {"J2"};
  schedule.late = {{ms(5'000), more, {}}};
  ASSERT_EQ(schedule.run(ms(600'000), ms(1'000)), "");
  EXPECT_THAT(schedule.cluster.accepted(), ElementsAre("J1", "J2", "J3"));
  EXPECT_TRUE(std::any_of(schedule.cluster.log().begin(), schedule.cluster.log().end(),
                          [](const LiveEvent& event) { return event.what == "Added" && event.job == "J3"; }));
}

TEST(BatchDriver, ClusterRestartsFailNoJob) {
  int again = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Schedule schedule(seed, batch_of_jobs(3), std::vector<SimulatedJob>(3), {.restart = 0.02});
    ASSERT_EQ(schedule.run(ms(3'600'000), ms(1'000)), "");
    for (const LiveJob& job : schedule.cluster.written().jobs) {
      EXPECT_EQ(job.state, LiveState::done) << job.reason;
      again += job.attempts > 1;
    }
  }
  EXPECT_GT(again, 0) << "a command that met no cluster is started again";
}

// Each thing that schedules try happens in some of them.
TEST(BatchDriver, SchedulesReachEveryEnd) {
  std::map<std::string, int> told;
  int again = 0;
  for (std::uint64_t seed = 1; seed <= 1'000; ++seed) {
    const RandomSchedule made(seed);
    Schedule schedule(seed, made.batch, made.jobs, made.faults, made.options);
    schedule.late = made.late;
    ASSERT_EQ(schedule.run(made.faults_for, made.every), "");
    for (const LiveEvent& event : schedule.cluster.log()) ++told[event.what];
    for (const LiveJob& job : schedule.cluster.written().jobs) again += job.attempts > 1;
  }
  for (const char* what : {"Added", "Submitting", "Accepted", "Running", "Again", "Held", "Released",
                           "Cancelling", "Done", "Failed", "Cancelled", "Unknown"})
    EXPECT_GT(told[what], 4) << what;
  EXPECT_GT(again, 50);
}

}  // namespace
}  // namespace wavewright
