#include <sys/stat.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/commands/run.h"
#include "tests/paths.h"
#include "tests/server.h"
#include "wavewright/core/file.h"

namespace wavewright {
namespace {

using Json = nlohmann::json;

// Histories that a real Hadoop wrote.
const std::string histories = wavewright::source_dir() + "/examples/histories/hadoop-3.4.2-binary";

std::size_t history_files() {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(histories)) {
    count += entry.path().string().find(".jhist") != std::string::npos ? 1 : 0;
  }
  return count;
}

using Import = CommandTest;

TEST_F(Import, TakesAFolderOnceAndOnlyOnce) {
  const CommandResult first = run("import --json '" + histories + "'");
  ASSERT_EQ(first.status, 0) << first.err;
  const Json told = Json::parse(first.out);
  EXPECT_EQ(told["jobs"]["new"], history_files());
  EXPECT_EQ(told["files_without_jobs"], 0);
  EXPECT_EQ(told["partial"], false);
  ASSERT_EQ(told["formats"].size(), 1U);
  EXPECT_EQ(told["formats"][0]["files"], history_files());
  EXPECT_EQ(told["formats"][0]["jobs"], history_files());
  EXPECT_EQ(first.err, "") << "no progress where there is no terminal";

  const CommandResult again = run("import '" + histories + "'");
  EXPECT_EQ(again.status, 0);
  EXPECT_EQ(again.out, "") << "the summary is for standard error";
  const std::string count = std::to_string(history_files());
  EXPECT_NE(again.err.find("0 jobs new"), std::string::npos) << again.err;
  EXPECT_NE(again.err.find(count + " files already read"), std::string::npos) << again.err;

  const Json anew = Json::parse(run("import --again --json '" + histories + "'").out);
  EXPECT_EQ(anew["jobs"]["already_there"], history_files());
  EXPECT_EQ(anew["already_read"], 0);
}

TEST_F(Import, SaysWhatItSkippedAndWhyButTakesTheRest) {
  const std::string one = std::filesystem::directory_iterator(histories)->path().parent_path().string();
  write("mixed/notes.txt", "these are no histories\n");
  write("mixed/more.txt", "nor are these\n");
  write("mixed/empty.jhist", "");
  const CommandResult result = run("import --json mixed '" + one + "'");
  ASSERT_EQ(result.status, 0) << result.err;
  const Json told = Json::parse(result.out);
  EXPECT_EQ(told["files_without_jobs"], 3);
  std::size_t explained = 0;
  for (const Json& reason : told["skipped"]) {
    explained += reason["count"].get<std::size_t>();
    EXPECT_NE(reason["example"].get<std::string>().find("mixed/"), std::string::npos);
    EXPECT_FALSE(reason["reason"].get<std::string>().empty());
  }
  EXPECT_GE(explained, 3U);
}

TEST_F(Import, NothingUsableIsBadInput) {
  write("folder/notes.txt", "these are no histories\n");
  const CommandResult result = run("import -q folder");
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(lines_of(result.err), 1U) << result.err;
  EXPECT_NE(result.err.find("no job in 1 files"), std::string::npos) << result.err;
  EXPECT_EQ(run("import -q '" + folder_.string() + "/folder/notes.txt'").status, 3);
  write("empty/_SUCCESS", "");
  EXPECT_EQ(run("import -q empty").status, 3);
}

// One history that cannot be is refused with one line; it does not harm the store.
TEST_F(Import, AHistoryOfMoreTasksThanCanBeIsRefused) {
  write("job_1_0001.log",
        "Meta VERSION=\"1\" .\nJob JOBID=\"job_1_0001\" JOBNAME=\"x\" SUBMIT_TIME=\"1000\" "
        "TOTAL_MAPS=\"2147483647\" TOTAL_REDUCES=\"0\" .\n"
        "Job JOBID=\"job_1_0001\" FINISH_TIME=\"2000\" JOB_STATUS=\"SUCCESS\" .\n");
  const CommandResult alone = run("import job_1_0001.log");
  EXPECT_EQ(alone.status, 3);
  EXPECT_EQ(lines_of(alone.err), 1U) << alone.err;
  EXPECT_NE(alone.err.find("number of planned tasks that cannot be (TOTAL_MAPS 2147483647"),
            std::string::npos)
      << alone.err;
  const CommandResult both = run("import job_1_0001.log '" + histories + "'");
  EXPECT_EQ(both.status, 0) << both.err;
  EXPECT_EQ(Json::parse(run("jobs --json").out)["jobs"].size(), history_files());
  EXPECT_EQ(run("store check").status, 0);
}

TEST_F(Import, ReadsStandardInputAndPassesOverAByteOrderMark) {
  std::filesystem::path history;
  for (const auto& entry : std::filesystem::directory_iterator(histories)) {
    if (entry.path().string().ends_with(".jhist")) history = entry.path();
  }
  write("marked.jhist", "\xef\xbb\xbf" + read_file(history));
  const CommandResult marked = run("import --json marked.jhist");
  EXPECT_EQ(Json::parse(marked.out)["jobs"]["new"], 1) << marked.out;
  const CommandResult piped = run("import --json --store sqlite:other.db - <'" + history.string() + "'");
  ASSERT_EQ(piped.status, 0) << piped.err;
  EXPECT_EQ(Json::parse(piped.out)["jobs"]["new"], 1) << piped.out;
  const CommandResult empty = run("import - </dev/null");
  EXPECT_EQ(empty.status, 3);
  EXPECT_NE(empty.err.find("file is empty"), std::string::npos) << empty.err;
}

TEST_F(Import, OfOneFileTheErrorSaysItAll) {
  write("page.jhist", "<html>login</html>");
  const CommandResult result = run("import page.jhist");
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(lines_of(result.err), 1U) << result.err;
  EXPECT_NE(result.err.find("page.jhist"), std::string::npos) << result.err;
}

TEST_F(Import, AMissingPathStopsItBeforeAnythingIsTaken) {
  const CommandResult result = run("import '" + histories + "' no/such/folder");
  EXPECT_EQ(result.status, 4);
  EXPECT_EQ(lines_of(result.err), 1U) << result.err;
  EXPECT_NE(result.err.find("no/such/folder: no such file or folder"), std::string::npos) << result.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "store.db"));
}

TEST_F(Import, AStoreThatCannotBeIsOneLine) {
  write("blocked", "a file");
  const CommandResult result = run("import --store sqlite:blocked/store.db '" + histories + "'");
  EXPECT_EQ(result.status, 4);
  EXPECT_EQ(lines_of(result.err), 1U) << result.err;
  EXPECT_EQ(run("import --store oracle:x '" + histories + "'").status, 2);
  EXPECT_EQ(run("import").status, 2);
}

// A real history, with the clock of one of its nodes moved by so many ms.
std::string with_clock_off(const std::string& history, const std::string& node, std::int64_t by) {
  std::istringstream lines(history);
  std::string moved;
  for (std::string line; std::getline(lines, line); moved += line + "\n") {
    if (!line.starts_with('{')) continue;
    nlohmann::ordered_json entry = nlohmann::ordered_json::parse(line);
    if (!entry.contains("event")) continue;  // the schema
    for (auto& event : entry["event"]) {
      if (event.value("trackerName", event.value("hostname", "")) != node) continue;
      for (const char* const instant :
           {"startTime", "finishTime", "mapFinishTime", "shuffleFinishTime", "sortFinishTime"}) {
        if (event.contains(instant)) event[instant] = event[instant].get<std::int64_t>() + by;
      }
    }
    line = entry.dump();
  }
  return moved;
}

std::vector<std::string> warnings_of(const Json& told) {
  std::vector<std::string> reasons;
  for (const Json& warning : told["warnings"]) reasons.push_back(warning["reason"].get<std::string>());
  return reasons;
}

// Three attempts ran on node3: its clock is seen to be off, and the batch made of the run is as with right
// clocks, so that its simulation is, too. One attempt on node2 says too little: it is kept as told, for its
// length needs no clock.
TEST_F(Import, ANodeWhoseClockIsOffIsSetRightOrDoesNotCount) {
  const std::filesystem::path folder = wavewright::source_dir() + "/examples/histories/hadoop-3.4.2-json";
  std::string history;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("job_1795165486006_0050-")) history = read_file(entry.path());
  }
  ASSERT_NE(history, "");
  struct Made {
    std::vector<std::string> warnings;
    std::string jobs;
    Json told;
  };
  const auto made = [&](const std::string& name, const std::string& text) {
    write(name + ".jhist", text);
    const std::string store = " --store sqlite:" + name + ".db ";
    const CommandResult imported = run("import --json" + store + name + ".jhist");
    EXPECT_EQ(imported.status, 0) << imported.err;
    const CommandResult batch =
        run("workload from-history --json --from 2000-01-01" + store + "--out " + name + ".jsonl");
    EXPECT_EQ(batch.status, 0) << batch.err;
    return Made{warnings_of(Json::parse(imported.out)), read(name + ".jsonl"), Json::parse(batch.out)};
  };
  const auto warns = [](const Made& which, const std::string& reason) {
    return std::find(which.warnings.begin(), which.warnings.end(), reason) != which.warnings.end();
  };
  const Made right = made("right", history);
  EXPECT_EQ(right.told["imputed_tasks"], 0);
  const std::string shifted = "clock of a node off, its attempts shifted";
  for (const std::int64_t by : {-300'000, 3'600'000}) {
    const Made off = made(by < 0 ? "behind" : "ahead", with_clock_off(history, "node3", by));
    EXPECT_TRUE(warns(off, shifted)) << by;
    EXPECT_EQ(off.jobs, right.jobs) << by;
  }
  const Made one = made("one", with_clock_off(history, "node2", 3'600'000));
  EXPECT_TRUE(warns(one, "attempt outside its job's time"));
  EXPECT_FALSE(warns(one, shifted));
  EXPECT_EQ(one.told["imputed_tasks"], 0) << "its length needs no clock";
  const CommandResult simulated = run("simulate one.jsonl --map-slots 4 --reduce-slots 2 --json");
  ASSERT_EQ(simulated.status, 0) << simulated.err;
  EXPECT_LT(Json::parse(simulated.out)["makespan_ms"].get<std::int64_t>(), 60'000)
      << "an hour was not believed";
}

// A pipe that nobody writes to, and a server that sends a byte now and then.
TEST_F(Import, CtrlCEndsAWaitAtOnce) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  const CommandResult pipe = run_interrupted("import - <>pipe");
  EXPECT_EQ(pipe.status, 130) << pipe.err;
  EXPECT_NE(pipe.err.find("interrupted: what was read so far is in the store"), std::string::npos)
      << pipe.err;
  const tests::Server drips({"drips"});
  const CommandResult server = run_interrupted("import --json " + drips.url());
  EXPECT_EQ(server.status, 130) << server.err;
  EXPECT_EQ(Json::parse(server.out)["partial"], true);
}

}  // namespace
}  // namespace wavewright
