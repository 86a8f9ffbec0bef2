// Several copies of one job's history: the store keeps the fullest, in whatever order they come.
#include <set>

#include "tests/store/databases.h"
#include "tests/store/runs.h"
#include "wavewright/core/error.h"
#include "wavewright/history/sanity_checks.h"
#include "wavewright/store/maintain.h"
#include "wavewright/store/packed.h"
#include "wavewright/store/row.h"

namespace wavewright {
namespace {

using Copies = DatabaseTest;

JobRun from(JobRun run, const std::string& source) {
  run.source = source;
  return run;
}

// As an import leaves it.
JobRun checked(JobRun run) {
  repair_impossible(run, [](Diagnostic&&) {});
  return run;
}

struct Copy {
  std::string what;
  JobRun poorer;
};

// Copies of one history that a fault made worse, each by a little.
std::vector<Copy> worse_copies() {
  const JobRun good = plausible_run(1, 5, 0);
  std::vector<Copy> copies;
  const auto add = [&](const std::string& what, auto change) {
    JobRun copy = from(good, "/copy");
    change(copy);
    copies.push_back({what, checked(std::move(copy))});
  };
  add("submission that cannot be read", [](JobRun& run) { run.submit.reset(); });
  add("another digit in the submission", [](JobRun& run) { *run.submit += std::chrono::hours(300'000); });
  add("another digit in the launch", [](JobRun& run) { *run.launch -= std::chrono::hours(30'000); });
  add("finish that cannot be read", [](JobRun& run) { run.finish.reset(); });
  add("another digit in the number of maps", [](JobRun& run) { run.total_maps = 94; });
  add("a task lost", [](JobRun& run) { run.tasks.erase(run.tasks.begin() + 2); });
  add("the end of an attempt lost",
      [](JobRun& run) { run.tasks[1].attempts[0].state = AttemptState::unknown; });
  add("an attempt outside its job",
      [](JobRun& run) { *run.tasks[0].attempts[0].finish += std::chrono::hours(9); });
  add("a byte of the name", [](JobRun& run) { run.name = "Word\xef\xbf\xbdount"; });
  add("the name lost", [](JobRun& run) { run.name.clear(); });
  add("a node lost", [](JobRun& run) { run.tasks[3].attempts[0].node.clear(); });
  add("a volume lost", [](JobRun& run) { run.tasks[3].input.reset(); });
  add("a counter lost", [](JobRun& run) { run.counters.clear(); });
  add("the outcome lost", [](JobRun& run) { run.state = RunState::unknown; });
  add("the master lost", [](JobRun& run) { run.masters.clear(); });
  return copies;
}

TEST_P(Copies, TheFullerOneStaysInEitherOrder) {
  const JobRun good = checked(plausible_run(1, 5, 0));
  ASSERT_TRUE(good.quality_warnings.empty());
  const RunHeader expected = header_of(good);
  for (const Copy& copy : worse_copies()) {
    for (const bool good_first : {false, true}) {
      Store store = Store::open(empty_database(GetParam(), folder_), Store::Access::create);
      const auto first = good_first ? good : copy.poorer;
      const auto second = good_first ? copy.poorer : good;
      EXPECT_EQ(store.add(std::vector{first}).fresh, 1);
      const Store::Added added = store.add(std::vector{second});
      EXPECT_EQ(added.fresh, 0) << copy.what;
      EXPECT_EQ(added.known, good_first ? 1 : 0) << copy.what;
      const std::vector<RunHeader> left = store.headers({});
      ASSERT_EQ(left.size(), 1U) << copy.what;
      EXPECT_EQ(left[0], expected) << copy.what;
      EXPECT_EQ(store.run_count(), 1);
      EXPECT_TRUE(check_store(store).empty());
    }
    Store store = Store::open(empty_database(GetParam(), folder_), Store::Access::create);
    (void)store.add(std::vector{copy.poorer, good});
    EXPECT_EQ(store.headers({}), std::vector{expected}) << copy.what << ", in one batch";
    EXPECT_TRUE(check_store(store).empty());
  }
}

TEST_P(Copies, OfEquallyFullOnesTheFirstStaysUnlessItsFileChanged) {
  Store store = this->store();
  JobRun other = plausible_run(1, 5, 0);
  *other.tasks[0].attempts[0].finish += ms(1);
  (void)store.add(std::vector{plausible_run(1, 5, 0)});
  EXPECT_EQ(store.add(std::vector{from(other, "/copy")}).known, 1);
  EXPECT_EQ(store.add(std::vector{other}).updated, 1);
  EXPECT_EQ(store.runs({}).at(0).tasks[0].attempts[0].finish, other.tasks[0].attempts[0].finish);
  EXPECT_EQ(store.add(std::vector{other}).known, 1) << "and is known then";
}

TEST_P(Copies, ADamagedRowGivesWayToAnyCopy) {
  Store store = this->store();
  const std::vector<std::string> damages = {
      "update wavewright_tasks set tasks = 'x'",
      "delete from wavewright_tasks",
      "update wavewright_run set maps = 2147483647",
      "update wavewright_run set peak_maps = -1",
      "update wavewright_run set finish_ms = 9223372036854775807",
      "update wavewright_run set input_bytes = -1",
      "update wavewright_run set state = 'DONE'",
  };
  (void)store.add(std::vector{plausible_run(1, 5, 0)});
  for (const std::string& damage : damages) {
    execute(damage);
    EXPECT_EQ(store.add(std::vector{from(plausible_run(1, 5, 0), "/copy")}).updated, 1) << damage;
    EXPECT_TRUE(check_store(store).empty()) << damage;
    EXPECT_EQ(store.run_count(), 1);
  }
}

// Two jobs that an older version stored for one: whichever copy comes next leaves one of them.
TEST_P(Copies, ACopyJoinsWhatWasTakenForTwoJobs) {
  Store store = this->store();
  JobRun unreadable = from(plausible_run(1, 5, 0), "/copy");
  unreadable.submit.reset();
  (void)store.add(std::vector{plausible_run(2, 4, 1), unreadable});
  execute(
      "update wavewright_run set job_id = 'job_1700000000000_0001', id_key = 'job_1700000000000_0001', "
      "submit_ms = 1700001000000, launch_ms = 1700001005000 where job_id like '%_0002'");
  EXPECT_EQ(store.run_count(), 2);
  (void)store.add(std::vector{plausible_run(1, 5, 0)});
  EXPECT_EQ(store.headers({}).size(), 1U);
  EXPECT_EQ(store.run_count(), 1);
}

TEST_P(Copies, AnIdOfTwoJobTrackersIsOfTwoJobs) {
  // Both began in the same minute, and a job of each ended in the same millisecond.
  const JobRun one = checked(plausible_run(1, 5, 0));
  for (const auto instant : {&JobRun::submit, &JobRun::launch, &JobRun::finish}) {
    JobRun other = from(one, "/other");
    other.name = "another job";
    for (const auto each : {&JobRun::submit, &JobRun::launch, &JobRun::finish}) {
      if (each != instant) *(other.*each) += ms(17);
    }
    if (instant == &JobRun::submit) continue;  // a job's key in the store is its id and submission
    Store store = Store::open(empty_database(GetParam(), folder_), Store::Access::create);
    (void)store.add(std::vector{one, other});
    EXPECT_EQ(store.run_count(), 2);
    other.name = one.name;
    for (const auto each : {&JobRun::submit, &JobRun::launch, &JobRun::finish}) *(other.*each) += ms(1);
    (void)store.add(std::vector{other});
    EXPECT_EQ(store.run_count(), 3) << "no instant agrees";
  }
}

TEST_P(Copies, AnImpossibleNumberOfTasksIsNotStored) {
  Store store = this->store();
  for (const Count count : {Count{2'147'483'647}, Count{-7}}) {
    JobRun run = plausible_run(1, 1, 1);
    (count > 0 ? run.total_maps : run.total_reduces) = count;
    EXPECT_THROW((void)store.add(std::vector{plausible_run(2, 1, 1), run}), InputError);
    EXPECT_EQ(store.run_count(), 0);
  }
}

INSTANTIATE_ON_EVERY_DATABASE(Copies);

// A stored copy is compared with one that was just read: both must count the same.
TEST(Fullness, IsThatOfWhatTheStoreGivesBack) {
  std::set<std::int64_t> facts;
  for (const Copy& copy : worse_copies()) {
    const PackedRun packed = pack_run(copy.poorer);
    const JobRun back = unpacked("store", to_row(packed.header, packed.identity), packed.tasks);
    EXPECT_EQ(fullness_of(back).facts, packed.fullness.facts) << copy.what;
    EXPECT_EQ(fullness_of(back).faults, packed.fullness.faults) << copy.what;
    if (copy.poorer.state != RunState::succeeded) continue;  // the outcome decides before
    EXPECT_LT(packed.fullness, pack_run(plausible_run(1, 5, 0)).fullness) << copy.what;
    facts.insert(packed.fullness.facts);
  }
  EXPECT_GT(facts.size(), 5U);
}

}  // namespace
}  // namespace wavewright
