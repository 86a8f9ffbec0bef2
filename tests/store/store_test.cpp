#include "wavewright/store/store.h"

#include <algorithm>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "tests/store/databases.h"
#include "tests/store/runs.h"
#include "wavewright/core/error.h"

namespace wavewright {
namespace {

using StoreTest = DatabaseTest;

std::vector<JobRun> three_runs() {
  std::vector<JobRun> runs = {plausible_run(1, 4, 2), plausible_run(2, 6, 2), plausible_run(3, 2, 0)};
  runs[1].state = RunState::failed;
  runs[2].name = "Grep_100%";
  runs[2].user = "Grace";
  return runs;
}

TEST_P(StoreTest, GivesBackWhatWasAddedNewestFirst) {
  const std::vector<JobRun> runs = three_runs();
  const Store::Added added = store().add(runs);
  EXPECT_EQ(added.fresh, 3);
  const std::vector<JobRun> back = Store::open(url_, Store::Access::existing).runs({});
  ASSERT_EQ(back.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    const JobRun& original = runs[2 - i];
    EXPECT_EQ(header_of(back[i]), header_of(original));
    EXPECT_EQ(back[i].counters, original.counters);
    ASSERT_EQ(back[i].tasks.size(), original.tasks.size());
    for (std::size_t t = 0; t < original.tasks.size(); ++t)
      EXPECT_TRUE(same(back[i].tasks[t], original.tasks[t]));
  }
}

TEST_P(StoreTest, AddingTwiceChangesNothing) {
  Store store = this->store();
  const std::vector<JobRun> runs = three_runs();
  (void)store.add(runs);
  const std::vector<RunHeader> before = store.headers({});
  std::vector<JobRun> elsewhere = runs;  // the same jobs out of other files
  for (JobRun& run : elsewhere) run.source = "/elsewhere";
  const Store::Added again = store.add(elsewhere);
  EXPECT_EQ(again.fresh, 0);
  EXPECT_EQ(again.known, 3);
  EXPECT_EQ(store.headers({}), before);
}

TEST_P(StoreTest, TellsRunsWithoutIdByTheirContent) {
  Store store = this->store();
  JobRun first = plausible_run(1, 4, 1);
  first.id.clear();
  JobRun second = plausible_run(1, 5, 1);
  second.id.clear();
  EXPECT_EQ(store.add(std::vector{first, second}).fresh, 2);
  EXPECT_EQ(store.add(std::vector{second, first}).known, 2);
}

TEST_P(StoreTest, TheSameIdOfARestartedClusterIsAnotherRun) {
  Store store = this->store();
  const JobRun later = moved(plausible_run(1, 4, 1), ms(86'400'000));
  EXPECT_EQ(store.add(std::vector{plausible_run(1, 4, 1), later}).fresh, 2);
}

TEST_P(StoreTest, ARunWithoutOutcomeIsReplacedWhenItsOutcomeIsKnown) {
  Store store = this->store();
  JobRun broken_off = plausible_run(1, 2, 0);
  broken_off.state = RunState::unknown;
  broken_off.finish.reset();
  (void)store.add(std::vector{broken_off});
  EXPECT_EQ(store.add(std::vector{plausible_run(1, 4, 0)}).completed, 1);
  EXPECT_EQ(store.add(std::vector{broken_off}).known, 1);
  const std::vector<JobRun> runs = store.runs({});
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].state, RunState::succeeded);
  EXPECT_EQ(runs[0].tasks.size(), 4U);
}

TEST_P(StoreTest, FiltersIgnoreCaseAndTakeWildcards) {
  Store store = this->store();
  (void)store.add(three_runs());
  const auto count = [&](const RunFilter& filter) { return store.headers(filter).size(); };
  EXPECT_EQ(count({.name = "wordCOUNT"}), 2U);
  EXPECT_EQ(count({.name = "word*"}), 2U);
  EXPECT_EQ(count({.name = "*_100%"}), 1U);
  EXPECT_EQ(count({.name = "WordCoun_"}), 0U) << "only * is a wildcard";
  EXPECT_EQ(count({.name = "Word"}), 0U);
  EXPECT_EQ(count({.user = "GRACE"}), 1U);
  EXPECT_EQ(count({.id = "JOB_1700000000000_0002"}), 1U);
  EXPECT_EQ(count({.queue = "root.*"}), 3U);
  EXPECT_EQ(count({.queue = "root.default"}), 3U);
  EXPECT_EQ(count({.queue = "default"}), 3U) << "Hadoop names it so, too";
  EXPECT_EQ(count({.state = RunState::failed}), 1U);
  EXPECT_EQ(count({.name = "WordCount", .state = RunState::succeeded}), 1U);
  EXPECT_EQ(count({.name = "'; drop table wavewright_run; --"}), 0U);
}

TEST_P(StoreTest, AQueueIsFoundByBothOfItsNames) {
  Store store = this->store();
  std::vector<JobRun> runs = three_runs();
  runs[0].queue = "default";
  runs[1].queue = "root.etl";
  (void)store.add(runs);
  const auto count = [&](const std::string& queue) { return store.headers({.queue = queue}).size(); };
  EXPECT_EQ(count("default"), 2U);
  EXPECT_EQ(count("root.default"), 1U);
  EXPECT_EQ(count("etl"), 1U);
  EXPECT_EQ(count("other"), 0U);
}

TEST_P(StoreTest, FiltersByTimeOfSubmissionFromIncludedToExcluded) {
  Store store = this->store();
  const std::vector<JobRun> runs = three_runs();
  (void)store.add(runs);
  const RunFilter second_only = {.from = runs[1].submit, .to = runs[2].submit};
  ASSERT_EQ(store.headers(second_only).size(), 1U);
  EXPECT_EQ(store.headers(second_only)[0].id, runs[1].id);
  const RunFilter newest = {.limit = 1};
  ASSERT_EQ(store.headers(newest).size(), 1U);
  EXPECT_EQ(store.headers(newest)[0].id, runs[2].id);
}

TEST_P(StoreTest, FiltersBySeveralIds) {
  Store store = this->store();
  const std::vector<JobRun> runs = three_runs();
  (void)store.add(runs);
  const RunFilter two_of_them = {.ids = {runs[2].id, runs[0].id, "job_9_9999"}};
  ASSERT_EQ(store.headers(two_of_them).size(), 2U);  // the newest first, as ever
  EXPECT_EQ(store.headers(two_of_them)[0].id, runs[2].id);
  EXPECT_EQ(store.headers(two_of_them)[1].id, runs[0].id);
  EXPECT_TRUE(store.headers({.ids = {"job_9_9999"}}).empty());
}

// Lists are read a thousand runs at a time; the boundary falls between runs of one instant.
TEST_P(StoreTest, ALongListHasEachRunOnceAndInOrder) {
  constexpr int count = 2'050;
  Store store = this->store();
  std::vector<JobRun> runs;
  for (int i = 0; i < count; ++i) {
    runs.push_back(plausible_run(i, 1, 0));
    runs.back().submit = at_ms(1'700'000'000'000 + i / 7 * 1'000);
  }
  (void)store.add(runs);
  const std::vector<RunHeader> all = store.headers({});
  ASSERT_EQ(all.size(), runs.size());
  std::set<std::string> ids;
  for (std::size_t i = 0; i < all.size(); ++i) {
    ids.insert(all[i].id);
    EXPECT_LE(*all[i].submit, *all[i == 0 ? 0 : i - 1].submit);
  }
  EXPECT_EQ(ids.size(), all.size());
  for (const std::size_t limit : {999U, 1'000U, 1'001U, 2'000U, 2'049U}) {
    const std::vector<RunHeader> first = store.headers({.limit = static_cast<Count>(limit)});
    EXPECT_TRUE(std::equal(first.begin(), first.end(), all.begin(), all.begin() + std::ssize(first)));
    EXPECT_EQ(first.size(), limit);
  }
}

TEST_P(StoreTest, AnUnderscoreInAPatternIsAnUnderscore) {
  Store store = this->store();
  (void)store.add(three_runs());  // job_1700000000000_0001 to …_0003
  EXPECT_EQ(store.headers({.id = "*_0002"}).size(), 1U);
  EXPECT_EQ(store.headers({.id = "*_000_"}).size(), 0U);
  EXPECT_EQ(store.headers({.id = "*%0002"}).size(), 0U);
}

TEST_P(StoreTest, LongNamesStayDistinct) {
  Store store = this->store();
  std::vector<JobRun> runs = {plausible_run(1, 1, 0), plausible_run(2, 1, 0)};
  runs[0].name = std::string(500, 'x') + "A";
  runs[1].name = std::string(500, 'x') + "B";
  (void)store.add(runs);
  EXPECT_EQ(store.headers({.name = runs[0].name}).size(), 1U);
  EXPECT_EQ(store.headers({.name = "*b"}).size(), 1U);
  EXPECT_EQ(store.names().size(), 2U);
}

// More than 200 names match, so that the runs themselves are asked; a name too long for its key is not lost.
TEST_P(StoreTest, LongNamesAreFoundAmongManyByTheirEnd) {
  Store store = this->store();
  std::vector<JobRun> runs;
  for (int i = 0; i < 205; ++i) {
    runs.push_back(plausible_run(i, 1, 0));
    runs.back().name = fmt::format("n{}b", i);
  }
  runs[7].name = fmt::format("n{}b", std::string(500, 'x'));
  runs[8].name = fmt::format("n{}c", std::string(500, 'x'));
  (void)store.add(runs);
  EXPECT_EQ(store.headers({.name = "n*b"}).size(), 204U) << "all but the one that ends in c";
}

TEST_P(StoreTest, OfNamesThatDifferInCaseTheFirstIsMeant) {
  Store store = this->store();
  std::vector<JobRun> runs = {plausible_run(1, 1, 0), plausible_run(2, 1, 0), plausible_run(3, 1, 0)};
  runs[0].name = "wordcount";
  runs[1].name = "WORDCOUNT";
  runs[2].name = "WordCount";
  (void)store.add(runs);
  EXPECT_EQ(store.known_name("wordCOUNT"), "WORDCOUNT") << "capitals come before small letters";
  EXPECT_EQ(store.known_name("WordCount"), "WordCount");
}

TEST_P(StoreTest, KnowsNamesInAnyCaseAndSuggestsTheNearest) {
  Store store = this->store();
  EXPECT_THROW((void)store.known_name("WordCount"), UsageError);
  (void)store.add(three_runs());
  EXPECT_EQ(store.known_name("WORDcount"), "WordCount");
  try {
    (void)store.known_name("WordCuont");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'WordCount'?"), std::string::npos) << error.what();
  }
}

TEST_P(StoreTest, SeveralWritersAndReadersAtOnceLoseNothing) {
  (void)store();
  const auto write = [&](int from) {
    Store own = Store::open(url_, Store::Access::create);
    for (int i = from; i < from + 20; ++i) {
      (void)own.add(std::vector{plausible_run(i, 2, 1)});
      (void)own.headers({});
    }
  };
  // Whoever loses a race for a run finds it there.
  std::thread first(write, 0);
  std::thread second(write, 10);  // half of them the same runs
  std::thread third(write, 20);
  first.join();
  second.join();
  third.join();
  EXPECT_EQ(store().headers({}).size(), 40U);
}

std::string refusal(const std::string& url, Store::Access access) {
  try {
    (void)Store::open(url, access);
  } catch (const Error& error) {
    return error.what();
  }
  return "opened";
}

TEST_P(StoreTest, ARunThatCannotBeWrittenTakesItsWholeTransactionBack) {
  Store store = this->store();
  (void)store.add(std::vector{plausible_run(1, 1, 0)});
  execute(GetParam() == Backend::mariadb
              ? "alter table wavewright_run add constraint good check (name <> 'bad')"
          : GetParam() == Backend::postgresql
              ? "alter table wavewright_run add constraint good check (name <> 'bad')"
              : "create trigger refuse before insert on wavewright_run when new.name = 'bad' "
                "begin select raise(abort, 'no such name'); end");
  std::vector<JobRun> runs = {plausible_run(2, 1, 0), plausible_run(3, 1, 0)};
  runs[1].name = "bad";
  EXPECT_THROW((void)store.add(runs), ExternalError);
  EXPECT_EQ(store.headers({}).size(), 1U);
  runs[1].name = "good";  // the same session goes on
  EXPECT_EQ(store.add(runs).fresh, 2);
  EXPECT_EQ(store.names().size(), 2U);
}

TEST_P(StoreTest, RefusesANewerSchemaAndSaysSo) {
  (void)store();
  execute("update wavewright_meta set value = '99' where name = 'schema_version'");
  EXPECT_NE(refusal(url_, Store::Access::existing).find("newer Wavewright (schema 99"), std::string::npos);
  EXPECT_NE(refusal(url_, Store::Access::create).find("newer Wavewright (schema 99"), std::string::npos);
}

TEST_P(StoreTest, AVersionThatCannotBeIsDamage) {
  (void)store();
  execute("update wavewright_meta set value = '0' where name = 'schema_version'");
  EXPECT_NE(refusal(url_, Store::Access::existing).find("its schema version is no number"),
            std::string::npos);
}

TEST_P(StoreTest, ReadingMakesNoTables) {
  EXPECT_NE(refusal(url_, Store::Access::existing).find("there is no store yet"), std::string::npos);
  EXPECT_NE(refusal(url_, Store::Access::existing).find("there is no store yet"), std::string::npos);
  (void)store();
  EXPECT_EQ(refusal(url_, Store::Access::existing), "opened");
}

TEST_P(StoreTest, TextsComeBackAsTheyWereInEveryAlphabet) {
  Store store = this->store();
  std::vector<JobRun> runs = {plausible_run(1, 1, 0), plausible_run(2, 1, 0), plausible_run(3, 1, 0),
                              plausible_run(4, 1, 0), plausible_run(5, 1, 0)};
  runs[0].name = "Übung \U0001F40D 作業 'quoted' \"twice\" back\\slash :colon\nline";
  runs[1].name = "übung";
  runs[2].name = "blank";
  runs[3].name = "blank ";
  runs[4].name = std::string("broken \xff\xc3( \xed\xa0\x80 ") + '\0' + " zero";
  runs[4].source = "/histories/\xff.jhist";
  (void)store.add(runs);
  EXPECT_EQ(store.headers({.exact_name = runs[0].name}).size(), 1U);
  EXPECT_EQ(store.headers({.name = "*QUOTED*\\slash*"}).size(), 1U);
  EXPECT_EQ(store.headers({.name = "ÜBUNG"}).size(), 0U)
      << "only ASCII ignores case, on every database alike";
  EXPECT_EQ(store.headers({.name = "blank"}).size(), 1U);
  EXPECT_EQ(store.names().size(), 5U);
  const std::vector<RunHeader> broken = store.headers({.id = runs[4].id});
  ASSERT_EQ(broken.size(), 1U);
  EXPECT_EQ(broken[0].source, "/histories/\xef\xbf\xbd.jhist");
  EXPECT_EQ(broken[0].name, "broken \xef\xbf\xbd\xef\xbf\xbd( \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd ? zero");
  EXPECT_EQ(store.add(runs).known, 5);
}

TEST_P(StoreTest, SettingsAndDoubtsAreKeptWithTheRun) {
  Store store = this->store();
  JobRun run = plausible_run(1, 2, 1);
  run.settings = {{"mapreduce.job.reduces", "1"}, {"odd", std::string("\xff\0", 2)}};
  run.quality_warnings = {{"ends before it starts", 3}};
  (void)store.add(std::vector{run});
  const std::vector<JobRun> back = store.runs({});
  ASSERT_EQ(back.size(), 1U);
  EXPECT_EQ(back[0].settings, run.settings);
  EXPECT_EQ(back[0].quality_warnings, run.quality_warnings);
}

INSTANTIATE_ON_EVERY_DATABASE(StoreTest);

}  // namespace
}  // namespace wavewright
