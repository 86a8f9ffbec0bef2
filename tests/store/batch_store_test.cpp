// The queue of a live batch on every kind of database (live/batch/batch_store.h).
#include "wavewright/live/batch/batch_store.h"

#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/store/databases.h"
#include "wavewright/core/error.h"
#include "wavewright/live/batch/batch_archive.h"
#include "wavewright/live/batch/batch_rows.h"
#include "wavewright/store/database.h"

namespace wavewright {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class BatchStores : public DatabaseTest {
 protected:
  [[nodiscard]] LiveBatch nightly() const {
    LiveBatch batch;
    batch.name = "Nightly, 1st 'run'";
    batch.tag = "wavewright-nightly";
    batch.began = at_ms(1'790'000'000'000);
    batch.submissions = "/var/lib/x";
    batch.directory = "/home/ada";
    batch.endless = true;
    batch.ordering = {"tp-ati(10s)", Objective::max_lateness, OrderingMode::alg, 5, {40, 20}};
    for (int i = 0; i < 12; ++i) {
      LiveJob job;
      job.id = fmt::format("job {}", i);
      job.tag = fmt::format("tag-{}", i);
      job.command = {"sh", "-c", "echo \"$1\"; \xc3\xa9", ""};
      if (i > 0) job.after = {"job 0"};
      job.not_before = at_ms(1'790'000'000'000 + i);
      job.many_applications = i % 2 == 1;
      if (i == 3) job.directory = "/home/ada/it's";
      job.maps = {i, ms(1'000 * i)};
      job.reduces = {2, ms(7)};
      if (i == 4) job.deadline = at_ms(1'790'000'600'000);
      job.weight = 0.5 + i;
      job.memory = {Bytes{384 << 20}, std::nullopt, Bytes{(256 + i) << 20}};
      if (i == 6) job.target = {7, 8, 2, {}};
      if (i == 7) job.target = {0, 1, {}, 0};
      if (i == 5) {
        job.expected_start = at_ms(1'790'000'000'500);
        job.expected_end = at_ms(1'790'000'009'500);
      }
      if (i == 8) job.bounds = TaskBounds{800, 40, ms(61'000), ms(7)};
      if (i == 9)
        job.promise = DeadlinePromise{at_ms(1'790'000'020'000), at_ms(1'790'000'500'000), "p90", true};
      batch.jobs.push_back(job);
    }
    return batch;
  }
};

TEST_P(BatchStores, ABatchComesBackAsItWasWritten) {
  const Store store = this->store();
  const BatchStore batches(store);
  EXPECT_FALSE(batches.read("Nightly, 1st 'run'"));
  batches.create(nightly());
  EXPECT_EQ(batches.read("Nightly, 1st 'run'"), nightly());
  EXPECT_THAT(batches.names(), ElementsAre("Nightly, 1st 'run'"));
  EXPECT_THROW(batches.create(nightly()), UsageError);

  const auto journal = batches.journal("Nightly, 1st 'run'");
  LiveBatch batch = journal->lead();
  EXPECT_EQ(batch, nightly());
  LiveJob& job = batch.jobs[10];
  job.state = LiveState::running;
  job.attempts = 2;
  job.lost_attempts = 1;
  job.cluster_away = job.cancel = job.late = job.unread = job.unkilled = true;
  job.mark = {1'790'000'000'001, 17, 1'000, 1'790'000'000'002, 16};
  job.submitting_since = at_ms(1);
  job.accepted_at = at_ms(2);
  job.started_at = at_ms(3);
  job.ended_at = at_ms(4);
  job.applications = {"application_1_0001", "application_1_0002"};
  job.placed_queue = "root.etl";
  job.master_node = "n7:8042";
  job.reason = "bytes that are no text: \xff, and 'quotes'";
  const LiveEvent event{at_ms(5), "job 10", "Running", "it's"};
  journal->write({{job}, {event, event}, {}});
  journal->write({{}, {event}, {}});
  job.reason = "bytes that are no text: \xef\xbf\xbd, and 'quotes'";
  EXPECT_EQ(batches.read("Nightly, 1st 'run'"), batch);
  EXPECT_THAT(batches.events("Nightly, 1st 'run'"), ElementsAre(event, event, event));
}

TEST_P(BatchStores, APlannerThatOrdersTheQueueComesBack) {
  const Store store = this->store();
  const BatchStore batches(store);
  LiveBatch batch = nightly();
  batch.ordering = LiveOrdering{.when = "pnj(5)",
                                .objective = Objective::makespan,
                                .pool = {4, 2},
                                .planned = PlannedBy{"genetic(population=20)", 300, 7}};
  batches.create(batch);
  EXPECT_EQ(batches.read(batch.name), batch);
}

// It is written in parts: what rounds gave, one after another, and all of it anew.
TEST_P(BatchStores, TheRoundOfADispatchingQueueComesBack) {
  const Store store = this->store();
  const BatchStore batches(store);
  LiveBatch batch = nightly();
  batches.create(batch);
  const auto journal = batches.journal(batch.name);
  EXPECT_EQ(journal->lead().round, std::nullopt);
  const auto write = [&](Journal& to, const RoundEntry& entry) {
    to.write({.jobs = {}, .events = {}, .granted = {}, .round = entry});
    put(entry, batch.round);
    EXPECT_EQ(batches.read(batch.name), batch);
  };
  write(*journal, {.began = at_ms(1'790'000'000'000)});
  write(*journal,
        {.began = at_ms(5), .work = ms(0), .due = at_ms(7), .order = {"job 3", "it's", "\xc3\xa9"}});
  write(*journal, {.began = at_ms(6), .work = ms(1'000), .order = {"job 1"}});
  EXPECT_THAT(batch.round->order, ElementsAre("job 3", "it's", "\xc3\xa9", "job 1"));
  const auto next = batches.journal(batch.name);
  EXPECT_EQ(next->lead(), batch);
  write(*next, {.began = at_ms(8), .order = {"job 2"}});
  EXPECT_THROW(journal->write({.jobs = {}, .events = {}, .granted = {}, .round = RoundEntry{}}), LeadLost);
  write(*next, {.began = at_ms(9), .anew = true, .order = {"job 2", "job 5"}});
  write(*next, {.began = at_ms(9), .due = at_ms(10), .order = {"job 6"}});
  write(*next, {.began = at_ms(9), .anew = true});
  write(*next, {.began = at_ms(9), .order = {"job 7"}});

  for (const char* damaged : {"{", "7", "[7]", ""}) {
    execute(fmt::format("update wavewright_batch_order set ids = '{}'", damaged));
    EXPECT_THROW((void)batches.read(batch.name), InputError) << damaged;
  }
  batches.forget(batch.name);
  batches.create(nightly());
  EXPECT_EQ(batches.read(batch.name), nightly()) << "a batch of the same name begins anew";
}

TEST(BatchRows, AnOrderingByAMethodThatIsNoneIsDamaged) {
  LiveOrdering ordering{.when = "pnj(5)", .pool = {4, 2}, .planned = PlannedBy{"johnson", 0, 7}};
  EXPECT_EQ(stored_ordering(stored_text(ordering), "night.db"), ordering);
  for (const char* const method : {"jonson", "balanced-pools", "sim"}) {
    ordering.planned->method = method;
    EXPECT_THROW((void)stored_ordering(stored_text(ordering), "night.db"), InputError) << method;
  }
}

TEST_P(BatchStores, JobsAreAddedAllOrNone) {
  const Store store = this->store();
  const Store other_store = this->store();
  const BatchStore batches(store);
  batches.create(nightly());
  const auto journal = batches.journal("Nightly, 1st 'run'");
  LiveBatch batch = journal->lead();
  journal->write({{}, {{at_ms(1), "job 0", "Submitting", ""}, {at_ms(2), "job 0", "Accepted", ""}}, {}});
  EXPECT_THAT(journal->added(12), IsEmpty());
  LiveJob more = batch.jobs[3];
  more.id = "job 12";
  LiveJob last = more;
  last.id = "job 13";
  const BatchStore other(other_store);
  EXPECT_THROW(other.add("Nightly, 1st 'run'", {more, batch.jobs[0]}, at_ms(3)), UsageError);
  EXPECT_THROW(other.add("Nightly, 1st 'run'", {more, more}, at_ms(3)), UsageError);
  EXPECT_THROW(other.add("another", {more}, at_ms(3)), UsageError);
  // Whoever plans on what it leads adds only while it does.
  EXPECT_THROW(other.add("Nightly, 1st 'run'", {more}, at_ms(3), "another program"), ExternalError);
  EXPECT_EQ(batches.read("Nightly, 1st 'run'"), nightly());
  other.add("Nightly, 1st 'run'", {more, last}, at_ms(3), other.lead_of("Nightly, 1st 'run'").program);
  EXPECT_THAT(journal->added(12), ElementsAre(more, last));
  EXPECT_THAT(journal->added(13), ElementsAre(last));
  // Whoever leads writes them as it does the others, and its events stand behind.
  more.state = LiveState::running;
  journal->write({{more}, {{at_ms(4), "job 12", "Running", ""}}, {}});
  other.add("Nightly, 1st 'run'", {}, at_ms(5));
  batch.jobs.push_back(more);
  batch.jobs.push_back(last);
  EXPECT_EQ(batches.read("Nightly, 1st 'run'"), batch);
  std::vector<std::string> told;
  for (const LiveEvent& event : batches.events("Nightly, 1st 'run'"))
    told.push_back(event.what + " " + event.job);
  EXPECT_THAT(told, ElementsAre("Submitting job 0", "Accepted job 0", "Added job 12", "Added job 13",
                                "Running job 12"));
}

TEST_P(BatchStores, JobsThatLeaveAreInTheArchiveForEver) {
  const Store store = this->store();
  const Store other_store = this->store();
  const BatchStore batches(store);
  const std::string name = "Nightly, 1st 'run'";
  batches.create(nightly());
  const auto journal = batches.journal(name);
  LiveBatch batch = journal->lead();
  JournalEntry ends, leave;
  for (const std::size_t i : {0U, 2U, 3U, 11U}) {
    LiveJob& job = batch.jobs[i];
    job.state = i == 2 ? LiveState::failed : LiveState::done;
    job.ended_at = at_ms(1'790'000'000'000 + static_cast<std::int64_t>(i % 3));  // 0 and 3 at once
    ends.jobs.push_back(job);
    leave.archived.push_back(job);
  }
  journal->write(ends);
  journal->write(leave);
  EXPECT_EQ(batches.read(name)->jobs.size(), 8U);
  EXPECT_EQ(batches.read(name)->added, 12);

  const BatchArchive archive(other_store, name);
  EXPECT_EQ(archive.find("job 3"), batch.jobs[3]);
  EXPECT_EQ(archive.find("job 1"), std::nullopt);
  EXPECT_EQ(BatchArchive(store, "another").find("job 3"), std::nullopt);
  std::vector<LiveJob> seen;
  EndedQuestion question{.limit = 1};
  for (bool more = true; more;) {
    const JobPage page = ended_page({}, archive.jobs(question), question.limit);
    seen.insert(seen.end(), page.jobs.begin(), page.jobs.end());
    question.behind = ended_place(seen.back());
    more = page.more;
  }
  EXPECT_EQ(seen, ended_page({}, leave.archived, 10).jobs);
  EXPECT_THAT(archive.jobs({.state = LiveState::failed}), ElementsAre(batch.jobs[2]));
  EXPECT_THAT(archive.jobs({.state = LiveState::cancelled}), IsEmpty());
  EXPECT_EQ(archive.jobs({.behind = ended_place(seen[1]), .state = LiveState::done}).size(), 2U);

  // Its id is never free again, and what is added later has a number of its own.
  LiveJob more = batch.jobs[1];
  more.id = "job 3";
  EXPECT_THROW(batches.add(name, {more}, at_ms(3)), UsageError);
  more.id = "job 12";
  batches.add(name, {more}, at_ms(3));
  EXPECT_THAT(journal->added(12), ElementsAre(more));
  more.state = LiveState::running;
  journal->write({{more}, {}, {}});
  const auto next = BatchStore(other_store).journal(name);
  const LiveBatch led = next->lead();
  EXPECT_EQ(led.added, 13);
  EXPECT_EQ(led.jobs.back(), more);
  LiveJob first = led.jobs.front();
  first.state = LiveState::held;
  next->write({{first}, {}, {}});
  EXPECT_EQ(batches.read(name)->jobs.front(), first);
  EXPECT_THROW(journal->write({{}, {}, {}, {first}}), LeadLost);
  EXPECT_EQ(batches.read(name)->jobs.size(), 9U);
}

TEST_P(BatchStores, TheLogIsReadFromEitherEnd) {
  const Store store = this->store();
  const BatchStore batches(store);
  const std::string name = "Nightly, 1st 'run'";
  batches.create(nightly());
  EXPECT_EQ(batches.count_events(name), 0);
  const auto journal = batches.journal(name);
  LiveBatch batch = journal->lead();
  std::vector<LiveEvent> all;
  for (int i = 0; i < 7; ++i) {
    all.push_back({at_ms(i), fmt::format("job {}", i), "Running", ""});
    journal->write({{}, {all.back()}, {}});
  }
  LiveJob more = batch.jobs[1];
  more.id = "job 12";
  batches.add(name, {more}, at_ms(8));
  all.push_back({at_ms(8), "job 12", "Added", ""});
  EXPECT_EQ(batches.count_events(name), 8);
  for (std::int64_t behind = 0; behind <= 9; ++behind) {
    for (std::int64_t at_most = 0; at_most <= 9; ++at_most) {
      const std::int64_t from = std::min<std::int64_t>(behind, 8),
                         to = std::min<std::int64_t>(from + at_most, 8);
      EXPECT_EQ(batches.events(name, behind, at_most),
                std::vector<LiveEvent>(all.begin() + from, all.begin() + to))
          << behind << ", " << at_most;
    }
  }
  EXPECT_EQ(batches.events(name), all);
}

TEST_P(BatchStores, ADamagedOrderingIsSaidToBe) {
  const Store store = this->store();
  const BatchStore batches(store);
  batches.create(nightly());
  for (const char* damaged : {"{", "[]", "{\"when\":7}", ""}) {
    execute(fmt::format("update wavewright_batch set ordering = '{}'", damaged));
    EXPECT_THROW((void)batches.read("Nightly, 1st 'run'"), InputError) << damaged;
  }
  execute("update wavewright_batch set ordering = 'null'");
  EXPECT_EQ(batches.read("Nightly, 1st 'run'")->ordering, std::nullopt);
}

// A daemon outlives a server that is started again.
TEST_P(BatchStores, AServerThatIsStartedAgainIsUsedAgain) {
  if (GetParam() == Backend::sqlite) return;
  const Store store = this->store();
  const BatchStore batches(store);
  batches.create(nightly());
  const auto journal = batches.journal("Nightly, 1st 'run'");
  const LiveBatch batch = journal->lead();
  // In order, so that what was written is there again: MariaDB asks for SIGTERM, PostgreSQL for SIGINT.
  const int server = server_process(GetParam());
  ::kill(server, GetParam() == Backend::mariadb ? SIGTERM : SIGINT);
  siginfo_t end{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(server), &end, WEXITED | WNOWAIT), 0);
  for (int i = 0; i < 3; ++i) EXPECT_THROW(journal->beat(), ExternalError);
  (void)empty_database(GetParam(), folder_);  // starts it
  EXPECT_NO_THROW(journal->beat());
  EXPECT_EQ(batches.read("Nightly, 1st 'run'"), batch);
}

TEST_P(BatchStores, WhoeverLedBeforeWritesNothing) {
  const Store store = this->store();
  const Store other_store = this->store();
  const BatchStore batches(store);
  batches.create(nightly());
  const auto first = batches.journal("Nightly, 1st 'run'");
  const auto second = BatchStore(other_store).journal("Nightly, 1st 'run'");
  LiveJob job = first->lead().jobs[3];
  EXPECT_EQ(second->lead(), nightly());
  job.state = LiveState::submitting;
  EXPECT_THROW(first->write({{job}, {{at_ms(1), job.id, "Submitting", ""}}, {}}), LeadLost);
  EXPECT_EQ(batches.read("Nightly, 1st 'run'"), nightly());
  EXPECT_THAT(batches.events("Nightly, 1st 'run'"), IsEmpty());
  second->write({{job}, {}, {}});
  EXPECT_EQ(batches.read("Nightly, 1st 'run'")->jobs[3], job);
}

TEST_P(BatchStores, WishesStayUntilTheyAreGranted) {
  const Store store = this->store();
  const BatchStore batches(store);
  batches.create(nightly());
  const auto journal = batches.journal("Nightly, 1st 'run'");
  (void)journal->lead();
  batches.wish("Nightly, 1st 'run'", "job 1", Wish::cancel, at_ms(9));
  batches.wish("Nightly, 1st 'run'", "job 2", Wish::hold, at_ms(9));
  batches.wish("another", "job 2", Wish::hold, at_ms(9));
  std::vector<JobWish> wishes = journal->wishes();
  ASSERT_EQ(wishes.size(), 2U);
  EXPECT_EQ(wishes[0].job, "job 1");
  EXPECT_EQ(wishes[0].wish, Wish::cancel);
  EXPECT_EQ(wishes[1].wish, Wish::hold);
  journal->write({{}, {}, {wishes[0].key}});
  wishes = journal->wishes();
  ASSERT_EQ(wishes.size(), 1U);
  EXPECT_EQ(wishes[0].job, "job 2");
}

// A daemon that was stopped between two statements must not keep the next one from taking over.
TEST_P(BatchStores, AProgramThatWasStoppedInATransactionLosesIt) {
  if (GetParam() == Backend::sqlite) GTEST_SKIP() << "its lock ends with the process";
  const Store store = this->store(), other = this->store();
  const BatchStore batches(store);
  batches.create(nightly());
  const auto stopped = batches.journal("Nightly, 1st 'run'");
  (void)stopped->lead();
  using Clock = std::chrono::steady_clock;
  std::chrono::duration<double> waited{0};
  std::thread next;
  EXPECT_THROW(store.database().in_transaction([&](soci::session& session) {
    session << "update wavewright_batch set writes = writes + 1";
    next = std::thread([&] {
      const auto began = Clock::now();
      const auto leads = BatchStore(other).journal("Nightly, 1st 'run'");
      EXPECT_EQ(leads->lead().jobs.size(), 12U);
      waited = Clock::now() - began;
      leads->beat();
    });
    std::this_thread::sleep_for(std::chrono::seconds(Database::longest_idle_s + 4));
    session << "update wavewright_batch set writes = writes + 1";
    return 0;
  }),
               ExternalError);
  next.join();
  EXPECT_LT(waited.count(), Database::longest_idle_s + 2.0);
  EXPECT_THROW(stopped->beat(), LeadLost);  // by a new session
}

TEST_P(BatchStores, ADamagedJobIsSaidToBe) {
  const Store store = this->store();
  const BatchStore batches(store);
  batches.create(nightly());
  for (const char* damaged : {"{", "[]", "{\"id\":7}"}) {
    execute(fmt::format("update wavewright_batch_job set document = '{}' where job_id = 'job 4'", damaged));
    EXPECT_THROW((void)batches.read("Nightly, 1st 'run'"), InputError) << damaged;
  }
  EXPECT_THROW((void)batches.journal("no such batch")->lead(), UsageError);
}

INSTANTIATE_ON_EVERY_DATABASE(BatchStores);

}  // namespace
}  // namespace wavewright
