// The driver under random schedules of faults: crashes, lost answers, restarts, jumps of the clock, full
// disks.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <map>
#include <string>

#include "tests/live/schedule.h"
#include "tests/property.h"

namespace wavewright {
namespace {

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

  // Requests that are late, and ResourceManagers that come and go, as often as they can: races that are rare
  // else.
  void keep_the_network_only() {
    faults = {.crash = 0.02, .client_dies = 0.15, .restart = 0.03, .slow_answer = faults.slow_answer};
    faults.slow_request = 0.9;
    faults.fails_over = 0.03;
    faults.stale = 0.8;
    faults.cut_off = 0.01;
    faults.stays_dead = 0.7;
    faults.resent = 0.8;
  }

  explicit RandomSchedule(std::uint64_t seed) {
    Random random(seed, "schedule");
    batch = batch_of_jobs(1 + random.below(6));
    const auto some = [&](double most) { return random.below(3) == 0 ? random.uniform(0, most) : 0; };
    for (std::size_t i = 0; i < batch.jobs.size(); ++i) {
      LiveJob& job = batch.jobs[i];
      SimulatedJob own;
      own.applications = random.below(4) == 0 ? 2 : random.below(8) == 0 ? 0 : 1;
      job.many_applications = own.applications > 1;
      own.detached = own.applications == 1 && random.below(5) == 0;
      own.length = ms(random.integer(1'000, 60'000));
      own.command_hangs = random.below(40) == 0;
      own.application_hangs = own.applications > 0 && random.below(40) == 0;
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
    faults.disk_full = some(0.01);
    faults.fails_over = some(0.03);
    faults.stale = some(0.9);
    faults.resent = some(0.9);
    faults.cut_off = some(0.02);
    faults.stays_dead = some(0.5);
    if (random.below(4) == 0) keep_the_network_only();
    options.most_at_once = random.below(3);
    options.patience = ms(random.below(2) == 0 ? 5'000 : 120'000);
    options.most_submitting = 1 + random.below(3);
    options.most_attempts = static_cast<int>(random.integer(1, 5));
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

// WAVEWRIGHT_SCHEDULES: up to which; WAVEWRIGHT_SCHEDULES_FROM: from which on, to go on with a run that was
// stopped; WAVEWRIGHT_SCHEDULE: this one only.
std::uint64_t number_from(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

TEST(Schedules, EachJobRunsOnceWhateverFails) {
  const std::uint64_t only = number_from("WAVEWRIGHT_SCHEDULE", 0);
  if (only > 0) {
    EXPECT_EQ(violation_of(only, true), "");
    return;
  }
  const std::uint64_t count = number_from("WAVEWRIGHT_SCHEDULES", static_cast<std::uint64_t>(sized(10'000)));
  for (std::uint64_t seed = number_from("WAVEWRIGHT_SCHEDULES_FROM", 1); seed <= count; ++seed) {
    ASSERT_EQ(violation_of(seed, true), "") << "again with WAVEWRIGHT_SCHEDULE=" << seed;
  }
}

// So a failing one can be looked at again.
TEST(Schedules, ASeedReplaysExactly) {
  const auto log_of = [](std::uint64_t seed) {
    const RandomSchedule made(seed);
    Schedule schedule(seed, made.batch, made.jobs, made.faults, made.options);
    schedule.late = made.late;
    EXPECT_EQ(schedule.run(made.faults_for, made.every), "");
    return log_text(schedule.cluster) + std::to_string(schedule.cluster.writes());
  };
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const std::string log = log_of(seed);
    ASSERT_EQ(log_of(seed), log) << seed;
    ASSERT_NE(log_of(seed + 1), log) << seed;
  }
}

// Each thing that schedules try happens in some of them.
TEST(Schedules, SchedulesReachEveryEnd) {
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
  for (const char* what : {"Added", "Submitting", "NotStarted", "Accepted", "Running", "Again", "Held",
                           "Released", "Cancelling", "Late", "Done", "Failed", "Cancelled", "Unknown", "Led",
                           "Away", "Back", "ClusterRestarted", "ClockJumped"})
    EXPECT_GT(told[what], 4) << what;
  EXPECT_GT(again, 50);
}

}  // namespace
}  // namespace wavewright
