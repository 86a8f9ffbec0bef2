#include "wavewright/live/submission/submission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wavewright/core/error.h"

namespace wavewright {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Job job_of(std::vector<std::string> command) {
  Job job;
  job.id = "J1";
  job.name = "nightly etl";
  job.user = "ada";
  job.command = std::move(command);
  return job;
}

const SubmissionSettings nightly = {.tags = {"wavewright-tonight-1"}, .queue = "etl"};

std::vector<std::string> submitted(std::vector<std::string> command,
                                   const SubmissionSettings& settings = nightly) {
  return submission_of(job_of(std::move(command)), settings).command;
}

std::string refusal(const Job& job, const SubmissionSettings& settings = nightly) {
  try {
    (void)submission_of(job, settings);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "none";
}

TEST(Submission, OptionsStandWhereEachProgramReadsThem) {
  const std::string tags = "mapreduce.job.tags=wavewright-tonight-1", queue = "mapreduce.job.queuename=etl";
  EXPECT_THAT(
      submitted({"hadoop", "jar", "etl.jar", "com.example.Etl", "{options}", "in", "out"}),
      ElementsAre("hadoop", "jar", "etl.jar", "com.example.Etl", "-D", tags, "-D", queue, "in", "out"));
  EXPECT_THAT(submitted({"/opt/hadoop/bin/hadoop", "jar", "/lib/hadoop-streaming-3.4.2.jar", "-input", "in"}),
              ElementsAre("/opt/hadoop/bin/hadoop", "jar", "/lib/hadoop-streaming-3.4.2.jar", "-D", tags,
                          "-D", queue, "-input", "in"));
  EXPECT_THAT(submitted({"mapred", "streaming", "-input", "in"}),
              ElementsAre("mapred", "streaming", "-D", tags, "-D", queue, "-input", "in"));
  EXPECT_THAT(submitted({"hadoop", "distcp", "a", "b"}),
              ElementsAre("hadoop", "distcp", "-D", tags, "-D", queue, "a", "b"));
  EXPECT_THAT(submitted({"sqoop", "import", "--table", "t"}),
              ElementsAre("sqoop", "import", "-D", tags, "-D", queue, "--table", "t"));
  EXPECT_THAT(submitted({"pig", "-f", "a.pig"}),
              ElementsAre("pig", "-D" + tags, "-D" + queue, "-f", "a.pig"));
  EXPECT_THAT(submitted({"spark-submit", "app.jar"}),
              ElementsAre("spark-submit", "--conf", "spark.yarn.tags=wavewright-tonight-1", "--conf",
                          "spark.yarn.queue=etl", "app.jar"));
  EXPECT_THAT(submitted({"hive", "-f", "q.sql"}),
              ElementsAre("hive", "--hiveconf", tags, "--hiveconf", queue, "--hiveconf",
                          "tez.application.tags=wavewright-tonight-1", "--hiveconf", "tez.queue.name=etl",
                          "-f", "q.sql"));
  EXPECT_THAT(submitted({"mapred", "streaming"}, {.tags = {"t", "u"}}),
              ElementsAre("mapred", "streaming", "-D", "mapreduce.job.tags=t,u"));
}

TEST(Submission, LimitsAndPriorityAreOptions) {
  const SubmissionSettings all{
      .tags = {"t", "u"}, .priority = 7, .map_limit = 12, .reduce_limit = 3, .slowstart = 0.8};
  EXPECT_THAT(submitted({"run.sh", "{options}"}, all),
              ElementsAre("run.sh", "-D", "mapreduce.job.tags=t,u", "-D", "mapreduce.job.priority=7", "-D",
                          "mapreduce.job.running.map.limit=12", "-D", "mapreduce.job.running.reduce.limit=3",
                          "-D", "mapreduce.job.reduce.slowstart.completedmaps=0.8"));
  const Submission spark = submission_of(job_of({"spark-submit", "a.jar"}), all);
  EXPECT_THAT(spark.without, ElementsAre("map_limit", "reduce_limit", "slowstart"));
  const Submission words = submission_of(job_of({"run.sh", "{tags}", "{map_limit}"}), all);
  EXPECT_THAT(words.command, ElementsAre("run.sh", "t,u", "12"));
  EXPECT_THAT(words.without, ElementsAre("priority", "reduce_limit", "slowstart"));
}

TEST(Submission, LabelsAreOptionsOfEachStage) {
  const SubmissionSettings both{.tags = {"t"}, .map_label = "gpu", .reduce_label = "cpu-2"};
  const std::string job = "mapreduce.job.node-label-expression=gpu";
  const std::string map = "mapreduce.map.node-label-expression=gpu";
  const std::string reduce = "mapreduce.reduce.node-label-expression=cpu-2";
  EXPECT_THAT(submitted({"run.sh", "{options}"}, both),
              ElementsAre("run.sh", "-D", "mapreduce.job.tags=t", "-D", job, "-D", map, "-D", reduce));
  EXPECT_THAT(submitted({"pig", "a.pig"}, both),
              ElementsAre("pig", "-Dmapreduce.job.tags=t", "-D" + job, "-D" + map, "-D" + reduce, "a.pig"));
  const Submission spark = submission_of(job_of({"spark-submit", "a.jar"}), both);
  EXPECT_THAT(spark.command, ElementsAre("spark-submit", "--conf", "spark.yarn.tags=t", "--conf",
                                         "spark.yarn.am.nodeLabelExpression=gpu", "--conf",
                                         "spark.yarn.executor.nodeLabelExpression=gpu", "a.jar"));
  EXPECT_THAT(spark.without, ElementsAre("reduce_label"));
  // A stage on nodes without a label, where the master can be, too.
  const SubmissionSettings maps{.tags = {"t"}, .map_label = "gpu"};
  EXPECT_THAT(submitted({"run.sh", "{options}"}, maps),
              ElementsAre("run.sh", "-D", "mapreduce.job.tags=t", "-D", map));
  EXPECT_THAT(submitted({"run.sh", "{options}"}, {.tags = {"t"}, .reduce_label = "cpu-2"}),
              ElementsAre("run.sh", "-D", "mapreduce.job.tags=t", "-D", reduce));
  EXPECT_THAT(submitted({"spark-submit", "a.jar"}, maps),
              ElementsAre("spark-submit", "--conf", "spark.yarn.tags=t", "--conf",
                          "spark.yarn.executor.nodeLabelExpression=gpu", "a.jar"));
}

TEST(Submission, ALabelIsAWordToo) {
  const SubmissionSettings gpu{.tags = {"t"}, .map_label = "gpu", .reduce_label = "gpu"};
  const Submission words = submission_of(job_of({"run.sh", "{tags}", "--label={label}"}), gpu);
  EXPECT_THAT(words.command, ElementsAre("run.sh", "t", "--label=gpu"));
  EXPECT_THAT(words.without, IsEmpty());
  EXPECT_THAT(submitted({"run.sh", "{tags}", "{label}"}, {.tags = {"t"}}), ElementsAre("run.sh", "t", ""));
  EXPECT_THAT(submission_of(job_of({"run.sh", "{tags}"}), gpu).without, ElementsAre("label"));
  const SubmissionSettings maps{.tags = {"t"}, .map_label = "gpu"};
  EXPECT_THAT(submission_of(job_of({"run.sh", "{tags}", "{label}"}), maps).without,
              ElementsAre("reduce_label"));
  EXPECT_THAT(refusal(job_of({"x", "{options}", "-Dmapreduce.map.node-label-expression=mine"}), maps),
              HasSubstr("sets mapreduce.map.node-label-expression itself"));
  EXPECT_EQ(refusal(job_of({"x", "{options}", "-Dmapreduce.map.node-label-expression=mine"})), "none");
  for (const std::string label : {"-gpu", "gpu && cpu", "a=b"}) {
    EXPECT_THAT(refusal(job_of({"pig"}), {.tags = {"t"}, .map_label = label}), HasSubstr("no node label"))
        << label;
    EXPECT_THAT(refusal(job_of({"pig"}), {.tags = {"t"}, .reduce_label = label}), HasSubstr("no node label"))
        << label;
  }
}

TEST(Submission, WordsStandForValues) {
  EXPECT_THAT(
      submitted(
          {"run.sh", "--tags={tags}", "--queue", "{queue}", "{name}/{id}", "{map_limit}", "{priority}"}),
      ElementsAre("run.sh", "--tags=wavewright-tonight-1", "--queue", "etl", "nightly etl/J1", "0", "0"));
  EXPECT_EQ(submitted({"run.sh", "{tags}", "--as={user}"})[2], "--as=ada");
  EXPECT_THAT(
      submitted({"run.sh", "{tags}", R"({"a":{"b":1}})", "{{queue}}", "{{}}", "{Q}", "{", "}"}),
      ElementsAre("run.sh", "wavewright-tonight-1", R"({"a":{"b":1}})", "{queue}", "{{}}", "{Q}", "{", "}"));
  EXPECT_THAT(submitted({"run.sh", "{tags}", "{{queue}x"}),
              ElementsAre("run.sh", "wavewright-tonight-1", "{etlx"));
  EXPECT_THAT(submitted({"run.sh", "{spark_options}"}),
              ElementsAre("run.sh", "--conf", "spark.yarn.tags=wavewright-tonight-1", "--conf",
                          "spark.yarn.queue=etl"));
}

TEST(Submission, TextsStayOneArgument) {
  Job job = job_of({"run.sh", "{tags}", "x{name}"});
  job.name = "a; rm -rf / $(id) 'b'";
  EXPECT_THAT(submission_of(job, nightly).command,
              ElementsAre("run.sh", "wavewright-tonight-1", "xa; rm -rf / $(id) 'b'"));
  EXPECT_THAT(submission_of(job, nightly).without, ElementsAre("queue"));
}

TEST(Submission, WhatCannotBeSubmittedSaysWhy) {
  EXPECT_THAT(refusal(job_of({})), HasSubstr("has no command"));
  EXPECT_THAT(refusal(job_of({"hadoop", "jar", "etl.jar", "in", "out"})), HasSubstr("put {options} where"));
  EXPECT_THAT(refusal(job_of({"hadoop"})), HasSubstr("does not say where"));
  EXPECT_THAT(refusal(job_of({"{options}"})), HasSubstr("begin it with a program"));
  EXPECT_THAT(refusal(job_of({"x", "a{options}"})), HasSubstr("make it one of its own"));
  EXPECT_THAT(refusal(job_of({"x", "{tags}", "{queu}"})), HasSubstr("did you mean 'queue'"));
  EXPECT_THAT(refusal(job_of({"x", "{options}", "-D", "mapreduce.job.tags=mine"})),
              HasSubstr("sets mapreduce.job.tags itself"));
  EXPECT_THAT(refusal(job_of({"x", "{options}", "-Dmapreduce.job.queuename=mine"})),
              HasSubstr("sets mapreduce.job.queuename itself"));
  EXPECT_EQ(refusal(job_of({"x", "{options}", "-Dmapreduce.job.tags.more=mine"})), "none");
  EXPECT_THAT(refusal(job_of({"spark-submit", "--conf=spark.yarn.tags=mine", "x.jar"})),
              HasSubstr("sets spark.yarn.tags itself"));
  EXPECT_THAT(refusal(job_of({"hive", "--hiveconf=mapreduce.job.tags=mine"})),
              HasSubstr("sets mapreduce.job.tags itself"));
  Job amplified = job_of({"x", "{tags}"});
  amplified.name = std::string(1'000, 'n');
  for (int i = 0; i < 100; ++i) amplified.command.emplace_back("{name}");
  EXPECT_EQ(refusal(amplified), "none");
  amplified.command.resize(105, "{name}");
  EXPECT_THAT(refusal(amplified), HasSubstr("too long with what its words stand for"));
  amplified.name += 'n';
  EXPECT_THAT(refusal(amplified), HasSubstr("its name has 1001 bytes"));
  Job option = job_of({"x", "{tags}", "{name}"});
  option.name = "-Dmapreduce.job.queuename=root";
  EXPECT_THAT(refusal(option), HasSubstr("would be read as an option"));
  option.name = "a\nb";
  EXPECT_THAT(refusal(option), HasSubstr("control character"));
  for (const std::string tag : {"", "Tag", "a b", "a,b"})
    EXPECT_THAT(refusal(job_of({"pig"}), {.tags = {tag}}), HasSubstr("no tag that YARN takes")) << tag;
  EXPECT_THAT(refusal(job_of({"pig"}), {.tags = {std::string(101, 'a')}}), HasSubstr("no tag"));
  for (const std::string queue : {"-Dx", "a b", "a=b", "a,b"})
    EXPECT_THAT(refusal(job_of({"pig"}), {.tags = {"t", "u"}, .queue = queue}),
                HasSubstr("no name of a queue"))
        << queue;
}

TEST(Submission, TagsAreTakenByYarnAndTellJobsApart) {
  const std::string tag = job_tag("Nightly 2026/11/23 " + std::string(200, 'x'), "job ü");
  EXPECT_LE(tag.size(), 100U);
  EXPECT_EQ(refusal(job_of({"pig"}), {.tags = {tag}}), "none") << tag;
  EXPECT_EQ(tag, job_tag("Nightly 2026/11/23 " + std::string(200, 'x'), "job ü"));
  EXPECT_NE(job_tag("a", "b"), job_tag("a", "c"));
  EXPECT_NE(run_tag("a"), job_tag("a", ""));
  EXPECT_NE(run_tag("A"), run_tag("a"));
  EXPECT_THAT(run_tag("Tonight"), ::testing::StartsWith("wavewright-tonight-"));
  EXPECT_NE(job_tag("a b", "c"), job_tag("a-b", "c")) << "alike in YARN's letters only";
  EXPECT_NE(job_tag(std::string(70, 'a') + "1", "b"), job_tag(std::string(70, 'a') + "2", "b"));
}

TEST(Submission, ShellTextIsReadBackAsTheSameArguments) {
  EXPECT_EQ(shell_text({"hadoop", "-D", "a=b", "it's", "", "$HOME"}),
            R"(hadoop -D a=b 'it'\''s' '' '$HOME')");
}

TEST(Submission, OfWhatProgramsTakeNothingIsLost) {
  SubmissionSettings first = nightly;
  first.priority = 7;
  EXPECT_THAT(submitted({"spark-submit", "x.jar"}, first), ::testing::Contains("spark.yarn.priority=7"));
  EXPECT_EQ(submitted({"mapred", "pipes", "-input"})[2], "-D");
  EXPECT_THAT(refusal(job_of({"sqoop"})), HasSubstr("does not say where"));
  EXPECT_THAT(refusal(job_of({"hadoop", "jar", "hadoop-streaming-3.jar.bak"})),
              HasSubstr("put {options} where"));
  EXPECT_TRUE(submission_of(job_of({"pig", "x.pig"}), nightly).many_applications);
  EXPECT_EQ(submitted({"x", "{tags}", "{queue}"}, {.tags = {"t"}})[2], "default");
  Job job = job_of({"x", "{tags}", "a{name}"});
  job.name = "-b";
  EXPECT_EQ(submission_of(job, nightly).command[2], "a-b");
  for (const char control : {'\x1f', '\x7f', '\x01'}) {
    job.name = std::string("a") + control;
    EXPECT_THAT(refusal(job), HasSubstr("control character"));
  }
}

}  // namespace
}  // namespace wavewright
