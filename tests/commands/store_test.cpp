#include <nlohmann/json.hpp>

#include "tests/commands/run.h"
#include "tests/paths.h"
#include "wavewright/core/file.h"

namespace wavewright {
namespace {

using Json = nlohmann::json;

const std::string histories = wavewright::source_dir() + "/examples/histories/hadoop-3.4.2-json";

class StoreCommand : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    ASSERT_EQ(run("import -q '" + histories + "'").status, 0);
  }
};

TEST_F(StoreCommand, InfoTellsWhatIsStored) {
  const Json info = Json::parse(run("store info --json").out);
  EXPECT_EQ(info["store"], store_url());
  EXPECT_EQ(info["backend"], "SQLite");
  EXPECT_EQ(info["runs"], 7);
  EXPECT_EQ(info["files"], 7);
  EXPECT_GT(info["tasks"], 20);
  EXPECT_GT(info["size_bytes"], 10'000);
  EXPECT_LT(info["oldest_submit_ms"], info["newest_submit_ms"]);
  const CommandResult human = run("store info");
  EXPECT_EQ(human.status, 0) << human.err;
  EXPECT_NE(human.out.find("7 of"), std::string::npos) << human.out;
  EXPECT_LE(width_of(human.out), 100U);
}

TEST_F(StoreCommand, CheckOfADamagedStoreIsBadInputWithWhatToDo) {
  EXPECT_EQ(run("store check").status, 0);
  // The tasks of one run, as a stray write would leave them: a text that is not base64.
  std::string file = read_file(folder_ / "store.db");
  (void)run("store vacuum -q");  // moves the log into the file
  file = read_file(folder_ / "store.db");
  const std::size_t at = file.find(":eNq");
  const std::size_t zlib = at != std::string::npos ? at : file.find(":eJ");
  ASSERT_NE(zlib, std::string::npos);
  file.replace(zlib + 20, 4, "????");
  write("store.db", file);
  const CommandResult damaged = run("store check");
  EXPECT_EQ(damaged.status, 3);
  EXPECT_EQ(lines_of(damaged.err), 1U) << damaged.err;
  EXPECT_NE(damaged.err.find("cannot be unpacked"), std::string::npos) << damaged.err;
  EXPECT_NE(damaged.err.find("store vacuum --damaged"), std::string::npos) << damaged.err;
  const Json told = Json::parse(run("store check --json").out);
  ASSERT_EQ(told["damages"].size(), 1U) << told;
  EXPECT_EQ(told["damages"][0]["count"], 1);

  // What it says to do, done.
  EXPECT_EQ(run("store vacuum --damaged").status, 0);
  EXPECT_EQ(Json::parse(run("import --again --json '" + histories + "'").out)["jobs"]["new"], 1);
  EXPECT_EQ(run("store check").status, 0);
}

TEST_F(StoreCommand, ForgetRemovesRunsByTheirIds) {
  const Json jobs = Json::parse(run("jobs --json").out)["jobs"];
  const std::string first = jobs[0]["id"];
  const std::string second = jobs[1]["id"];
  EXPECT_EQ(run("store forget " + first + " job_1_0001").status, 2) << "all are there, or none goes";
  const Json would = Json::parse(run("store forget --dry-run --json " + first).out);
  EXPECT_EQ(would["runs"][0]["id"], first);
  EXPECT_EQ(Json::parse(run("jobs --json").out)["jobs"].size(), 7U);
  const CommandResult forgot = run("store forget " + first + " " + second);
  EXPECT_EQ(forgot.status, 0) << forgot.err;
  EXPECT_NE(forgot.err.find("forgot " + first), std::string::npos) << forgot.err;
  EXPECT_EQ(Json::parse(run("jobs --json").out)["jobs"].size(), 5U);
  EXPECT_EQ(run("store check").status, 0);
  EXPECT_EQ(Json::parse(run("import --json '" + histories + "'").out)["jobs"]["new"], 0);
  EXPECT_EQ(Json::parse(run("import --again --json '" + histories + "'").out)["jobs"]["new"], 2);
  const CommandResult unknown = run("store forget job_1_0001");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_NE(unknown.err.find("no run has the id 'job_1_0001'"), std::string::npos) << unknown.err;
}

TEST_F(StoreCommand, CopyAndVacuum) {
  const Json copied = Json::parse(run("store copy '" + store_url() + "' sqlite:copy.db --json").out);
  EXPECT_EQ(copied["runs"], 7);
  EXPECT_EQ(copied["partial"], false);
  EXPECT_EQ(run("jobs --json --store sqlite:copy.db").out, run("jobs --json").out);
  EXPECT_EQ(run("store copy sqlite:none.db sqlite:other.db").status, 4);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "other.db"));
  EXPECT_EQ(run("store copy sqlite:copy.db sqlite:copy.db").status, 2);

  const Json would =
      Json::parse(run("store vacuum --older-than 1s --dry-run --json --store sqlite:copy.db").out);
  EXPECT_EQ(would["dry_run"], true);
  EXPECT_EQ(Json::parse(run("jobs --json --store sqlite:copy.db").out)["jobs"].size(), 7U);
  const Json past = Json::parse(run("store vacuum --older-than 40000d --json --store sqlite:copy.db").out);
  EXPECT_EQ(past["old_runs"], 0);
  EXPECT_EQ(run("store vacuum --older-than soon").status, 2);
  EXPECT_EQ(run("store").status, 2);
}

TEST_F(StoreCommand, ListsAreShortUnlessAskedFor) {
  const CommandResult two = run("jobs --limit 2 -P -n -o id");
  EXPECT_EQ(lines_of(two.out), 2U);
  EXPECT_NE(two.err.find("the newest 2 of 7 runs"), std::string::npos) << two.err;
  EXPECT_EQ(lines_of(run("jobs --limit all -P -n -o id").out), 7U);
  EXPECT_EQ(run("jobs -P -n -o id").err, "");
  EXPECT_EQ(run("jobs --limit some").status, 2);
  const Json list = Json::parse(run("jobs --limit 1 --json --user wavewright").out);
  EXPECT_EQ(list["jobs"].size(), 1U);
  EXPECT_EQ(list["more"], true);
}

}  // namespace
}  // namespace wavewright
