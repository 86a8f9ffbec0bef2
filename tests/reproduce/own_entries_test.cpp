// `wavewright reproduce` on entries of a test's own: verdicts, marks, assumptions, errors.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "tests/job/run_command.h"
#include "tests/temporary_folder.h"

namespace wavewright {
namespace {

using nlohmann::json;
using testing::HasSubstr;
namespace fs = std::filesystem;

// Entries of a test's own.
class OwnEntries : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_ / "reproduce"); }
  CommandResult run(const std::string& content, const std::string& arguments = "reproduce mine 2>&1") {
    std::ofstream(folder_ / "reproduce" / "mine.json") << content;
    ::setenv("WAVEWRIGHT_DATA", folder_.c_str(), 1);
    const CommandResult result = run_command(arguments);
    ::unsetenv("WAVEWRIGHT_DATA");
    return result;
  }
  static std::string orders_entry(const std::string& rows) {
    return R"({"id":"mine","title":"t","paper":"HP","source":"s","kind":"orders","explanation":"e","inputs":{)"
           R"("unit_ms":1000,"pool":{"map_slots":1,"reduce_slots":1},)"
           R"("jobs":[{"id":"A","maps":1,"map":3,"reduces":1,"reduce":4}]},"rows":[)" +
           rows + "]}";
  }
  TemporaryFolder own_;
  fs::path folder_ = own_.path();
};

TEST_F(OwnEntries, OursIsMeasuredNotTakenFromTheData) {
  const CommandResult result =
      run(orders_entry(R"({"key":"all.best","label":"l","paper":6})"), "reproduce --json mine");
  const json found = json::parse(result.out)["entries"][0]["rows"][0];
  EXPECT_EQ(found["ours"], 7);
  EXPECT_EQ(found["difference"], 1);
  EXPECT_EQ(found["verdict"], "differs");
}

// Two jobs of a stream, drawn for each replication, with this row.
std::string stream_entry(const std::string& rows, const std::string& more = "") {
  return R"({"id":"mine","title":"t","paper":"ORDER","source":"s","kind":"online-engines","explanation":"e",)"
         R"("inputs":{"stream":{"generator":"order-testbed"},"pool":{"map_slots":57,"reduce_slots":19},)"
         R"("sizes":[2],"replications":20},"rows":[)" +
         rows + "]" + more + "}";
}

json first_row(const CommandResult& result) {
  return json::parse(result.out)["entries"][0]["rows"][0];
}

TEST_F(OwnEntries, AgreementNeedsAToleranceAndEnoughRuns) {
  const std::string key = R"({"key":"2.makespan.sim","label":"l","unit":"s",)";
  const CommandResult without = run(stream_entry(key + R"("paper":100})"), "reproduce mine 2>&1");
  EXPECT_EQ(without.status, 3);
  EXPECT_THAT(without.out, HasSubstr("has no tolerance"));

  const json measured = first_row(run(stream_entry(key + R"("paper":null})"), "reproduce --json mine"));
  const double mean = measured["ours"], low = measured["interval"][0], high = measured["interval"][1];
  ASSERT_LT(low, mean);
  EXPECT_EQ(measured["replications"], 20);
  const auto verdict = [&](double paper, double tolerance, const std::string& flags = "") {
    return first_row(run(stream_entry(key + fmt::format(R"("paper":{},"tolerance":{}}})", paper, tolerance)),
                         "reproduce --json mine" + flags))["verdict"];
  };
  EXPECT_EQ(verdict(mean, 2 * (high - low)), "agrees");
  EXPECT_EQ(verdict(mean, (high - low) / 4), "cannot tell") << "the paper's value is in it, but it is wide";
  EXPECT_EQ(verdict(2 * high, 1), "differs");
  const CommandResult shown = run(stream_entry(key + R"("paper":100,"tolerance":12.5})"), "reproduce mine");
  EXPECT_THAT(shown.out, HasSubstr("tolerance: 12.5 s"));
  EXPECT_EQ(verdict(mean, 2 * (high - low), " --replications 1"), "cannot tell");
}

TEST_F(OwnEntries, ARangeOfThePaperCanAgree) {
  const auto verdict = [&](const std::string& paper) {
    return first_row(run(orders_entry(R"({"key":"all.best","label":"l","paper":)" + paper + "}"),
                         "reproduce --json mine"))["verdict"];
  };
  EXPECT_EQ(verdict("[5, 7]"), "agrees");
  EXPECT_EQ(verdict("[8, 30]"), "differs");
  const CommandResult shown = run(orders_entry(R"({"key":"all.best","label":"l","paper":[5, 30]})"));
  EXPECT_THAT(shown.out, HasSubstr("5 to 30"));
  const CommandResult turned = run(orders_entry(R"({"key":"all.best","label":"l","paper":[30, 5]})"));
  EXPECT_EQ(turned.status, 3);
  EXPECT_THAT(turned.out, HasSubstr("[from, to]"));
}

TEST_F(OwnEntries, WhatThePaperDoesNotPrintIsMarked) {
  const CommandResult shown =
      run(orders_entry(R"({"key":"all.best","label":"l","paper":7,"derived":"3 + 4."})"));
  EXPECT_THAT(shown.out, testing::AllOf(HasSubstr("7* "), HasSubstr("* derived: 3 + 4.")));
}

TEST_F(OwnEntries, AChartShowsAsThePapersOnlyWhatItPrints) {
  const auto drawn = [&](const std::string& more) {
    std::string content = orders_entry(R"({"key":"all.best","label":"l","paper":7)" + more + "}");
    content.pop_back();
    content +=
        R"(,"charts":[{"title":"t","across":"a","up":"u","lines":[{"name":"n","points":{"1":"all.best"}}]}]})";
    (void)run(content, "reproduce mine -q --out " + (folder_ / "o").string() + " >/dev/null 2>&1");
    std::ifstream file(folder_ / "o" / "mine-1.svg");
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  };
  EXPECT_THAT(drawn(""), HasSubstr("as the paper prints it"));
  for (const char* more : {R"(,"derived":"3 + 4.")", R"(,"reading":"r")", R"(,"not_compared":"n")"}) {
    EXPECT_THAT(drawn(more),
                testing::AllOf(HasSubstr("<svg"), testing::Not(HasSubstr("as the paper prints it"))))
        << more;
  }
}

TEST_F(OwnEntries, TextsTellMeasurementsOfThisRun) {
  std::string content = orders_entry(R"({"key":"all.best","label":"l","paper":7})");
  const std::string explanation = R"("explanation":"e")";
  const auto at = content.find(explanation);
  content.replace(at, explanation.size(), R"("explanation":"it takes {all.best} s")");
  EXPECT_THAT(run(content).out, HasSubstr("it takes 7 s"));
  content.replace(content.find("{all.best}"), 10, "{all.bset}");
  const CommandResult wrong = run(content);
  EXPECT_EQ(wrong.status, 3);
  EXPECT_THAT(wrong.out, HasSubstr("did you mean 'all.best'"));
}

TEST_F(OwnEntries, AssumptionsCanBeLeftOut) {
  const std::string other =
      R"(,"assumptions":[{"text":"a","instead":"b","rows":["2.makespan.sim"],"inputs":{}}])";
  const CommandResult result =
      run(stream_entry(R"({"key":"2.makespan.sim","label":"l","unit":"s","paper":null})", other),
          "reproduce --json --no-assumptions mine");
  EXPECT_TRUE(json::parse(result.out)["entries"][0]["assumptions"].empty());
}

TEST_F(OwnEntries, AnAssumptionIsRunBesideItsAlternative) {
  const std::string key = R"({"key":"2.makespan.sim","label":"l","unit":"s","paper":null})";
  const std::string other =
      R"(,"assumptions":[{"text":"a","instead":"b","rows":["2.makespan.sim"],"replications":7,)"
      R"("inputs":{"stream":{"settings":{"small_percent":"100"}}}}])";
  const json result = json::parse(run(stream_entry(key, other), "reproduce --json mine").out)["entries"][0];
  const json effect = result["assumptions"][0]["effects"][0];
  EXPECT_EQ(effect["replications"], 7);
  EXPECT_NEAR(effect["change"], effect["instead"].get<double>() - effect["ours"].get<double>(), 1e-9);
  EXPECT_LT(effect["interval"][1], 0);
  const CommandResult wrong = run(stream_entry(
      key, R"(,"assumptions":[{"text":"a","instead":"b","rows":["2.makespan.sin"],"inputs":{}}])"));
  EXPECT_EQ(wrong.status, 3);
  EXPECT_THAT(wrong.out, HasSubstr("did you mean '2.makespan.sim'"));
}

// Sizes that share a seed are one replication: their mean is as sure as one size's, not as four runs.
TEST_F(OwnEntries, SizesOfOneBatchAreNotIndependentRuns) {
  const CommandResult result =
      run(R"({"id":"mine","title":"t","paper":"HP","source":"s","kind":"batch-methods","explanation":"e",)"
          R"("inputs":{"workloads":{"w":{"generator":"synthetic-unimodal","jobs":8}},"slots":[20,20,20,20],)"
          R"("methods":["johnson","submission"],"replications":5},"rows":[)"
          R"({"key":"w.johnson.mean","label":"l","paper":null},)"
          R"({"key":"w.20.johnson","label":"l","paper":null},)"
          R"({"key":"w.johnson.most","label":"l","paper":null}]})",
          "reproduce --json mine");
  const json rows = json::parse(result.out)["entries"][0]["rows"];
  EXPECT_EQ(rows[0]["replications"], 5);
  for (int i : {1, 2}) {  // four times the same size: nothing is learned from the copies
    EXPECT_NEAR(rows[0]["interval"][0], rows[i]["interval"][0], 1e-9);
    EXPECT_NEAR(rows[0]["interval"][1], rows[i]["interval"][1], 1e-9);
  }
}

TEST_F(OwnEntries, QuickMethodsPlanMoreBatches) {
  const auto rows = [&](const std::string& often) {
    const CommandResult result =
        run(R"({"id":"mine","title":"t","paper":"HP","source":"s","kind":"batch-methods","explanation":"e",)"
            R"("inputs":{"workloads":{"w":{"generator":"synthetic-unimodal","jobs":8}},"slots":[20],)"
            R"("methods":["johnson","reverse-johnson"],"replications":3)" +
                often +
                R"(},"rows":[{"key":"w.20.johnson","label":"l","paper":null},)"
                R"({"key":"w.johnson.below.reverse-johnson.most","label":"l","paper":null}]})",
            "reproduce --json mine 2>&1");
    return result.status == 0 ? json::parse(result.out)["entries"][0]["rows"] : json(result.out);
  };
  const json few = rows("");
  const json more = rows(R"(,"often":{"methods":["johnson","reverse-johnson"],"times":20})");
  EXPECT_EQ(more[0], few[0]);
  EXPECT_EQ(few[1]["replications"], 3);
  EXPECT_EQ(more[1]["replications"], 60);
  const auto width = [](const json& row) {
    return row["interval"][1].get<double>() - row["interval"][0].get<double>();
  };
  EXPECT_LT(width(more[1]), width(few[1]));
  EXPECT_THAT(rows(R"(,"often":{"methods":["johnson"],"times":0})").get<std::string>(),
              HasSubstr("give 1 to 10000"));
}

TEST_F(OwnEntries, SizesThatVaryMoreRunMoreOften) {
  const auto replications = [&](const std::string& times) {
    std::string entry = stream_entry(R"({"key":"2.makespan.sim","label":"l","paper":null})");
    entry.insert(entry.find(R"("sizes")"), times);
    const CommandResult result = run(entry, "reproduce --json mine 2>&1");
    return result.status == 0 ? json::parse(result.out)["entries"][0]["rows"][0]["replications"]
                              : json(result.out);
  };
  EXPECT_EQ(replications(""), 20);
  EXPECT_EQ(replications(R"("times":{"2":3,"7":9},)"), 60);
  EXPECT_THAT(replications(R"("times":{"2":0},)").get<std::string>(), HasSubstr("give 1 to 10000"));
}

TEST_F(OwnEntries, WritesOneFileAnEntry) {
  const fs::path out = folder_ / "results" / "new";
  const CommandResult result = run(orders_entry(R"({"key":"all.best","label":"l","paper":7})"),
                                   "reproduce --json --out " + out.string());
  EXPECT_EQ(result.status, 0);
  std::ifstream file(out / "mine.json");
  EXPECT_EQ(json::parse(file)["rows"][0]["verdict"], "agrees");
}

TEST_F(OwnEntries, BadDataNamesTheFile) {
  const CommandResult key = run(orders_entry(R"({"key":"all.bset","label":"l","paper":6})"));
  EXPECT_EQ(key.status, 3);
  EXPECT_THAT(key.out, HasSubstr("did you mean 'all.best'"));
  const CommandResult field =
      run(orders_entry(R"({"key":"all.best","label":"l","paper":6,"asumption":"a"})"));
  EXPECT_EQ(field.status, 3);
  EXPECT_THAT(field.out, HasSubstr("did you mean 'assumption'"));
  const CommandResult broken = run("{");
  EXPECT_EQ(broken.status, 3);
  EXPECT_THAT(broken.out, HasSubstr("mine.json: not an entry"));
  EXPECT_EQ(std::count(broken.out.begin(), broken.out.end(), '\n'), 1);
}

TEST_F(OwnEntries, AChartOfWhatIsNotMeasuredNamesIt) {
  std::string content = orders_entry(R"({"key":"all.best","label":"l","paper":6})");
  content.pop_back();
  content +=
      R"(,"charts":[{"title":"t","across":"a","up":"u","lines":[{"name":"n","points":{"1":"all.bset"}}]}]})";
  const CommandResult result =
      run(content, "reproduce mine -q --out " + (folder_ / "o").string() + " 2>&1 >/dev/null");
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.out, HasSubstr("all.bset"));
  const auto at = content.find("\"1\":");
  const CommandResult text = run(content.replace(at, 3, "\"one\""),
                                 "reproduce mine -q --out " + (folder_ / "o").string() + " 2>&1 >/dev/null");
  EXPECT_EQ(text.status, 3);
  EXPECT_THAT(text.out, HasSubstr("named by numbers"));
}

TEST_F(OwnEntries, UnknownEntriesAndMissingFoldersSayWhatToDo) {
  const CommandResult unknown = run_command("reproduce two-job 2>&1");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.out, HasSubstr("did you mean 'two-jobs'"));
  ::setenv("WAVEWRIGHT_DATA", "/nonexistent", 1);
  const CommandResult missing = run_command("reproduce 2>&1");
  ::unsetenv("WAVEWRIGHT_DATA");
  EXPECT_EQ(missing.status, 4);
  EXPECT_THAT(missing.out, HasSubstr("WAVEWRIGHT_DATA"));
}

}  // namespace
}  // namespace wavewright
