// Damaged rows: shown, left out, forgotten; never in the way of the others.
#include "tests/store/databases.h"
#include "tests/store/runs.h"
#include "wavewright/core/error.h"
#include "wavewright/store/maintain.h"
#include "wavewright/store/phases.h"

namespace wavewright {
namespace {

class DamagedRows : public DatabaseTest {
 protected:
  [[nodiscard]] Store filled() const {
    Store store = this->store();
    std::vector<JobRun> runs;
    for (int i = 0; i < 5; ++i) runs.push_back(plausible_run(i, 3, 1));
    (void)store.add(runs);
    return store;
  }
  // Changes the row of the run with that number.
  void damage(int number, const std::string& change) const {
    execute("update wavewright_run set " + change + " where job_id like '%_000" + std::to_string(number) +
            "'");
  }
};

TEST_P(DamagedRows, AreListedWithWhatCannotBe) {
  const Store store = filled();
  const std::vector<std::pair<std::string, std::string>> damages = {
      {"maps = 2147483647", "its maps is 2147483647"},
      {"reduces = -1", "its reduces is -1"},
      {"failed_attempts = 100000001", "its failed_attempts is 100000001"},
      {"killed_attempts = -9223372036854775807", "its killed_attempts is -9223372036854775807"},
      {"peak_maps = -3", "its peak_maps is -3"},
      {"peak_reduces = 9223372036854775807", "its peak_reduces is 9223372036854775807"},
      {"submit_ms = 9223372036854775807", "its submit_ms is 9223372036854775807"},
      {"launch_ms = -1", "its launch_ms is -1"},
      {"finish_ms = -9223372036854775807", "its finish_ms is -9223372036854775807"},
      {"input_bytes = -1", "its input_bytes is -1"},
      {"state = 'DONE'", "its state is 'DONE'"},
  };
  for (const auto& [change, damage] : damages) {
    execute(
        "update wavewright_run set maps = 3, reduces = 1, failed_attempts = 0, killed_attempts = 0, "
        "peak_maps = 3, "
        "peak_reduces = 1, submit_ms = 1700002000000, launch_ms = null, finish_ms = null, input_bytes = 1, "
        "state = 'SUCCEEDED' where job_id like '%_0002'");
    this->damage(2, change);
    const std::vector<RunHeader> all = store.headers({});
    ASSERT_EQ(all.size(), 5U) << change;
    EXPECT_EQ(all[2].damage, damage);
    for (const std::size_t sound : {0U, 1U, 3U, 4U}) EXPECT_EQ(all[sound].damage, "");
    EXPECT_EQ(info_of(store).runs, 5);
    EXPECT_FALSE(check_store(store).empty());
  }
}

TEST_P(DamagedRows, TextsAmongIntegersAreDamage) {
  const Store store = filled();
  if (GetParam() != Backend::sqlite) {
    EXPECT_ANY_THROW(damage(2, "maps = 'abc'")) << "only SQLite keeps it";
    return;
  }
  for (const std::string column : {"maps", "peak_reduces", "submit_ms", "input_bytes"}) {
    for (const std::string value : {"'abc'", "x'00'", "2.5"}) {
      execute(
          "update wavewright_run set maps = 3, peak_reduces = 1, submit_ms = 1700002000000, input_bytes = "
          "null "
          "where job_id like '%_0002'");
      damage(2, column + " = " + value);
      const std::vector<RunHeader> all = store.headers({});
      ASSERT_EQ(all.size(), 5U);
      EXPECT_EQ(all[2].damage, "its " + column + " is no integer") << value;
      EXPECT_EQ(all[1].damage, "");
    }
  }
  EXPECT_EQ(forget_runs(store, "job_1700000000000_0002").at(0).damage, "its input_bytes is no integer");
}

TEST_P(DamagedRows, AreLeftOutAndToldWhereRunsAreRead) {
  Store store = filled();
  damage(1, "maps = 2147483647");
  execute("update wavewright_tasks set tasks = 'x' where identity like '%_0003@%'");
  EXPECT_THROW((void)store.runs({}), ExternalError) << "nobody would be told";
  std::vector<std::string> told;
  store.on_damaged([&](const RunHeader& run, const std::string& problem) {
    EXPECT_NE(problem.find("run " + run.id + " is damaged: "), std::string::npos) << problem;
    told.push_back(run.id.substr(run.id.size() - 4));
  });
  EXPECT_EQ(store.runs({}).size(), 3U);
  EXPECT_EQ(told, (std::vector<std::string>{"0003", "0001"}));
  told.clear();
  EXPECT_EQ(load_phases(store, "WordCount").size(), 4U) << "phases need no tasks";
  EXPECT_EQ(told, std::vector<std::string>{"0001"});
  const StoreInfo info = info_of(store);
  EXPECT_EQ(info.tasks, 16) << "of the sound ones";
}

TEST_P(DamagedRows, PhasesThatCannotBeAreMadeAnewFromTheTasks) {
  Store store = filled();
  const std::vector<RunPhases> before = load_phases(store, "WordCount");
  execute("update wavewright_phases set phases = 'x' where identity like '%_0002@%'");
  // Those of another run.
  (void)store.add(std::vector{plausible_run(7, 9, 2)});
  execute("delete from wavewright_phases where identity like '%_0001@%'");
  execute(
      "update wavewright_phases set identity = (select identity from wavewright_run where job_id like "
      "'%_0001') "
      "where identity like '%_0007@%'");
  std::vector<RunPhases> after = load_phases(store, "WordCount");
  ASSERT_EQ(after.size(), 6U);
  after.erase(after.begin());
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(after[i].id, before[i].id);
    EXPECT_EQ(after[i].map, before[i].map);
  }
}

TEST_P(DamagedRows, AreForgottenByTheirId) {
  Store store = filled();
  damage(1, "maps = 2147483647");
  EXPECT_EQ(forget_runs(store, "JOB_1700000000000_0001", true).size(), 1U);
  EXPECT_EQ(store.run_count(), 5) << "a dry run";
  EXPECT_EQ(forget_runs(store, "JOB_1700000000000_0001").at(0).damage, "its maps is 2147483647");
  EXPECT_EQ(store.headers({}).size(), 4U);
  EXPECT_EQ(store.run_count(), 4);
  EXPECT_TRUE(check_store(store).empty());
  damage(2, "state = 'DONE'");  // counted as one that succeeded
  EXPECT_EQ(forget_runs(store, "job_1700000000000_0002").size(), 1U);
  EXPECT_TRUE(check_store(store).empty());
  EXPECT_THROW((void)forget_runs(store, "job_1700000000000_0001"), UsageError);
  EXPECT_THROW((void)forget_runs(store, "job_*"), UsageError) << "no pattern";
}

TEST_P(DamagedRows, ARunWithoutAnIdIsForgottenByWhatCheckCallsIt) {
  Store store = filled();
  JobRun nameless = plausible_run(8, 2, 0);
  nameless.id.clear();
  (void)store.add(std::vector{nameless});
  execute("update wavewright_tasks set tasks = '' where identity not like 'job%'");
  const std::vector<Damage> damages = check_store(store);
  ASSERT_EQ(damages.size(), 1U);
  EXPECT_EQ(forget_runs(store, damages[0].where).size(), 1U);
  EXPECT_TRUE(check_store(store).empty());
}

INSTANTIATE_ON_EVERY_DATABASE(DamagedRows);

}  // namespace
}  // namespace wavewright
