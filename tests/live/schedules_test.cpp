// The driver under random schedules of faults: crashes, lost answers, what comes twice, restarts, jumps of
// the clock, full disks; and of running jobs that drift. Some jobs have promised deadlines: the driver and
// the look at risks are the real ones; the daemon's threads and HTTP, its watch of the nodes and the plug-in
// are not there.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "tests/live/schedule.h"
#include "tests/live/stored_journal.h"
#include "tests/live/yarn_texts.h"
#include "tests/property.h"
#include "tests/temporary_folder.h"
#include "wavewright/live/promise/promises.h"

namespace wavewright {
namespace {

struct RandomSchedule {
  LiveBatch batch;
  std::vector<SimulatedJob> jobs;
  LiveFaults faults;
  DriverOptions options;
  std::vector<Schedule::Late> late;
  Duration faults_for{}, every{};
  double drifts = 0;

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

  // The next ones draw from streams of their own: else every seed would be another schedule.
  void let_things_come_twice(std::uint64_t seed) {
    Random random(seed, "what comes twice in a schedule");
    if (random.below(3) == 0) faults.doubled = random.uniform(0, 0.9);
    if (random.below(3) == 0) faults.late_mark = random.uniform(0, 0.5);
    if (random.below(3) == 0) faults.history_unread = random.uniform(0, 0.95);
  }

  // Likewise. Where applications of others end all the time, the ResourceManager lists few, and the history
  // is asked for the rest.
  void break_the_history(std::uint64_t seed) {
    Random random(seed, "a history that cannot load all");
    if (random.below(3) > 0) return;
    faults.history_broken = random.uniform(0, 0.9);
    if (random.below(2) == 0) return;
    faults.kept = random.integer(1, 3);
    faults.others_end = random.uniform(0.2, 1);
  }

  // Likewise, where YARN's lists of who may do what are otherwise than they should be, for a while.
  void refuse_kills(std::uint64_t seed) {
    Random random(seed, "kills that are refused in a schedule");
    if (random.below(3) == 0) faults.kill_refused = random.uniform(0, 0.9);
  }

  // As a daemon does, which submits one after another and has neither a dispatching queue nor a limit.
  void promise_some(std::uint64_t seed) {
    Random random(seed, "promises of a schedule");
    if (batch.ordering || options.most_at_once > 0 || random.below(2) == 0) return;
    LiveBatch promised;
    std::int64_t before = 0;
    const auto ask = [&](LiveJob& job, SimulatedJob& own, Duration since) {
      const Time now = at_ms(1'700'001'000'000) + since;
      const bool may = own.applications == 1 && job.after.empty() && job.not_before <= now;
      if (!may || random.below(3) == 0) return;
      own.maps = 1;
      own.map_length = ms(random.integer(1'000, 60'000));
      job.bounds = TaskBounds{1, 0, own.map_length + ms(random.integer(0, 20'000)), Duration{}};
      const Time from = now + ms(++before * 16'000 + 20'000);  // commands before it, and its master
      job.deadline = from + job.bounds->map + ms(random.integer(0, 60'000));
      job.promise = DeadlinePromise{from, {}, "max"};
      if (ask_for_promise(promised, {}, SimulatedCluster::promise_rules(), job, now)) {
        job.promise.reset();
      } else {
        promised.jobs.push_back(job);
      }
    };
    for (std::size_t i = 0; i < batch.jobs.size(); ++i) ask(batch.jobs[i], jobs[i], Duration{});
    for (Schedule::Late& each : late) ask(each.job, each.what, each.at);
  }

  // Profiles, which jobs share, and lengths of tasks that a drift changes exactly (Schedule::wrong_drift).
  static void may_drift(LiveJob& job, Random& random) {
    static constexpr std::array profiles = {"", "etl", "report"};
    job.profile = profiles[random.below(profiles.size())];
    for (StageWork* const work : {&job.maps, &job.reduces}) work->mean -= ms(work->mean.count() % 4);
  }

  // Some of these batches have the order of a plan, which is then made anew. A daemon with promises has none.
  void let_jobs_drift(std::uint64_t seed) {
    Random random(seed, "drift in a schedule");
    if (random.below(4) > 0) return;
    drifts = random.uniform(0, 0.1);
    bool promised = false;
    for (LiveJob& job : batch.jobs) {
      may_drift(job, random);
      promised |= job.promise.has_value();
    }
    for (Schedule::Late& each : late) {
      may_drift(each.job, random);
      promised |= each.job.promise.has_value();
    }
    if (batch.ordering || promised || random.below(3) == 0) return;
    batch.ordering = some_ordering(random);
    batch.ordering->when = when_drifted;
    std::int64_t rank = 0;
    for (LiveJob& job : batch.jobs) {
      job.target = LiveTarget{rank, 100 - rank};
      ++rank;
    }
  }

  // Some jobs do not say that they start several applications. Where their command may live on another
  // machine, nobody can tell then whether more is to come.
  void keep_some_quiet(std::uint64_t seed) {
    Random random(seed, "what jobs say in a schedule");
    if (faults.moves > 0) return;
    for (LiveJob& job : batch.jobs) job.many_applications &= random.below(2) == 0;
    for (Schedule::Late& each : late) each.job.many_applications &= random.below(2) == 0;
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
      late.insert(late.begin(), {ms(random.integer(0, 300'000)), std::move(batch.jobs.back()), jobs.back()});
      batch.jobs.pop_back();
      jobs.pop_back();
    }
    // Each is added behind those before it.
    for (std::size_t i = 1; i < late.size(); ++i) late[i].at = std::max(late[i].at, late[i - 1].at);
    faults_for = ms(random.integer(30'000, 900'000));
    every = ms(random.integer(500, 5'000));
    let_things_come_twice(seed);
    break_the_history(seed);
    refuse_kills(seed);
    promise_some(seed);
    let_jobs_drift(seed);
    keep_some_quiet(seed);
  }
};

std::string violation_of(std::uint64_t seed, bool with_log = false) {
  const RandomSchedule made(seed);
  Schedule schedule(seed, made.batch, made.jobs, made.faults, made.options);
  schedule.late = made.late;
  schedule.drifts = made.drifts;
  std::string violation = schedule.run(made.faults_for, made.every);
  if (with_log && !violation.empty()) violation += "\n" + log_text(schedule.cluster);
  return violation;
}

// WAVEWRIGHT_SCHEDULES: up to which; WAVEWRIGHT_SCHEDULES_FROM: from which on, to go on with a run that was
// stopped; WAVEWRIGHT_SCHEDULE: this one only. WAVEWRIGHT_READ_SCHEDULES and WAVEWRIGHT_STORED_SCHEDULES are
// of the two other tests with seeds, likewise with _FROM.
std::uint64_t number_from(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// The seeds that a variable asks for, first and last.
struct Seeds {
  std::uint64_t first = 1, last = 0;

  Seeds(const std::string& variable, int otherwise)
      : first(number_from((variable + "_FROM").c_str(), 1)),
        last(number_from(variable.c_str(), static_cast<std::uint64_t>(otherwise))) {}
  [[nodiscard]] std::uint64_t count() const { return last + 1 - std::min(first, last + 1); }
};

// For googletest's report, of which tools/schedules makes a page: so many schedules ran.
void record_schedules(std::uint64_t count) {
  testing::Test::RecordProperty("schedules", std::to_string(count));
}

TEST(Schedules, EachJobRunsOnceWhateverFails) {
  const std::uint64_t only = number_from("WAVEWRIGHT_SCHEDULE", 0);
  if (only > 0) {
    EXPECT_EQ(violation_of(only, true), "");
    return;
  }
  const Seeds seeds("WAVEWRIGHT_SCHEDULES", fewer(10'000, 1'000));
  for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed)
    ASSERT_EQ(violation_of(seed, true), "") << "again with WAVEWRIGHT_SCHEDULE=" << seed;
  record_schedules(seeds.count());
}

// The same with what reads YARN's and the history's answers between driver and cluster. A ResourceManager
// either keeps its applications or forgets them at each restart, and one that forgets has no standby.
TEST(Schedules, EachJobRunsOnceAsYarnsAnswersAreRead) {
  const Seeds seeds("WAVEWRIGHT_READ_SCHEDULES", fewer(1'000, 150));
  std::uint64_t kept = 0, forgot = 0;
  for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) {
    RandomSchedule made(seed);
    const bool forgets = made.faults.forgets > 0;
    if (forgets) {
      made.faults.forgets = 1;
      made.faults.fails_over = 0;
    }
    ++(forgets ? forgot : kept);
    Schedule schedule(seed, made.batch, made.jobs, made.faults, made.options);
    schedule.late = made.late;
    schedule.drifts = made.drifts;
    schedule.through = [forgets](SimulatedCluster& cluster) {
      return std::make_unique<YarnTexts>(cluster, forgets);
    };
    const std::string violation = schedule.run(made.faults_for, made.every);
    ASSERT_EQ(violation, "") << seed << '\n' << log_text(schedule.cluster);
  }
  EXPECT_GT(kept, seeds.count() / 3);
  EXPECT_GT(forgot, seeds.count() / 8);
  record_schedules(kept + forgot);
}

// The same over the journal of a store, whose transactions break off in the middle, too. Each tenth schedule
// is in a file, which each program opens anew and closes when it dies.
TEST(Schedules, EachJobRunsOnceOverTheJournalOfAStore) {
  const TemporaryFolder folder;
  const std::string file = "sqlite:" + (folder.path() / "schedules.db").string();
  const auto opened = [](const std::string& url) {
    return std::make_shared<const Store>(Store::open(url, Store::Access::create));
  };
  const std::shared_ptr<const Store> in_memory = opened("sqlite::memory:"), of_users = opened(file);
  int torn = 0;
  const Seeds seeds("WAVEWRIGHT_STORED_SCHEDULES", sized(100));
  for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) {
    RandomSchedule made(seed);
    made.batch.name = fmt::format("night {}", seed);
    made.faults.torn = 0.1;
    Schedule schedule(seed, made.batch, made.jobs, made.faults, made.options);
    schedule.late = made.late;
    schedule.drifts = made.drifts;
    const bool in_file = seed % 10 == 0;
    const Store& store = in_file ? *of_users : *in_memory;
    keep_in(store, schedule.cluster);
    schedule.journals = [&](SimulatedCluster& cluster) {
      return std::make_unique<StoredJournal>(cluster, in_file ? opened(file) : in_memory);
    };
    const std::string violation = schedule.run(made.faults_for, made.every);
    ASSERT_EQ(violation, "") << seed << '\n' << log_text(schedule.cluster);
    ASSERT_EQ(difference(store, schedule.cluster), "") << seed;
    torn += schedule.cluster.torn();
  }
  EXPECT_GT(torn, rare(40));
  record_schedules(seeds.count());
}

// So a failing one can be looked at again.
TEST(Schedules, ASeedReplaysExactly) {
  const auto log_of = [](std::uint64_t seed) {
    const RandomSchedule made(seed);
    Schedule schedule(seed, made.batch, made.jobs, made.faults, made.options);
    schedule.late = made.late;
    schedule.drifts = made.drifts;
    EXPECT_EQ(schedule.run(made.faults_for, made.every), "");
    return log_text(schedule.cluster) + std::to_string(schedule.cluster.writes());
  };
  std::uint64_t ran = 0;
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(fewer(200, 50)); ++seed) {
    const std::string log = log_of(seed);
    ASSERT_EQ(log_of(seed), log) << seed;
    ASSERT_NE(log_of(seed + 1), log) << seed;
    ran += 3;
  }
  record_schedules(ran);
}

// Each thing that schedules try happens in some of them.
TEST(Schedules, SchedulesReachEveryEnd) {
  std::map<std::string, int> told;
  int again = 0, dropped = 0, kept = 0, foreseen = 0, drifted_promises = 0;
  constexpr std::uint64_t count = 1'000;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const RandomSchedule made(seed);
    Schedule schedule(seed, made.batch, made.jobs, made.faults, made.options);
    schedule.late = made.late;
    schedule.drifts = made.drifts;
    ASSERT_EQ(schedule.run(made.faults_for, made.every), "");
    std::set<std::string> at_risk;
    for (const LiveEvent& event : schedule.cluster.log()) {
      ++told[event.what];
      if (event.what == "PromiseAtRisk") at_risk.insert(event.job);
      foreseen += event.what == "Late" && at_risk.contains(event.job);
    }
    for (const LiveJob& job : schedule.cluster.written().jobs)
      kept += job.promise && job.state == LiveState::done && !job.late;
    for (const LiveJob& job : schedule.cluster.written().jobs)
      drifted_promises += job.promise && (job.map_drift || job.reduce_drift);
    dropped += schedule.cluster.dropped();
    for (const LiveJob& job : schedule.cluster.written().jobs) again += job.attempts > 1;
  }
  for (const char* what : {"Added", "Submitting", "NotStarted",       "Accepted",    "Running",
                           "Again", "Held",       "Released",         "Cancelling",  "Late",
                           "Done",  "Failed",     "Cancelled",        "Unknown",     "Led",
                           "Away",  "Back",       "ClusterRestarted", "ClockJumped", "PromiseAtRisk"})
    EXPECT_GT(told[what], 4) << what;
  EXPECT_GT(again, 50);
  EXPECT_GT(dropped, 50);
  EXPECT_GT(told["PromiseSafe"], 0);
  EXPECT_GT(told["Unanswered"], 4);
  EXPECT_GT(told["Answered"], 4);
  EXPECT_GT(told["NotKilled"], 0);
  EXPECT_GT(told["Drifted"], 50);
  EXPECT_GT(told["Replanned"], 0);
  EXPECT_GT(drifted_promises, 0);
  EXPECT_GT(kept, 4) << "promises";
  EXPECT_GT(foreseen, 4) << "missed ones that were told before";
  record_schedules(count);
}

TEST(DriverTwice, ASubmissionThatComesTwiceRunsOnce) {
  LiveFaults faults;
  faults.doubled = 1;
  int dropped = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Schedule schedule(seed, batch_of_jobs(3), std::vector<SimulatedJob>(3), faults);
    ASSERT_EQ(schedule.run(ms(3'600'000), ms(1'000)), "");
    for (const LiveJob& job : schedule.cluster.written().jobs) ASSERT_EQ(job.state, LiveState::done);
    dropped += schedule.cluster.dropped();
  }
  EXPECT_EQ(dropped, 150);
}

// A request to kill that comes seconds later, and again, ends the job once, whatever it meets.
TEST(DriverTwice, AKillThatComesLateAndTwiceCancelsAJobOnce) {
  LiveFaults faults;
  faults.doubled = 1;
  SimulatedJob endless;
  endless.application_hangs = true;
  One one(faults, endless);
  ASSERT_TRUE(one.until(LiveState::running));
  one.schedule.cluster.wish_for("J1", Wish::cancel);
  ASSERT_TRUE(one.until(LiveState::cancelled));
  for (int i = 0; i < 20; ++i) one.schedule.step(ms(1'000));
  one.schedule.cluster.check_end();
  EXPECT_EQ(one.schedule.cluster.violation(), "");
}

// The promise of a job of a minute, a hundred seconds from now.
Schedule promised_in_100_s() {
  LiveBatch batch = batch_of_jobs(1);
  const Time now = at_ms(1'700'001'000'000);
  batch.jobs[0].bounds = TaskBounds{1, 0, ms(60'000), Duration{}};
  batch.jobs[0].promise = DeadlinePromise{now + ms(30'000), now + ms(90'000), "max"};
  batch.jobs[0].deadline = now + ms(100'000);
  SimulatedJob own;
  own.maps = 1;
  own.map_length = ms(60'000);
  return {1, batch, {own}, {}};
}

TEST(DriverPromises, APromiseThatIsKeptIsNeverAtRisk) {
  Schedule schedule = promised_in_100_s();
  ASSERT_EQ(schedule.run(Duration{}, ms(500)), "");
  EXPECT_EQ(log_text(schedule.cluster).find("Promise"), std::string::npos);
  EXPECT_FALSE(schedule.cluster.written().jobs[0].late);
}

// The cluster gives no answer for a minute and a half, and each program lives for ten steps: a risk that one
// has told is in the journal, and no other tells it again.
TEST(DriverPromises, APromiseThatCannotBeKeptIsToldBeforeItsDeadlineAndOnce) {
  Schedule schedule = promised_in_100_s();
  schedule.cluster.take_away(ms(90'000), Duration{});
  for (int i = 1; i < 600 && !schedule.ended(); ++i) {
    schedule.step(ms(1'000));
    if (i % 10 == 0) schedule.end_program();
  }
  schedule.cluster.check_end();
  EXPECT_EQ(schedule.cluster.violation(), "");
  const LiveJob& job = schedule.cluster.written().jobs[0];
  EXPECT_EQ(job.state, LiveState::done);
  EXPECT_TRUE(job.late);
  std::vector<Time> told;
  for (const LiveEvent& event : schedule.cluster.log()) {
    if (event.what == "PromiseAtRisk" || event.what == "PromiseSafe") told.push_back(event.at);
  }
  ASSERT_EQ(told.size(), 1U);
  EXPECT_LT(told[0], *job.deadline - ms(30'000));
}

}  // namespace
}  // namespace wavewright
