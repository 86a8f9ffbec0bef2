#include "wavewright/store/maintain.h"

#include "tests/store/databases.h"
#include "tests/store/runs.h"
#include "wavewright/core/error.h"
#include "wavewright/store/packed.h"
#include "wavewright/store/phases.h"

namespace wavewright {
namespace {

using Maintain = DatabaseTest;

std::vector<JobRun> some_runs(int count) {
  std::vector<JobRun> runs;
  for (int i = 0; i < count; ++i) runs.push_back(plausible_run(i, 3, 1));
  for (int i = 0; i < count; i += 3) runs[static_cast<std::size_t>(i)].name = "Grep";
  return runs;
}

// As an import does, with the files.
void fill(Store& store, int count) {
  std::vector<PackedRun> packed;
  std::vector<ImportedFile> files;
  for (const JobRun& run : some_runs(count)) {
    packed.push_back(pack_run(run));
    files.push_back({run.source, "7@1", 1, {}});
  }
  (void)store.add(packed, files);
}

TEST_P(Maintain, InfoCountsWhatIsThere) {
  Store store = this->store();
  EXPECT_EQ(info_of(store).runs, 0);
  EXPECT_FALSE(info_of(store).oldest);
  fill(store, 30);
  const StoreInfo info = info_of(store);
  EXPECT_EQ(info.backend, to_string(GetParam()));
  EXPECT_EQ(info.runs, 30);
  EXPECT_EQ(info.names, 2);
  EXPECT_EQ(info.files, 30);
  EXPECT_EQ(info.tasks, 120);
  EXPECT_GT(info.bytes.count, 10'000);
  EXPECT_GT(info.bytes_a_task(), 10);
  EXPECT_EQ(info.oldest, plausible_run(0, 1, 0).submit);
  EXPECT_EQ(info.newest, plausible_run(29, 1, 0).submit);
}

TEST_P(Maintain, InfoCountsTheTasksOfUnequalRuns) {
  Store store = this->store();
  (void)store.add(std::vector{plausible_run(1, 4, 2), plausible_run(2, 7, 1)});
  EXPECT_EQ(info_of(store).tasks, 14);
}

TEST_P(Maintain, CheckCountsTheCasesOfOneDamage) {
  Store store = this->store();
  fill(store, 12);
  execute("delete from wavewright_phases");
  ASSERT_EQ(check_store(store).size(), 1U);
  EXPECT_EQ(check_store(store)[0].cases, 12);
}

TEST_P(Maintain, ADryRunNamesTheDamagedAndLeavesThem) {
  Store store = this->store();
  fill(store, 12);
  execute("update wavewright_tasks set tasks = 'x' where identity like '%0004@%'");
  EXPECT_EQ(vacuum_store(store, {.damaged = true, .dry_run = true}).damaged_runs, 1);
  EXPECT_EQ(store.headers({}).size(), 12U);
}

TEST_P(Maintain, ACopyTakesWhatIsNewlyKnownOfAFile) {
  Store store = this->store();
  fill(store, 3);
  const Store copy = Store::open(empty_database(GetParam(), folder_), Store::Access::create);
  const std::atomic<bool> never = false;
  (void)copy_store(store, copy, never);
  const std::string source = plausible_run(1, 1, 0).source;
  (void)store.add({}, std::vector<ImportedFile>{{source, "8@1", 1, {}}});
  EXPECT_EQ(copy_store(store, copy, never).files, 1);
  EXPECT_TRUE(copy.unchanged(std::vector<ImportedFile>{{source, "8@1", 0, {}}})[0]);
}

TEST_P(Maintain, ASoundStoreHasNoDamage) {
  Store store = this->store();
  EXPECT_TRUE(check_store(store).empty());
  fill(store, 700);  // more than a page
  Count progress = 0;
  EXPECT_TRUE(check_store(store, [&](Count runs) { progress = runs; }).empty());
  EXPECT_EQ(progress, 700);
}

TEST_P(Maintain, CheckNamesEachKindOfDamage) {
  Store store = this->store();
  fill(store, 12);
  const auto finds = [&](const std::string& sql, const std::string& what) {
    execute(sql);
    std::string found;
    for (const Damage& damage : check_store(store)) {
      found += damage.what + "; ";
      EXPECT_FALSE(damage.remedy.empty());
      EXPECT_FALSE(damage.where.empty());
    }
    EXPECT_NE(found.find(what), std::string::npos) << found;
  };
  finds("update wavewright_count set runs = runs + 1 where kind = 'name' and value = 'Grep'",
        "a wrong count of runs by name");
  finds("update wavewright_run set killed_attempts = killed_attempts + 2 where job_id like '%0001'",
        "columns do not agree");
  finds("update wavewright_phases set phases = 'x' where identity like '%0002@%'",
        "phases that cannot be unpacked");
  finds("delete from wavewright_phases where identity like '%0003@%'", "without its phases");
  finds("update wavewright_tasks set tasks = 'x' where identity like '%0004@%'",
        "a run that cannot be unpacked");
  finds("delete from wavewright_tasks where identity like '%0005@%'", "without its tasks");
  finds("insert into wavewright_phases (identity, phases) values ('nobody', 'x')", "without its run");
}

// The time of a value's newest run follows the runs: a newer one raises it, one that goes lowers it.
TEST_P(Maintain, TheNewestRunOfAValueIsKeptUpToDate) {
  Store store = this->store();
  (void)store.add(std::vector{plausible_run(1, 1, 0)});
  JobRun running = plausible_run(2, 1, 0);
  running.state = RunState::running;
  (void)store.add(std::vector{running});
  EXPECT_TRUE(check_store(store).empty());
  JobRun ended = plausible_run(2, 1, 0);
  ended.submit = at_ms(to_ms(*ended.submit) - 60'000);  // told more exactly by its history
  EXPECT_EQ(store.add(std::vector{ended}).completed, 1);
  EXPECT_TRUE(check_store(store).empty());
  execute("update wavewright_count set newest_ms = newest_ms + 1 where kind = 'user'");
  ASSERT_EQ(check_store(store).size(), 1U);
  EXPECT_EQ(check_store(store)[0].what, "a wrong count of runs by user");
}

TEST_P(Maintain, VacuumMendsWhatFollowsAndRemovesTheDamagedWhenAsked) {
  Store store = this->store();
  fill(store, 12);
  execute("update wavewright_count set runs = 99 where kind = 'name' and value = 'Grep'");
  execute("update wavewright_phases set phases = 'x' where identity like '%0002@%'");
  execute("insert into wavewright_phases (identity, phases) values ('nobody', 'x')");
  execute("update wavewright_tasks set tasks = 'x' where identity like '%0004@%'");
  EXPECT_EQ(vacuum_store(store, {}).orphans, 1);
  ASSERT_EQ(check_store(store).size(), 1U);
  EXPECT_EQ(vacuum_store(store, {.damaged = true}).damaged_runs, 1);
  EXPECT_TRUE(check_store(store).empty());
  EXPECT_EQ(store.run_count(), 11);
}

TEST_P(Maintain, VacuumRemovesOldRunsAndADryRunNone) {
  Store store = this->store();
  fill(store, 20);
  const Time limit = *plausible_run(15, 1, 0).submit;
  EXPECT_EQ(vacuum_store(store, {.before = limit, .dry_run = true}).old_runs, 15);
  EXPECT_EQ(store.run_count(), 20);
  EXPECT_EQ(vacuum_store(store, {.before = limit}).old_runs, 15);
  EXPECT_EQ(store.headers({}).size(), 5U);
  EXPECT_TRUE(check_store(store).empty());
  EXPECT_EQ(store.unchanged(std::vector<ImportedFile>{{some_runs(1)[0].source, "7@1", 0, {}}})[0], true)
      << "a next import would bring it back";
}

TEST_P(Maintain, ACopyOnAnyOtherDatabaseIsEqualRowByRow) {
  Store store = this->store();
  fill(store, 700);
  for (const Backend other : tested_backends()) {
    const Store copy = Store::open(empty_database(other, folder_), Store::Access::create);
    const std::atomic<bool> never = false;
    const Copied copied = copy_store(store, copy, never);
    EXPECT_EQ(copied.runs, 700);
    EXPECT_EQ(copied.files, 700);
    EXPECT_EQ(copy.headers({}), store.headers({}));
    EXPECT_EQ(copy.names().size(), store.names().size());
    EXPECT_TRUE(check_store(copy).empty()) << to_string(other);
    const JobRun original = plausible_run(7, 3, 1);
    EXPECT_TRUE(same(copy.runs({.id = original.id}).at(0).masters, original.masters));
    const Copied again = copy_store(store, copy, never);
    EXPECT_EQ(again.runs, 0);
    EXPECT_EQ(again.there, 1'400);
  }
}

TEST_P(Maintain, AnInterruptedCopyGoesOn) {
  Store store = this->store();
  fill(store, 1'200);
  const Store copy = Store::open(empty_database(GetParam(), folder_), Store::Access::create);
  std::atomic<bool> stop = false;
  const Copied first = copy_store(store, copy, stop, [&](Count) { stop = true; });
  EXPECT_TRUE(first.partial);
  EXPECT_EQ(copy.run_count(), 500);
  EXPECT_TRUE(check_store(copy).empty());
  stop = false;
  EXPECT_EQ(copy_store(store, copy, stop).runs, 700);
  EXPECT_EQ(copy.headers({}), store.headers({}));
}

TEST_P(Maintain, ACopyOverAnotherRunIsRefused) {
  Store store = this->store();
  fill(store, 3);
  Store other = Store::open(empty_database(GetParam(), folder_), Store::Access::create);
  JobRun different = plausible_run(1, 9, 0);
  (void)other.add(std::vector{different});
  const std::atomic<bool> never = false;
  EXPECT_THROW((void)copy_store(store, other, never), ExternalError);
  EXPECT_EQ(other.run_count(), 1);
}

TEST_P(Maintain, ProfilesReadTheNewestRunsOfOneName) {
  Store store = this->store();
  fill(store, 30);
  const std::vector<RunPhases> newest = load_phases(store, "Grep", 4);
  ASSERT_EQ(newest.size(), 4U);
  EXPECT_EQ(newest[0].id, plausible_run(27, 1, 0).id);
  EXPECT_EQ(newest[0].map.size(), 3U);
  EXPECT_EQ(pack_run(store.runs({.id = newest[0].id})[0]).phases, pack_run(some_runs(28)[27]).phases);
  // Phases of another program's format, or none, are worked out from the tasks.
  execute("delete from wavewright_phases");
  EXPECT_EQ(load_phases(store, "Grep", 4)[0].map, newest[0].map);
}

INSTANTIATE_ON_EVERY_DATABASE(Maintain);

}  // namespace
}  // namespace wavewright
