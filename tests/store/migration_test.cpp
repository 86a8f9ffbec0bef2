// A store that version 1 wrote (version1.sql: the dump of one, made from examples/histories) is brought up to
// date and tells what the histories themselves tell.
#include <fstream>
#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <soci/soci.h>
#include <soci/sqlite3/soci-sqlite3.h>

#include "tests/paths.h"
#include "tests/store/databases.h"
#include "tests/store/runs.h"
#include "wavewright/core/error.h"
#include "wavewright/history/source.h"
#include "wavewright/live/batch/batch_archive.h"
#include "wavewright/live/batch/batch_store.h"
#include "wavewright/store/maintain.h"
#include "wavewright/store/phases.h"
#include "wavewright/store/task_codec.h"

namespace wavewright {
namespace {

class Version1 : public DatabaseTest {
 protected:
  void SetUp() override {
    DatabaseTest::SetUp();
    url_ = "sqlite:" + (folder_ / "old.db").string();
    soci::session old(soci::sqlite3, "db=\"" + (folder_ / "old.db").string() + "\"");
    std::ifstream dump(wavewright::source_dir() + "/tests/store/version1.sql");
    std::string statement;
    for (std::string line; std::getline(dump, line);) {
      statement += line + "\n";
      if (!line.ends_with(";")) continue;
      old << statement;
      statement.clear();
    }
    ASSERT_EQ(statement, "");
  }
};

std::map<std::string, JobRun> told_by_histories() {
  std::map<std::string, JobRun> runs;
  for (const char* folder : {"hadoop-3.4.2-json", "hadoop-1.2.1"}) {
    read_history_path(std::string(wavewright::source_dir() + "/examples/histories/") + folder,
                      [&](FileHistory&& file) {
                        for (JobRun& run : file.runs) runs[run.id] = std::move(run);
                      });
  }
  return runs;
}

// Version 1 kept Hadoop's word for a rack that is not known; today it is absent.
TaskRun as_read_today(TaskRun task) {
  for (Attempt& attempt : task.attempts) {
    if (attempt.rack == "UNKNOWN") attempt.rack.clear();
  }
  return task;
}

TEST_P(Version1, TellsTheSameAfterTheUpdate) {
  const Store store = Store::open(url_, Store::Access::existing);
  const std::map<std::string, JobRun> expected = told_by_histories();
  const std::vector<JobRun> runs = store.runs({});
  ASSERT_EQ(runs.size(), expected.size());
  for (const JobRun& run : runs) {
    const JobRun& original = expected.at(run.id);
    RunHeader header = header_of(run);
    header.source = original.source;
    EXPECT_EQ(header, header_of(original));
    EXPECT_EQ(run.counters, original.counters);
    EXPECT_EQ(run.diagnostics_text, original.diagnostics_text);
    EXPECT_TRUE(run.settings.empty()) << "version 1 knew none";
    EXPECT_TRUE(run.masters.empty()) << "nor these";
    ASSERT_EQ(run.tasks.size(), original.tasks.size());
    for (std::size_t i = 0; i < run.tasks.size(); ++i) {
      EXPECT_TRUE(same(as_read_today(run.tasks[i]), original.tasks[i])) << run.tasks[i].id;
    }
  }
}

TEST_P(Version1, GetsItsNamesCountedAndItsPhases) {
  const Store store = Store::open(url_, Store::Access::existing);
  std::map<std::string, RunName> expected;
  for (const auto& [id, run] : told_by_histories()) {
    ++expected[run.name].runs;
    expected[run.name].succeeded += run.state == RunState::succeeded ? 1 : 0;
  }
  const std::vector<RunName> names = store.names();
  ASSERT_EQ(names.size(), expected.size());
  for (const RunName& name : names) {
    EXPECT_EQ(name.runs, expected.at(name.name).runs) << name.name;
    EXPECT_EQ(name.succeeded, expected.at(name.name).succeeded) << name.name;
    EXPECT_EQ(load_phases(store, name.name).size(), static_cast<std::size_t>(name.runs));
  }
}

TEST_P(Version1, KnowsItsRunsWhenTheyAreImportedAgain) {
  Store store = Store::open(url_, Store::Access::create);
  std::vector<JobRun> again;
  for (auto& [id, run] : told_by_histories()) again.push_back(std::move(run));
  const Store::Added added = store.add(again);
  EXPECT_EQ(added.updated, static_cast<Count>(again.size())) << "version 1 knew no settings and masters";
  EXPECT_EQ(added.fresh, 0);
  EXPECT_EQ(store.add(again).known, static_cast<Count>(again.size()));
}

// The update is one transaction: one that fails in its middle leaves version 1.
TEST_P(Version1, AnUpdateThatFailsChangesNothing) {
  const std::string file = url_.substr(7);
  soci::session other(soci::sqlite3, "db=\"" + file + "\"");
  other << "create trigger refuse before delete on wavewright_meta begin select raise(abort, 'no'); end";
  EXPECT_THROW((void)Store::open(url_, Store::Access::existing), ExternalError);
  std::string version;
  other << "select value from wavewright_meta where name = 'schema_version'", soci::into(version);
  EXPECT_EQ(version, "1");
  int tables = 0;
  other << "select count(*) from sqlite_master where type = 'table'", soci::into(tables);
  EXPECT_EQ(tables, 3);
  other << "drop trigger refuse";
  EXPECT_EQ(Store::open(url_, Store::Access::existing).run_count(),
            static_cast<Count>(told_by_histories().size()));
}

// One damaged run does not keep the others from being read.
TEST_P(Version1, ADamagedRunIsNamedWhenItIsAskedFor) {
  soci::session other(soci::sqlite3, "db=\"" + url_.substr(7) + "\"");
  other << "update wavewright_tasks set tasks = '12:damaged' where identity like '%0048@%'";
  const Store store = Store::open(url_, Store::Access::existing);
  EXPECT_EQ(store.headers({}).size(), told_by_histories().size());
  try {
    (void)store.runs({.id = "*_0048"});
    FAIL();
  } catch (const ExternalError& error) {
    EXPECT_NE(std::string(error.what()).find("job_1795165486006_0048 is damaged"), std::string::npos)
        << error.what();
  }
}

class OlderVersion : public DatabaseTest {
 protected:
  // The tables since version 5.
  void drop_batches() const {
    for (const char* table : {"batch_order", "batch_round", "rent_order", "rent_budget", "rent_ledger",
                              "token_account", "promise", "batch_outlook", "batch_pools", "batch_wish",
                              "batch_event", "batch_job", "batch_past", "batch", "token"})
      execute(fmt::format("drop table wavewright_{}", table));
  }
};

// What the step from version 2 does, undone: only the servers' indexes and statistics differ.
class Version2 : public OlderVersion {
 protected:
  void undo_version3() const {
    if (GetParam() == Backend::mariadb) {
      for (const std::string column : {"name", "user", "queue"}) {
        execute(fmt::format("drop index wavewright_run_{}s2 on wavewright_run", column));
        execute(fmt::format("create index wavewright_run_{0}s on wavewright_run ({0}_key, ordered_ms, state)",
                            column));
      }
    }
    if (GetParam() == Backend::postgresql) execute("drop statistics wavewright_run_name_statistics");
    drop_batches();
    execute("update wavewright_meta set value = '2' where name = 'schema_version'");
  }
};

TEST_P(Version2, TellsTheSameAfterTheUpdate) {
  std::vector<JobRun> runs;
  for (int i = 0; i < 30; ++i) runs.push_back(plausible_run(i, 3, 1));
  (void)store().add(runs);
  const auto ids = [&] {
    std::vector<std::string> listed;
    for (const RunHeader& header : store().headers({.name = runs.front().name})) listed.push_back(header.id);
    return listed;
  };
  const std::vector<std::string> before = ids();
  undo_version3();
  EXPECT_EQ(ids(), before);
  undo_version3();  // fails where the update has not put back what it takes away
  EXPECT_EQ(ids(), before);
  EXPECT_EQ(before.size(), 30U);
}

INSTANTIATE_ON_EVERY_DATABASE(Version2);

// What a program of version 3 wrote: tasks without masters.
class Version3 : public OlderVersion {
 protected:
  void write_as_version3(const std::vector<JobRun>& runs) const {
    (void)store().add(runs);
    for (const JobRun& run : runs) {
      execute(fmt::format("update wavewright_tasks set tasks = '{}' where identity like '%{}%'",
                          pack_tasks(run, TaskFormat::v2), run.id));
    }
    drop_batches();
    execute("update wavewright_meta set value = '3' where name = 'schema_version'");
  }
};

TEST_P(Version3, TellsTheSameAfterTheUpdateAndNoMasters) {
  std::vector<JobRun> runs;
  for (int i = 0; i < 3; ++i) runs.push_back(plausible_run(i, 3, 1));
  write_as_version3(runs);
  for (const JobRun& run : store().runs({})) {
    EXPECT_TRUE(run.masters.empty());
    EXPECT_EQ(run.tasks.size(), 4U);
    EXPECT_EQ(run.counters, runs.front().counters);
  }
  const JobRun later = plausible_run(9, 2, 1);
  (void)store().add(std::vector{later});
  const std::vector<JobRun> back = store().runs({.id = later.id});
  ASSERT_EQ(back.size(), 1U);
  EXPECT_TRUE(same(back.front().masters, later.masters)) << "of later runs they are known";
  EXPECT_TRUE(check_store(store(), {}).empty());
}

INSTANTIATE_ON_EVERY_DATABASE(Version3);

// A program of version 5 knew no archive, and counted neither jobs nor events of a batch.
class Version5 : public OlderVersion {
 protected:
  void undo_version6() const {
    const std::string of_log = GetParam() == Backend::mariadb ? " on wavewright_batch_event" : "";
    for (const std::string& each :
         {std::string("drop table wavewright_batch_past"), std::string("drop table wavewright_batch_pools"),
          std::string("drop table wavewright_batch_order"), std::string("drop table wavewright_batch_round"),
          std::string("drop table wavewright_rent_order"), std::string("drop table wavewright_rent_budget"),
          std::string("drop table wavewright_rent_ledger"),
          std::string("drop table wavewright_token_account"),
          std::string("drop table wavewright_batch_outlook"), std::string("drop table wavewright_promise"),
          std::string("alter table wavewright_batch drop column added"),
          std::string("alter table wavewright_batch drop column logged"),
          std::string("create index wavewright_batch_events on wavewright_batch_event (batch_key)"),
          "drop index wavewright_batch_log" + of_log,
          std::string("update wavewright_meta set value = '5' where name = 'schema_version'")})
      execute(each);
  }
};

TEST_P(Version5, ABatchGoesOnAfterTheUpdate) {
  LiveBatch batch;
  for (const char* id : {"a", "b"}) batch.jobs.push_back({.id = id});
  for (const char* name : {"first", "second"}) {
    batch.name = name;
    BatchStore(store()).create(batch);
  }
  const Store before = store();
  const auto journal = BatchStore(before).journal("second");
  (void)journal->lead();
  const LiveEvent event{at_ms(1), "a", "Running", ""};
  journal->write({{}, {event, event, event}, {}});
  undo_version6();
  const Store after = store();
  const BatchStore batches(after);
  EXPECT_EQ(batches.count_events("second"), 3);
  EXPECT_EQ(batches.count_events("first"), 0);
  batches.add("second", {{.id = "c"}}, at_ms(2));
  EXPECT_EQ(batches.read("second")->jobs.size(), 3U);
  EXPECT_EQ(batches.events("second").size(), 4U);
  EXPECT_TRUE(BatchArchive(after, "second").jobs({}).empty());
}

INSTANTIATE_ON_EVERY_DATABASE(Version5);

// A program of version 10 did not keep where the dispatching queue of a batch stood.
class Version10 : public OlderVersion {};

TEST_P(Version10, ADispatchingQueueBeginsItsRoundsAndThenKeepsThem) {
  LiveBatch batch;
  batch.name = "night";
  batch.ordering = LiveOrdering{.when = "tp-fti(1h)", .pool = {4, 2}};
  for (const char* id : {"a", "b"}) batch.jobs.push_back({.id = id});
  BatchStore(store()).create(batch);
  for (const char* each : {"drop table wavewright_batch_order", "drop table wavewright_batch_round",
                           "update wavewright_meta set value = '10' where name = 'schema_version'"})
    execute(each);
  const Store after = store();
  const BatchStore batches(after);
  const auto journal = batches.journal("night");
  EXPECT_EQ(journal->lead(), batch);
  const RoundEntry round{.began = at_ms(1), .work = ms(2), .due = at_ms(3), .order = {"b", "a"}};
  journal->write({.jobs = {}, .events = {}, .granted = {}, .round = round});
  put(round, batch.round);
  EXPECT_EQ(batches.read("night"), batch);
}

INSTANTIATE_ON_EVERY_DATABASE(Version10);

INSTANTIATE_TEST_SUITE_P(On, Version1, testing::Values(Backend::sqlite));

}  // namespace
}  // namespace wavewright
