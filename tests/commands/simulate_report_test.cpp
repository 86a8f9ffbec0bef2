// `wavewright simulate --report`: what it writes, and what it refuses.
#include <filesystem>

#include <gmock/gmock.h>

#include "tests/commands/run.h"
#include "tests/paths.h"

namespace wavewright {
namespace {

using ::testing::HasSubstr;

class SimulateReport : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    write("night.jsonl", R"({"id":"A","map_ms":[20000,20000,20000],"reduce_ms":[5000]}
{"id":"B","map_ms":[10000],"reduce_ms":[4000],"after":["A"]}
)");
    write("cluster.toml", R"([mode]
heartbeat_ms = 1000
[[outages]]
node = "node2"
from_ms = 5000
to_ms = 30000
[[nodes]]
count = 2
map_slots = 1
reduce_slots = 1
)");
  }

  // Nothing is written, and what was there stays.
  void refused(const std::string& arguments, int status, const std::string& told) const {
    write("kept.html", "kept");
    const CommandResult result = run("simulate " + arguments);
    EXPECT_EQ(result.status, status) << arguments << result.err;
    EXPECT_THAT(result.err, HasSubstr(told));
    EXPECT_EQ(lines_of(result.err), 1U) << result.err;
    EXPECT_EQ(read("kept.html"), "kept");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "trace.csv")) << arguments;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      EXPECT_EQ(entry.path().string().find(".part"), std::string::npos) << entry.path();
  }
};

TEST_F(SimulateReport, IsOnePageOfTheRun) {
  const CommandResult result =
      run("-q simulate night.jsonl --cluster cluster.toml --policy fair --why B --report run.html --nodes "
          "nodes.csv");
  ASSERT_EQ(result.status, 0) << result.err;
  const std::string html = read("run.html");
  EXPECT_THAT(html, HasSubstr("<title>night</title>"));
  EXPECT_THAT(html, HasSubstr("2 jobs end in <b>"));
  EXPECT_THAT(html, HasSubstr("under <b>fair</b>"));
  for (const char* section : {"summary", "why", "schedule", "use", "nodes", "jobs"})
    EXPECT_THAT(html, HasSubstr(std::string("<section id=\"") + section + "\""));
  EXPECT_TRUE(html.ends_with("</html>\n"));
}

TEST_F(SimulateReport, IsTheSameByteForByteForTheSameRun) {
  ::setenv("SOURCE_DATE_EPOCH", "1700000000", 1);
  for (const char* name : {"one.html", "other.html"})
    ASSERT_EQ(run(std::string("-q simulate night.jsonl --cluster cluster.toml --report ") + name).status, 0);
  ::unsetenv("SOURCE_DATE_EPOCH");
  EXPECT_THAT(read("one.html"), HasSubstr("2023-11-14 22:13:20 UTC"));
  EXPECT_EQ(read("one.html"), read("other.html"));
}

TEST_F(SimulateReport, DrawsAFlatPoolToo) {
  ASSERT_EQ(run("-q simulate night.jsonl --map-slots 2 --reduce-slots 1 --report run.html").status, 0);
  EXPECT_THAT(read("run.html"), HasSubstr("on 2 map slots and 1 reduce slot."));
}

TEST_F(SimulateReport, DrawsTheBundledRun) {
  const std::string folder = source_dir() + "/examples/cluster-run";
  const CommandResult result = run("-q simulate '" + folder + "/night.jsonl' --cluster '" + folder +
                                   "/cluster.toml' --policy fair --why index --report run.html");
  ASSERT_EQ(result.status, 0) << result.err;
  for (const char* part : {"6 jobs end in", "application master", "node away", "Cost over time", "mark-lost"})
    EXPECT_THAT(read("run.html"), HasSubstr(part));
}

TEST_F(SimulateReport, RefusesWhatItCannotDrawBeforeItWritesAnything) {
  const std::string on = "night.jsonl --cluster cluster.toml --trace trace.csv ";
  refused(on + "--report kept.html --replications 5", 2, "--report");
  refused(on + "--report night.jsonl", 2, "is the input");
  refused(on + "--report kept.html --why nobody", 2, "no job 'nobody'");
  refused("--calibrate x --cluster cluster.toml --report kept.html", 2, "--report has no meaning");
  refused("night.jsonl --cluster cluster.toml --report kept.html --trace trace.csv --nodes trace.csv", 2,
          "two outputs");
  refused("night.jsonl --cluster cluster.toml --report no/such/folder.html", 4, "cannot write");
  ::setenv("SOURCE_DATE_EPOCH", "today", 1);
  refused(on + "--report kept.html", 2, "SOURCE_DATE_EPOCH");
  ::unsetenv("SOURCE_DATE_EPOCH");
}

}  // namespace
}  // namespace wavewright
