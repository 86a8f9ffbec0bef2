// Rumen and SLS traces: the same jobs as the histories that they were made of, and damage kept to one job.
#include <filesystem>
#include <set>

#include "tests/history/samples.h"
#include "tests/paths.h"
#include "wavewright/core/file.h"

namespace wavewright {
namespace {

using namespace tests;

const std::string root = wavewright::source_dir();

std::map<std::string, JobRun> runs_below(const std::string& path) {
  std::map<std::string, JobRun> runs;
  read_history_path(path, [&](FileHistory&& file) {
    for (JobRun& run : file.runs) runs[run.id] = std::move(run);
  });
  return runs;
}

// Without what a Rumen trace does not tell (rumen/reader.h, docs/formats/histories.md).
JobRun as_rumen_tells(JobRun run) {
  run.counters.clear();
  run.diagnostics_text.clear();
  run.queue.clear();  // of the settings, not of the event: `default` for `root.default`
  for (TaskRun& task : run.tasks) {
    if (task.kind == TaskKind::map) task.output.reset();
    for (Attempt& attempt : task.attempts) {
      attempt.map_finish.reset();
      attempt.error.clear();
    }
  }
  return run;
}

TEST(Rumen, TellsTheSameJobAsItsHadoop1Log) {
  const auto traced = runs_below(root + "/data/formats/rumen/hadoop-1.json.gz");
  const auto logged = runs_below(root + "/examples/histories/hadoop-1.2.1");
  EXPECT_EQ(traced.size(), 3U);
  for (const auto& [id, run] : traced) {
    EXPECT_EQ(describe(as_rumen_tells(run)), describe(as_rumen_tells(logged.at(id))));
    EXPECT_EQ(run.settings.at("mapreduce.job.reduces"), logged.at(id).settings.at("mapreduce.job.reduces"));
  }
}

TEST(Rumen, TellsTheSameJobAsItsJhist) {
  const auto traced = runs_below(root + "/data/formats/rumen/hadoop-3.json.gz");
  auto written = runs_below(root + "/examples/histories/hadoop-3.4.2-json");
  written.merge(runs_below(root + "/examples/histories/hadoop-3.4.2-binary"));
  EXPECT_EQ(traced.size(), 4U);
  for (const auto& [id, run] : traced) {
    for (TaskRun& task : written.at(id).tasks) task.split_nodes.clear();  // Rumen loses those of a jhist
    EXPECT_EQ(describe(as_rumen_tells(run)), describe(as_rumen_tells(written.at(id))));
  }
}

TEST(Rumen, MapOutputIsThatBeforeTheCombiner) {
  const JobRun run = runs_below(root + "/data/formats/rumen/hadoop-1.json.gz").begin()->second;
  EXPECT_EQ(run.tasks.at(0).output.value(), Bytes{6'977'080});
  EXPECT_EQ(run.tasks.at(0).input.value(), Bytes{4'198'516});
  EXPECT_EQ(run.tasks.at(0).split_nodes, (std::vector<std::string>{"node1", "node2"}));
}

TEST(Rumen, OneDamagedJobIsDroppedAndTheOthersKept) {
  const std::string job = R"({"jobID": "job_1_0001", "outcome": "SUCCESS", "mapTasks": [], "submitTime": 5})";
  const Outcome told = read(job + "\n" + R"({"jobID": "job_1_0002", "mapTasks": [], "submitTime": 1e999})" +
                            "\n" + R"({"mapTasks": []})" + job.substr(0, 20));
  ASSERT_EQ(told.runs.size(), 1U);
  EXPECT_EQ(told.runs[0].id, "job_1_0001");
  EXPECT_TRUE(told.says("job dropped: not JSON that can be read: a number that is none or has no end"));
  EXPECT_TRUE(told.says("job dropped: it has no jobID"));
  EXPECT_TRUE(told.says("cut off in the middle of a job"));
  const auto kept = std::find_if(told.diagnostics.begin(), told.diagnostics.end(),
                                 [](const Diagnostic& one) { return one.reason == "trace: jobs kept"; });
  ASSERT_NE(kept, told.diagnostics.end());
  EXPECT_EQ(kept->detail, "1");
}

const std::string sls_job = R"({
  "am.type" : "mapreduce", "job.start.ms" : 0, "job.end.ms" : 95375, "job.queue.name" : "sls_queue_1",
  "job.id" : "job_1", "job.user" : "default",
  "job.tasks" : [
    {"container.host" : "/default-rack/node1", "container.start.ms" : 6664, "container.end.ms" : 23707,
     "container.priority" : 20, "container.type" : "map"},
    {"container.host" : "/default-rack/node3", "container.start.ms" : 6665, "container.end.ms" : 21593,
     "container.priority" : 20, "container.type" : "map"},
    {"container.host" : "/default-rack/node2", "container.start.ms" : 88770, "container.end.ms" : 93390,
     "container.priority" : 10, "container.type" : "reduce"}]})";

const std::string sls_run = R"(job_1||default|sls_queue_1|SUCCEEDED|0|-|95375|2|1|
task_1_m_000000|map|0|SUCCEEDED|6664|23707|-|-|attempt_1_m_000000_0
  attempt_1_m_000000_0|0|SUCCEEDED|6664|23707|-|-|-|node1|/default-rack|
task_1_m_000001|map|1|SUCCEEDED|6665|21593|-|-|attempt_1_m_000001_0
  attempt_1_m_000001_0|0|SUCCEEDED|6665|21593|-|-|-|node3|/default-rack|
task_1_r_000000|reduce|0|SUCCEEDED|88770|93390|-|-|attempt_1_r_000000_0
  attempt_1_r_000000_0|0|SUCCEEDED|88770|93390|-|-|-|node2|/default-rack|
)";

TEST(Sls, StartsAndEndsAreRead) {
  const Outcome told = read(sls_job + sls_job);
  ASSERT_EQ(told.runs.size(), 2U);
  EXPECT_EQ(describe(told.runs[0]), sls_run);
  EXPECT_TRUE(told.says(
      "trace: ids of tasks and the success of all were imputed; times count from the trace's beginning"));
  const Outcome listed = read("[" + sls_job + ",\n" + sls_job + "]");
  ASSERT_EQ(listed.runs.size(), 2U);
  EXPECT_EQ(describe(listed.runs[1]), sls_run);
}

// kind, ms after the job's submission, ms long, host: of each attempt that ran.
std::multiset<std::string> containers(const JobRun& run) {
  std::multiset<std::string> all;
  for (const TaskRun& task : run.tasks) {
    for (const Attempt& attempt : task.attempts) {
      if (!attempt.start || !attempt.finish) continue;
      all.insert(fmt::format("{} {} {} {}{}", to_string(task.kind),
                             to_ms(*attempt.start - run.submit.value()),
                             to_ms(*attempt.finish - *attempt.start), attempt.rack, attempt.node));
    }
  }
  return all;
}

// A trace of many jobs loses the one job only.
TEST(Rumen, ANumberOfTasksThatCannotBeDropsTheJob) {
  for (const std::string odd : {R"("totalMaps": 2147483647)", R"("totalReduces": -7)"}) {
    const Outcome told =
        read(R"({"jobID": "job_1_0001", "outcome": "SUCCESS", "mapTasks": [], )" + odd +
             R"(} {"jobID": "job_1_0002", "outcome": "SUCCESS", "mapTasks": [], "totalMaps": 0})");
    ASSERT_EQ(told.runs.size(), 1U) << odd;
    EXPECT_EQ(told.runs.front().id, "job_1_0002");
    EXPECT_TRUE(told.says("job dropped: number of planned tasks that cannot be"));
  }
}

TEST(Sls, TellsTheContainersOfTheJhistItWasMadeOf) {
  const auto traced = runs_below(root + "/data/formats/sls/hadoop-3.json.gz");
  const auto written = runs_below(root + "/examples/histories/hadoop-3.4.2-json");
  EXPECT_EQ(traced.size(), 2U);
  for (const auto& [id, run] : traced) {
    EXPECT_EQ(containers(run), containers(written.at(id)));
    EXPECT_EQ(run.user, written.at(id).user);
    EXPECT_EQ(*run.finish - *run.submit, *written.at(id).finish - *written.at(id).submit);
  }
}

TEST(Sls, DurationsAndCountsAreReadToo) {
  const Outcome told = read(R"({"job.start.ms": 100, "job.count": 2, "job.tasks": [
      {"count": 3, "duration.ms": 5000, "container.type": "map"},
      {"container.duration.ms": 700, "container.start.ms": 9000, "container.type": "reduce"},
      {"container.type": "am"}]})");
  ASSERT_EQ(told.runs.size(), 2U);
  EXPECT_EQ(told.runs[0].id, "job_1");
  EXPECT_EQ(told.runs[1].id, "job_1-2");
  const JobRun& run = told.runs[0];
  EXPECT_EQ(run.total_maps, 3);
  EXPECT_EQ(to_ms(run.tasks.at(2).finish.value()), 5100);
  EXPECT_EQ(to_ms(run.tasks.at(3).finish.value()), 9700);
  EXPECT_EQ(to_ms(run.finish.value()), 9700);
  EXPECT_TRUE(told.says("containers dropped: neither map nor reduce"));
}

TEST(Sls, CountsCannotMakeATraceGrow) {
  const Outcome told =
      read(R"({"job.count": 100000, "job.tasks": [{"count": 99999, "container.type": "map"}]})");
  EXPECT_LE(told.runs.size(), 1U);
  EXPECT_TRUE(told.says("job dropped: counts that make more than 100,000 tasks"));
  EXPECT_TRUE(read(R"({"job.count": -1, "job.tasks": []})").says("job dropped: a job.count that is none"));
}

}  // namespace
}  // namespace wavewright
