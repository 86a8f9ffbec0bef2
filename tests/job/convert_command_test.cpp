// `wavewright workload convert` as a user calls it.
#include <fstream>

#include <nlohmann/json.hpp>

#include "tests/job/run_command.h"
#include "tests/job/temporary_file.h"
#include "wavewright/job/swf.h"
#include "wavewright/job/workload_file.h"

namespace wavewright {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr const char* night =
    R"({"id":"load","user":"ada","queue":"night","submit_ms":0,"map_ms":[7500,2500]})"
    "\n"
    R"({"id":"sort","submit_ms":61000,"map_ms":[9000],"reduce_ms":[4000],"after":["load"],"x_own":1})"
    "\n";

class Convert : public testing::Test {
 protected:
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  [[nodiscard]] std::string file(const std::string& name, const std::string& content) const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }
  [[nodiscard]] static std::string content_of(const std::string& name) {
    std::ostringstream text;
    text << std::ifstream(name, std::ios::binary).rdbuf();
    return text.str();
  }
  [[nodiscard]] static CommandResult convert(const std::string& arguments) {
    return run_command("workload convert " + arguments);
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(Convert, ToSwfAndBackIsTheSameWorkload) {
  const std::string in = file("night.jsonl", night);
  const json there = json::parse(convert("--json " + in + " " + path("night.swf")).out);
  EXPECT_EQ(there["to"], "swf");
  EXPECT_THAT(there["kept"].dump(), HasSubstr("night.swf.tasks.jsonl"));
  const json back = json::parse(convert("--json " + path("night.swf") + " " + path("again.jsonl")).out);
  EXPECT_EQ(back["from"], "swf");
  EXPECT_EQ(content_of(path("again.jsonl")), content_of(in));
}

TEST_F(Convert, SwfOnStandardOutputHasNoSidecarAndSaysWhatIsLost) {
  const std::string in = file("night.jsonl", night);
  const CommandResult shown = convert(in + " - --to swf 2>&1");
  EXPECT_EQ(shown.status, 0);
  EXPECT_THAT(shown.out, HasSubstr("\n1 0 -1 8 2 5 -1 2 "));
  EXPECT_THAT(shown.out, HasSubstr("dropped  unknown fields of 1 jobs"));
  EXPECT_FALSE(std::filesystem::exists(path("-.tasks.jsonl")));
}

TEST_F(Convert, TracesAreWrittenAndSeenFromTheirContent) {
  const std::string in = file("night.jsonl", night);
  for (const std::string format : {"rumen", "sls"}) {
    const std::string trace = path(format + ".json");
    ASSERT_EQ(convert("-q " + in + " " + trace + " --to " + format).status, 0);
    const json back = json::parse(convert("--json " + trace + " " + path("back.jsonl")).out);
    EXPECT_EQ(back["from"], format);
    const Workload workload = read_workload(path("back.jsonl"));
    ASSERT_EQ(workload.jobs.size(), 2U);
    EXPECT_EQ(workload.jobs[0].id, "job_1_0001");
    EXPECT_EQ(workload.jobs[0].maps, (std::vector{ms(7500), ms(2500)}));
    EXPECT_EQ(workload.jobs[1].submit, at_ms(61'000));
    EXPECT_EQ(workload.jobs[1].reduces, std::vector{ms(4000)});
  }
}

TEST_F(Convert, TakesAPartOfTheJobs) {
  const std::string in =
      file("table.tsv", "job1\t0\t0\t5\t0\t0\njob2\t60\t60\t5\t0\t0\njob3\t90\t30\t5\t0\t0\n");
  const json report =
      json::parse(convert("--json --jobs 2 --without job1 " + in + " " + path("part.jsonl")).out);
  EXPECT_EQ(report["jobs"], 1);
  EXPECT_THAT(report["dropped"].dump(), HasSubstr("2 of 3 jobs"));
  EXPECT_EQ(read_workload(path("part.jsonl")).jobs[0].id, "job2");
  EXPECT_EQ(json::parse(convert("--json --within 90s " + in + " " + path("part.jsonl")).out)["jobs"], 2);
  const CommandResult refused = convert("--without job4 " + in + " " + path("none.jsonl") + " 2>&1");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.out, HasSubstr("no job 'job4'"));
  EXPECT_FALSE(std::filesystem::exists(path("none.jsonl")));
}

TEST_F(Convert, AlibabasGraphsBecomeJobs) {
  const std::string in = file("batch_task.csv",
                              "M1,2,j_1,1,Terminated,100,130,100,0.39\n"
                              "R2_1,1,j_1,1,Terminated,131,150,100,0.39\n"
                              "M1,1,j_2,1,Failed,131,150,100,0.39\n");
  const json report = json::parse(convert("--json " + in + " " + path("dags.jsonl")).out);
  EXPECT_EQ(report["from"], "alibaba");
  EXPECT_EQ(report["maps"], 3);
  EXPECT_EQ(report["dropped_rows"], 1);
  EXPECT_EQ(read_workload(path("dags.jsonl")).jobs[1].after, std::vector<std::string>{"j_1/M1"});
}

TEST_F(Convert, BadInputIsOneLineAndLeavesNoFile) {
  const auto refused = [&](const std::string& name, const std::string& content, const char* reason) {
    const CommandResult result = convert(file(name, content) + " " + path("out.jsonl") + " 2>&1");
    EXPECT_EQ(result.status, 3) << name;
    EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 1) << result.out;
    EXPECT_THAT(result.out, HasSubstr(reason));
    EXPECT_FALSE(std::filesystem::exists(path("out.jsonl")));
  };
  refused("a.swf", "; Version: 2.2\n1 0 -1 -1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n", "it tells no run time");
  refused("a.csv", "M1,1,j_1,1,Failed,1,2,3,4\n", "is not 'Terminated'");
  refused("a.json", R"({"jobID":"job_1_1","mapTasks":[)", "cut off");
  refused("b.json", R"({"job.start.ms":true,"job.tasks":[]})", "it has no map or reduce containers");
  refused("c.txt", "hello\n", "not a workload in a known format");
  const std::string table = file("d.swf", "1 0 -1 5 1 1 1 1 1 1 1 1 1 1 1 1 -1 1\n");
  std::ofstream(swf_sidecar(table)) << R"({"id":"a","x_swf_job":1,"map_ms":[9000]})";
  refused("d.swf", content_of(table), "is not job 'a' of");
}

TEST_F(Convert, FailedRowsAreTakenWhenAskedFor) {
  const std::string in = file("a.swf", "1 0 -1 5 1 1 1 1 1 1 0 1 1 1 1 1 -1 1\n");
  EXPECT_EQ(convert(in + " " + path("out.jsonl") + " 2>/dev/null").status, 3);
  EXPECT_EQ(convert("-q --with-failed " + in + " " + path("out.jsonl")).status, 0);
  EXPECT_EQ(read_workload(path("out.jsonl")).jobs.at(0).maps, std::vector{ms(5000)});
}

TEST_F(Convert, FormatsThatAreOnlyReadAndUnknownOnesAreUsageErrors) {
  const std::string in = file("night.jsonl", night);
  for (const char* format : {"swim", "alibaba", "swff"}) {
    const CommandResult result = convert(in + " " + path("out") + " --to " + format + " 2>&1");
    EXPECT_EQ(result.status, 2) << result.out;
    EXPECT_FALSE(std::filesystem::exists(path("out")));
  }
  EXPECT_THAT(convert(in + " " + path("out") + " --to swff 2>&1").out, HasSubstr("did you mean 'swf'"));
  const CommandResult unsaid = convert("- " + path("out") + " < " + in + " 2>&1");
  EXPECT_EQ(unsaid.status, 2);
  EXPECT_THAT(unsaid.out, HasSubstr("alibaba"));
}

TEST_F(Convert, ReadsATraceFromStandardInput) {
  ASSERT_EQ(convert("-q " + file("night.jsonl", night) + " " + path("t.json") + " --to rumen").status, 0);
  EXPECT_EQ(convert("-q - " + path("out.jsonl") + " --from rumen < " + path("t.json")).status, 0);
  EXPECT_EQ(read_workload(path("out.jsonl")).jobs.size(), 2U);
}

}  // namespace
}  // namespace wavewright
