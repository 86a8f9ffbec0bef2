// Alibaba's graphs of tasks as workloads.
#include "wavewright/job/alibaba.h"
#include "tests/property.h"

#include "tests/job/temporary_file.h"
#include "wavewright/core/error.h"

namespace wavewright {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Conversion read(const std::string& content) {
  const TemporaryFile file(content, ".csv");
  return read_alibaba(file.path());
}

// task, job, start, end
std::string row(const std::string& task, const std::string& job = "j_1", int start = 100, int end = 110,
                const char* status = "Terminated") {
  return fmt::format("{},2,{},1,{},{},{},100,0.39\n", task, job, status, start, end);
}

TEST(AlibabaNames, SayWhatATaskWaitsFor) {
  const auto after = [](const char* name) { return parse_task_name(name).after; };
  EXPECT_EQ(parse_task_name("M1").number, 1);
  EXPECT_THAT(after("M1"), IsEmpty());
  EXPECT_EQ(parse_task_name("R14_2").number, 14);
  EXPECT_THAT(after("R14_2"), ElementsAre(2));
  EXPECT_THAT(after("J5_4_3_4"), ElementsAre(3, 4));
  EXPECT_THAT(after("M2_1_Stg3"), ElementsAre(1)) << "only numbers count";
  for (const char* name : {"task_Nzg3ODAwNDgzMTAwNTc2NTQ2Mw==", "MergeTask", "", "_1", "12_1", "M0_1",
                           "M1x_2", "M99999999999999999999_1"}) {
    EXPECT_EQ(parse_task_name(name).number, 0) << name;
    EXPECT_THAT(after(name), IsEmpty()) << name;
  }
}

TEST(Alibaba, ATaskIsAJobOfItsInstancesAndWaitsForItsPredecessors) {
  const TemporaryFile file(
      row("R2_1", "j_1", 112, 130) + row("M1") + "task_Nzg=,1,j_0,3,Terminated,90,95,50,\n", ".csv");
  EXPECT_EQ(detect_format(file.path()), WorkloadFormat::alibaba);
  const Conversion made = read_alibaba(file.path());
  const std::vector<Job>& jobs = made.workload.jobs;
  ASSERT_EQ(jobs.size(), 3U);
  EXPECT_EQ(jobs[0].id, "j_0/task_Nzg=");
  EXPECT_EQ(jobs[0].submit, at_ms(90'000));
  EXPECT_EQ(jobs[1].id, "j_1/R2_1");
  EXPECT_EQ(jobs[1].submit, at_ms(100'000)) << "the earliest start in the job";
  EXPECT_EQ(jobs[1].maps, std::vector(2, ms(18'000)));
  EXPECT_EQ(jobs[1].after, std::vector<std::string>{"j_1/M1"});
  EXPECT_THAT(made.kept, ElementsAre(HasSubstr("3 tasks of 2 jobs, each a job 'JOB/TASK', and 1 edges")));
  EXPECT_THAT(made.imputed, Contains(HasSubstr("5 maps: one an instance")));
  EXPECT_THAT(made.imputed, Contains(HasSubstr("1 tasks whose names say nothing")));
}

TEST(Alibaba, ColumnsAreTakenInEitherOrderAndAHeaderIsNoRow) {
  const Conversion made = read(
      "task_name,inst_num,task_type,job_name,status,start_time,end_time,plan_cpu,plan_mem\n"
      "M1,1,12,j_9,Terminated,5,6,100,0.1\n");
  EXPECT_EQ(made.workload.jobs.at(0).id, "j_9/M1");
  EXPECT_EQ(made.dropped_rows, 0);
}

TEST(Alibaba, RowsThatCannotBeUsedAreDroppedWithTheirReason) {
  const Conversion made =
      read(row("M1") + row("M2", "j_1", 100, 110, "Failed") + row("M3", "j_1", 0, 110) +
           row("M4", "j_1", 100, 0) + row("M5", "j_1", 110, 100) + row("M1") + "M6,1,j_1\n" +
           "M7,0,j_1,1,Terminated,1,2,3,4\nM8,,j_1,1,Terminated,1,2,3,4\n" +
           "M9,1,j_1,1,Terminated,1,99999999999999999999,3,4\n" +
           "M9,1,j_1,1,Terminated,1,999999999999999999,3,4\n,1,j_1,1,Terminated,1,2,3,4\n" + row("R9_2_1"));
  EXPECT_EQ(made.workload.jobs.size(), 2U);
  EXPECT_EQ(made.dropped_rows, 11);
  for (const char* reason :
       {"1 rows: the task is not 'Terminated' (first on line 2)", "3 rows: it tells no start or no end",
        "it ends before it starts", "its task was told before (first on line 6)", "it has not 9 columns",
        "2 rows: it tells no instances", "it ends too late", "it names no task or no job",
        "1 edges to tasks that are not among those kept"}) {
    EXPECT_THAT(made.dropped, Contains(HasSubstr(reason)));
  }
}

TEST(Alibaba, ACircleLosesItsEdgesAndNotTheTrace) {
  const Conversion made =
      read(row("M1_2") + row("M2_1") + row("R3_2") + row("M4_4") + row("M5") + row("R6_5"));
  EXPECT_EQ(made.workload.jobs.size(), 6U);
  EXPECT_THAT(made.dropped, Contains("4 edges in or behind circles"));
  EXPECT_EQ(made.workload.jobs[5].after, std::vector<std::string>{"j_1/M5"});
}

TEST(Alibaba, ANumberThatTwoTasksHaveMeansTheFirst) {
  const Conversion made = read(row("M1") + row("J1") + row("R2_1"));
  EXPECT_EQ(made.workload.jobs[2].after, std::vector<std::string>{"j_1/M1"});
  EXPECT_THAT(made.dropped, Contains(HasSubstr("1 task numbers used again")));
}

TEST(Alibaba, WhatHoldsNoTaskIsRefusedWithAReason) {
  const auto says = [](const std::string& content) -> std::string {
    try {
      (void)read(content);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(says(""), HasSubstr("holds no task"));
  EXPECT_THAT(says("M1,1,j_1,1,Terminated,1,"), HasSubstr("it has not 9 columns (first on line 1)"));
  EXPECT_THAT(says(row("M2") + "M1,1000000000000000,j_1,1,Terminated,1,2,3,4\n"),
              testing::AllOf(HasSubstr(":2: more than "), HasSubstr(" instances in all")));
}

// Any names make a workload that holds together: what is dropped are edges.
TEST(Alibaba, AnyGraphMakesAWorkloadWithoutCircles) {
  holds_always([] {
    std::string table;
    Count rows = 0;
    for (int i = *rc::gen::inRange(1, 12); i > 0; --i) {
      std::string name(1, *rc::gen::element('M', 'R', 'J'));
      name += fmt::format("{}", *rc::gen::inRange(1, 7));
      for (int n = *rc::gen::inRange(0, 4); n > 0; --n) name += fmt::format("_{}", *rc::gen::inRange(1, 8));
      table += row(name, std::string(1, *rc::gen::element('a', 'b')));
      ++rows;
    }
    const Conversion made = read(table);
    RC_ASSERT(static_cast<Count>(made.workload.jobs.size()) + made.dropped_rows == rows);
    check(made.workload, "any graph");
  });
}

}  // namespace
}  // namespace wavewright
