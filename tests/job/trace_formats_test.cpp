// Rumen and SLS traces: what is written reads back, by the readers that read Hadoop's own.
#include <algorithm>
#include <sstream>

#include "tests/job/some_workload.h"
#include "tests/job/temporary_file.h"
#include "tests/paths.h"
#include "tests/property.h"
#include "wavewright/core/error.h"
#include "wavewright/history/trace_export.h"
#include "wavewright/history/trace_layout.h"
#include "wavewright/history/trace_workload.h"
#include "wavewright/job/conversion_losses.h"
#include "wavewright/job/workload_file.h"

namespace wavewright {
namespace {

using testing::Contains;
using testing::HasSubstr;

using Writer = ExportReport (*)(std::ostream&, const Workload&);

std::string trace_of(const Workload& workload, Writer write) {
  std::ostringstream out;
  (void)write(out, workload);
  return out.str();
}

Conversion read_back(const Workload& workload, Writer write, WorkloadFormat format) {
  const TemporaryFile file(trace_of(workload, write), ".json");
  return read_trace_workload(file.path(), format);
}

// What both traces tell: in order of submission, with Hadoop's ids.
Workload as_traced(const Workload& workload) {
  const std::vector<std::string> ids = hadoop_ids(workload);
  Workload traced;
  for (const std::size_t position : by_submission(workload)) {
    const Job& job = workload.jobs[position];
    Job told;
    told.id = ids[position];
    told.user = job.user;
    told.queue = job.queue.empty() ? "default" : job.queue;
    told.submit = job.submit;
    told.maps = job.maps;
    told.reduces = job.reduces;
    traced.jobs.push_back(told);
  }
  return traced;
}

const std::vector<Duration>& told_shuffles(const Job& job) {
  return job.first_shuffles.empty() ? job.shuffles : job.first_shuffles;
}

void expect_same(const Workload& back, const Workload& expected) {
  RC_ASSERT(back.jobs.size() == expected.jobs.size());
  for (std::size_t i = 0; i < back.jobs.size(); ++i) {
    RC_ASSERT(to_line(back.jobs[i]) == to_line(expected.jobs[i]));
  }
}

Duration mean_of(const std::vector<Duration>& durations) {
  Duration sum{};
  for (const Duration each : durations) sum += each;
  const auto count = static_cast<std::int64_t>(durations.size());
  return ms((to_ms(sum) + count / 2) / count);
}

TEST(RumenTrace, WhatIsWrittenReadsBack) {
  holds_always([] {
    const Workload workload = any_workload();
    Workload expected = as_traced(workload);
    const std::vector<std::size_t> order = by_submission(workload);
    const Duration first = expected.jobs.front().submit.time_since_epoch();
    for (std::size_t i = 0; i < order.size(); ++i) {
      const Job& job = workload.jobs[order[i]];
      Job& told = expected.jobs[i];
      told.submit -= first;
      told.name = job.name;
      if (const std::vector<Duration>& shuffles = told_shuffles(job); !shuffles.empty()) {
        const bool in_first_wave = !job.maps.empty() && !job.first_shuffles.empty();
        told.first_shuffles = told.shuffles = std::vector(shuffles.size(), mean_of(shuffles));
        (in_first_wave ? told.first_shuffles : told.shuffles) = shuffles;
      }
      if (!job.maps.empty()) told.input = job.input;
      if (!job.reduces.empty()) told.shuffled = job.shuffled;
      if (!job.maps.empty() || !job.reduces.empty()) told.output = job.output;
      const bool any_split =
          std::any_of(job.splits.begin(), job.splits.end(), [](const auto& hosts) { return !hosts.empty(); });
      if (any_split) told.splits = job.splits;
    }
    expect_same(read_back(workload, write_rumen, WorkloadFormat::rumen).workload, expected);
  });
}

TEST(SlsTrace, WhatIsWrittenReadsBackWithTheShuffleInItsReduce) {
  holds_always([] {
    Workload workload = any_workload();
    for (Job& job : workload.jobs) {
      if (!job.maps.empty()) job.memory = {Bytes{3LL << 30}, Bytes{1536LL << 20}, {}};
      if (!job.reduces.empty()) job.memory.reduce = Bytes{4LL << 30};
    }
    Workload expected = as_traced(workload);
    const std::vector<std::size_t> order = by_submission(workload);
    for (std::size_t i = 0; i < order.size(); ++i) {
      expected.jobs[i].memory = workload.jobs[order[i]].memory;
      const std::vector<Duration>& shuffles = told_shuffles(workload.jobs[order[i]]);
      std::vector<Duration>& reduces = expected.jobs[i].reduces;
      for (std::size_t task = 0; task < shuffles.size(); ++task) reduces[task] += shuffles[task];
    }
    const auto gone = std::remove_if(expected.jobs.begin(), expected.jobs.end(),
                                     [](const Job& job) { return job.maps.empty() && job.reduces.empty(); });
    expected.jobs.erase(gone, expected.jobs.end());
    expect_same(read_back(workload, write_sls, WorkloadFormat::sls).workload, expected);
  });
}

TEST(TraceFormats, AreRecognisedByWhatStandsInThem) {
  Workload workload;
  workload.jobs.resize(1);
  workload.jobs[0].id = "a";
  workload.jobs[0].name = std::string(5000, 'x');
  workload.jobs[0].maps = {ms(1)};
  EXPECT_EQ(trace_format(trace_of(workload, write_rumen).substr(0, 4096)), WorkloadFormat::rumen);
  EXPECT_EQ(trace_format(trace_of(workload, write_sls).substr(0, 4096)), WorkloadFormat::sls);
  EXPECT_FALSE(trace_format(R"({"id":"a","map_ms":[1]})"));
  EXPECT_FALSE(trace_format(""));
}

TEST(TraceFormats, IdsAreSuchAsHadoopTakesAndUnique) {
  Workload workload;
  for (const char* id :
       {"J1", "job_1_0007", "job_J_1", "job_1_0001", "job_1_2_3", "job__1", "job_1_1234567890"}) {
    Job job;
    job.id = id;
    workload.jobs.push_back(job);
  }
  EXPECT_THAT(hadoop_ids(workload),
              testing::ElementsAre("job_1_0008", "job_1_0007", "job_1_0003", "job_1_0001", "job_1_0005",
                                   "job_1_0006", "job_1_0014"));
}

TEST(TraceFormats, HadoopsOwnTracesBecomeWorkloads) {
  const std::string data = source_dir() + "/data/formats/";
  const Conversion rumen = read_trace_workload(data + "rumen/small.json", WorkloadFormat::rumen);
  ASSERT_EQ(rumen.workload.jobs.size(), 2U);
  const Job& job = rumen.workload.jobs[0];
  EXPECT_EQ(job.id, "job_1_0001");
  EXPECT_EQ(job.submit, at_ms(0));
  EXPECT_EQ(job.maps, std::vector(2, ms(1990)));
  EXPECT_EQ(job.reduces, std::vector{ms(7995 - 5100)});
  EXPECT_EQ(job.splits, (std::vector<std::vector<std::string>>{{"node1"}, {"node1"}}));
  const Conversion sls = read_trace_workload(data + "sls/small.json", WorkloadFormat::sls);
  ASSERT_EQ(sls.workload.jobs.size(), 3U);
  EXPECT_EQ(sls.workload.jobs[0].submit, at_ms(1000)) << "from the trace's beginning";
  EXPECT_EQ(sls.workload.jobs[0].maps.size(), 3U);
}

// Hadoop's TaskContainerDefinition: a duration wins over start and end, the kind is a map unless told.
TEST(SlsTrace, TasksWithoutTimesKeepTheirDurationsAndSizes) {
  const TemporaryFile file(R"({"num.nodes": 3, "num.racks": 1}
      {"job.start.ms": 100, "am.memory-mb": 2048, "job.tasks": [
        {"count": 2, "container.duration.ms": 700, "container.type": "reduce", "container.memory-mb": 4096},
        {"count": 3, "container.duration.ms": 5000, "container.memory-mb": 1024, "container.vcores": 2},
        {"duration.ms": 6000, "container.type": "map", "container.memory-mb": 3072},
        {"container.start.ms": 200, "container.end.ms": 900, "container.duration.ms": 50}]})",
                           ".json");
  const Conversion read = read_trace_workload(file.path(), WorkloadFormat::sls);
  ASSERT_EQ(read.workload.jobs.size(), 1U);
  const Job& job = read.workload.jobs[0];
  EXPECT_EQ(job.submit, at_ms(100));
  EXPECT_EQ(job.maps, (std::vector{ms(5000), ms(5000), ms(5000), ms(6000), ms(50)}));
  EXPECT_EQ(job.reduces, (std::vector{ms(700), ms(700)}));
  EXPECT_EQ(job.memory, (JobMemory{Bytes{2LL << 30}, Bytes{3LL << 30}, Bytes{4LL << 30}}));
  EXPECT_EQ(read.dropped_rows, 0) << "the cluster's size is no job";
  EXPECT_THAT(read.dropped, Contains("container.vcores dropped: containers are sized by memory"));
  EXPECT_THAT(read.dropped, Contains(HasSubstr("container.memory-mb differs")));
}

TEST(TraceFormats, JobsThatCannotBeUsedAreCountedWithTheirReason) {
  const std::string job = R"({"jobID":"job_1_0001","outcome":"SUCCESS","submitTime":5,"mapTasks":[]})";
  const TemporaryFile file(job + R"({"jobID":"job_1_0002","outcome":"FAILED","submitTime":5,"mapTasks":[]})" +
                               R"({"jobID":"job_1_0003","outcome":"SUCCESS","mapTasks":[]})" +
                               R"({"mapTasks":[]})" + R"({"mapTasks":1})" + job.substr(0, 30),
                           ".json");
  const Conversion read = read_trace_workload(file.path(), WorkloadFormat::rumen);
  EXPECT_EQ(read.workload.jobs.size(), 1U);
  EXPECT_EQ(read.dropped_rows, 4);
  EXPECT_THAT(read.dropped, Contains("a job that did not succeed"));
  EXPECT_THAT(read.dropped, Contains("a job that does not tell when it was submitted"));
  EXPECT_THAT(read.dropped, Contains(HasSubstr("job dropped: it has no jobID (2 times)")));
  EXPECT_THAT(read.dropped, Contains(HasSubstr("cut off")));
}

TEST(TraceFormats, ATraceWithoutAUsableJobIsRefusedWithAReason) {
  const auto says = [](const char* content, WorkloadFormat format) -> std::string {
    const TemporaryFile file(content, ".json");
    try {
      (void)read_trace_workload(file.path(), format);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(says("", WorkloadFormat::rumen), HasSubstr("no job that can be used; "));
  EXPECT_THAT(says(R"({"jobID":"job_1_0001","outcome":"KILLED","submitTime":5})", WorkloadFormat::rumen),
              HasSubstr("did not succeed"));
  EXPECT_THAT(
      says(R"({"job.start.ms":0,"job.tasks":[{"container.type":"am","count":-1}]})", WorkloadFormat::sls),
      HasSubstr("it has no map or reduce containers"));
  EXPECT_THAT(says(R"([{"job.tasks":)", WorkloadFormat::sls), HasSubstr("cut off"));
}

TEST(TraceFormats, WhatATraceCannotTellIsNamed) {
  Workload workload;
  workload.jobs.resize(2);
  Job& job = workload.jobs[0];
  job.id = "J1";
  job.deadline = at_ms(5);
  job.reduces = {ms(1)};
  job.first_shuffles = job.shuffles = {ms(2)};
  job.input = Bytes{7};
  workload.jobs[1].id = "J2";
  workload.jobs[1].after = {"J1"};
  std::ostringstream out;
  const ExportReport rumen = write_rumen(out, workload);
  EXPECT_THAT(rumen.dropped, Contains("deadlines of 1 jobs"));
  EXPECT_THAT(rumen.dropped, Contains("'after' of 1 jobs"));
  EXPECT_THAT(rumen.dropped, Contains(HasSubstr("shuffles of later waves of 1 jobs")));
  EXPECT_THAT(rumen.dropped, Contains(HasSubstr("bytes of 1 jobs")));
  EXPECT_THAT(rumen.imputed, Contains(HasSubstr("ids of 2 jobs in Hadoop's form, such as job_1_0001")));
  const ExportReport sls = write_sls(out, workload);
  EXPECT_THAT(sls.dropped, Contains("1 jobs without tasks"));
  EXPECT_THAT(sls.imputed, Contains("queue 'default' for 2 jobs"));
}

TEST(TraceFormats, AJobThatEndsBeyondTheLongestDurationIsRefusedByName) {
  Workload workload;
  workload.jobs.resize(1);
  workload.jobs[0].id = "late";
  workload.jobs[0].submit = Time{longest_duration};
  workload.jobs[0].maps = {ms(1)};
  std::ostringstream out;
  EXPECT_THROW((void)write_rumen(out, workload), InputError);
  EXPECT_THROW((void)write_sls(out, workload), InputError);
}

}  // namespace
}  // namespace wavewright
