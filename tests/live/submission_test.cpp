#include "wavewright/live/submission/submission.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/temporary_folder.h"
#include "wavewright/core/error.h"
#include "wavewright/live/submission/command_files.h"
#include "wavewright/live/submission/own_settings.h"

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

TEST(Submission, OptionsOfALauncherStayBeforeOurs) {
  const std::string tags = "mapreduce.job.tags=wavewright-tonight-1", queue = "mapreduce.job.queuename=etl";
  EXPECT_THAT(
      submitted({"hadoop", "--config", "/etc/a", "--debug", "--loglevel", "WARN", "distcp", "a", "b"}),
      ElementsAre("hadoop", "--config", "/etc/a", "--debug", "--loglevel", "WARN", "distcp", "-D", tags, "-D",
                  queue, "a", "b"));
  EXPECT_THAT(submitted({"yarn", "--config", "/etc/a", "jar", "hadoop-streaming-3.jar", "-input", "in"}),
              ElementsAre("yarn", "--config", "/etc/a", "jar", "hadoop-streaming-3.jar", "-D", tags, "-D",
                          queue, "-input", "in"));
  const std::string tez_tags = "tez.application.tags=wavewright-tonight-1", tez_queue = "tez.queue.name=etl";
  EXPECT_THAT(
      submitted({"hive", "--config", "/etc/h", "--service", "beeline", "-f", "q.sql"}),
      ElementsAre("hive", "--config", "/etc/h", "--service", "beeline", "--hiveconf", tags, "--hiveconf",
                  queue, "--hiveconf", tez_tags, "--hiveconf", tez_queue, "-f", "q.sql"));
  EXPECT_THAT(submitted({"hive", "--service", "cli"}),
              ElementsAre("hive", "--service", "cli", "--hiveconf", tags, "--hiveconf", queue, "--hiveconf",
                          tez_tags, "--hiveconf", tez_queue));
  EXPECT_THAT(
      refusal(job_of({"hive", "--service", "metastore"})),
      HasSubstr("its command starts 'metastore' of Hive, which takes no settings of a job; start cli"));
  EXPECT_EQ(refusal(job_of({"hive", "--service", "hiveserver2", "{hive_options}"})), "none");
  EXPECT_THAT(refusal(job_of({"hadoop", "--config"})), HasSubstr("does not say where"));
}

// Tez knows nothing of MapReduce's limits, priority and labels.
TEST(Submission, AQueryOnTezTakesTagsAndQueueAlone) {
  const SubmissionSettings all{.tags = {"t"},
                               .queue = "etl",
                               .priority = 7,
                               .map_limit = 12,
                               .reduce_limit = 3,
                               .slowstart = 0.8,
                               .map_label = "gpu"};
  const auto without = [](std::vector<std::string> command, const SubmissionSettings& settings) {
    return submission_of(job_of(std::move(command)), settings).without;
  };
  const std::vector<std::string> on_tez = {"hive", "--hiveconf", "hive.execution.engine=tez", "-f", "q.sql"};
  EXPECT_THAT(without(on_tez, all),
              ElementsAre("priority", "map_limit", "reduce_limit", "slowstart", "label", "reduce_label"));
  EXPECT_THAT(without({"beeline", "--hiveconf=hive.execution.engine=tez"}, {.tags = {"t"}, .map_limit = 2}),
              ElementsAre("map_limit"));
  EXPECT_THAT(without(on_tez, nightly), IsEmpty());
  EXPECT_THAT(without({"hive", "-f", "q.sql"}, all), IsEmpty());
  EXPECT_THAT(without({"hive", "--hiveconf", "hive.execution.engine=mr"}, all), IsEmpty());
}

// Hive 4 overwrites the tags of its queries, and a Hive inside Beeline drops all settings.
TEST(Submission, NotesTellWhereTagsDoNotReachTheApplicationsOfHive) {
  const auto notes = [](std::vector<std::string> command) {
    return submission_of(job_of(std::move(command)), nightly).notes;
  };
  EXPECT_THAT(notes({"hive", "-f", "q.sql"}), ElementsAre(HasSubstr("hive.query.tag={tags}")));
  EXPECT_THAT(notes({"run.sh", "{hive_options}"}), ElementsAre(HasSubstr("hive.query.tag={tags}")));
  EXPECT_THAT(notes({"hive", "--hiveconf", "hive.query.tag=mine", "-f", "q.sql"}), testing::SizeIs(1));
  EXPECT_THAT(notes({"hive", "--hiveconf", "hive.query.tag={{tags}}", "-f", "q.sql"}), testing::SizeIs(1));
  EXPECT_THAT(
      notes({"hive", "--hiveconf", "hive.query.tag={tags}", "-e", "set hive.query.tag=mine; select 1"}),
      testing::SizeIs(1));
  EXPECT_THAT(notes({"hive", "-e", "set hive.query.tag={tags}; select 1"}), IsEmpty());
  EXPECT_THAT(notes({"hive", "--hiveconf", "hive.query.tag={tags}", "-f", "q.sql"}), IsEmpty());
  EXPECT_THAT(notes({"beeline", "--hiveconf=hive.query.tag={tags}", "-u", "jdbc:hive2:///"}), IsEmpty());
  EXPECT_THAT(notes({"beeline", "--hiveconf", "hive.query.tag={tags}", "-u", "jdbc:hive2://"}),
              ElementsAre(HasSubstr("write jdbc:hive2:///")));
  EXPECT_THAT(notes({"hadoop", "distcp", "jdbc:hive2://", "b"}), IsEmpty());
  EXPECT_THAT(notes({"pig", "-f", "q.pig"}), IsEmpty());
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

// Spark has executors where others have maps. It refuses a job that begins with more of them than it may
// have.
TEST(Submission, ALimitOfExecutorsIsSparks) {
  const SubmissionSettings capped{.tags = {"t"}, .map_limit = 6, .reduce_limit = 2, .executor_limit = 6};
  const Submission spark = submission_of(job_of({"spark-submit", "a.jar"}), capped);
  EXPECT_THAT(spark.command, ElementsAre("spark-submit", "--conf", "spark.yarn.tags=t", "--conf",
                                         "spark.dynamicAllocation.maxExecutors=6", "a.jar"));
  EXPECT_THAT(spark.without, ElementsAre("reduce_limit"));
  EXPECT_THAT(submitted({"run.sh", "{spark_options}"}, {.tags = {"t"}, .executor_limit = 6}),
              ElementsAre("run.sh", "--conf", "spark.yarn.tags=t", "--conf",
                          "spark.dynamicAllocation.maxExecutors=6"));
  EXPECT_THAT(submitted({"mapred", "streaming"}, {.tags = {"t"}, .executor_limit = 6}),
              ElementsAre("mapred", "streaming", "-D", "mapreduce.job.tags=t"));
  EXPECT_THAT(
      refusal(job_of({"spark-submit", "--conf", "spark.dynamicAllocation.maxExecutors=4", "a.jar"}), capped),
      HasSubstr("sets spark.dynamicAllocation.maxExecutors itself"));
  const auto limited = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "spark-submit");
    const Submission made = submission_of(job_of(arguments), capped);
    const bool told = std::find(made.command.begin(), made.command.end(),
                                "spark.dynamicAllocation.maxExecutors=6") != made.command.end();
    const bool missing =
        std::find(made.without.begin(), made.without.end(), "map_limit") != made.without.end();
    EXPECT_NE(told, missing);
    return told;
  };
  EXPECT_TRUE(limited({"--num-executors", "6", "a.jar"}));
  EXPECT_TRUE(limited({"--num-executors", "many", "a.jar", "7"}));
  EXPECT_TRUE(limited({"--conf", "spark.executor.instances=5", "a.jar"}));
  EXPECT_FALSE(limited({"--num-executors", "7", "a.jar"}));
  EXPECT_FALSE(limited({"--num-executors=7", "a.jar"}));
  EXPECT_FALSE(limited({"--conf", "spark.executor.instances=7", "a.jar"}));
  EXPECT_FALSE(limited({"--conf=spark.dynamicAllocation.minExecutors=7", "a.jar"}));
  EXPECT_FALSE(
      limited({"--conf", "spark.dynamicAllocation.initialExecutors=10", "--num-executors", "2", "a.jar"}));
}

// It must be sure that YARN gets the job as the account's user and in the queue that was told.
TEST(Submission, SubmitsAsItsAccountWhereNoScriptStandsBetween) {
  const auto as_its_account = [](std::vector<std::string> command) {
    return submission_of(job_of(std::move(command)), nightly).as_its_account;
  };
  EXPECT_TRUE(as_its_account({"hadoop", "jar", "a.jar", "Main", "{options}"}));
  EXPECT_TRUE(as_its_account({"/opt/hadoop/bin/mapred", "streaming"}));
  EXPECT_TRUE(as_its_account({"yarn", "jar", "a.jar", "--to={queue}", "--tags={tags}"}));
  EXPECT_TRUE(as_its_account({"sqoop", "import"}));
  EXPECT_TRUE(as_its_account({"pig", "a.pig"}));
  EXPECT_TRUE(as_its_account({"spark-submit", "a.jar"}));
  EXPECT_FALSE(as_its_account({"hadoop", "jar", "a.jar", "{tags}"})) << "it is not told the queue";
  EXPECT_FALSE(as_its_account({"sudo", "-u", "etl", "hadoop", "jar", "a.jar", "{options}"}));
  EXPECT_FALSE(as_its_account({"run.sh", "{options}"}));
  EXPECT_FALSE(as_its_account({"hive", "-f", "q.sql"}));
  EXPECT_FALSE(as_its_account({"beeline"}));
  EXPECT_FALSE(as_its_account({"spark-submit", "--proxy-user", "etl", "a.jar"}));
  EXPECT_FALSE(as_its_account({"spark-submit", "--principal=etl@EXAMPLE.ORG", "a.jar"}));
  EXPECT_FALSE(as_its_account({"spark-submit", "--queue", "etl", "a.jar"}));
  const SubmissionSettings no_queue{.tags = {"t"}};
  EXPECT_TRUE(submission_of(job_of({"spark-submit", "a.jar"}), no_queue).as_its_account);
  EXPECT_FALSE(submission_of(job_of({"spark-submit", "--queue", "adhoc", "a.jar"}), no_queue).as_its_account);
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

// One of two values wins on the cluster, and it is not ours: of a deprecated name, of an option that comes
// before a setting, or where a word of the job holds it.
TEST(Submission, SettingsOfOursAreRefusedByEachName) {
  const SubmissionSettings all{.tags = {"t"}, .queue = "etl", .priority = 7, .slowstart = 0.5};
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"mapred", "streaming", "-D", "mapred.job.queue.name=x"}, "mapred.job.queue.name"},
      {{"mapred", "streaming", "-Dmapred.job.queue.name=x"}, "mapred.job.queue.name"},
      {{"mapred", "streaming", "-D=mapreduce.job.queuename=x"}, "mapreduce.job.queuename"},
      {{"mapred", "streaming", "-D mapreduce.job.queuename =x"}, "mapreduce.job.queuename"},
      {{"mapred", "streaming", "-jobconf", "mapred.job.queue.name=x"}, "mapred.job.queue.name"},
      {{"mapred", "streaming", "-D", "mapred.job.priority=HIGH"}, "mapred.job.priority"},
      {{"pig", "-Dmapred.reduce.slowstart.completed.maps=0"}, "mapred.reduce.slowstart.completed.maps"},
      {{"hive", "-hiveconf", "mapred.job.queue.name=x"}, "mapred.job.queue.name"},
      {{"hive", "-hiveconf=tez.queue.name=x"}, "tez.queue.name"},
      {{"spark-submit", "--queue", "x", "a.jar"}, "--queue"},
      {{"spark-submit", "--verbose", "--queue=x", "a.jar"}, "--queue"},
      {{"spark-submit", "-c", "spark.yarn.queue=x", "a.jar"}, "spark.yarn.queue"}};
  for (const auto& [command, name] : cases) {
    EXPECT_THAT(refusal(job_of(command), all),
                HasSubstr("its command sets " + name + " itself; take it out"));
    EXPECT_EQ(refusal(job_of(command), {.tags = {"t"}}), "none")
        << "where we set none, " << name << " is free";
  }
  EXPECT_EQ(refusal(job_of({"spark-submit", "a.jar", "--queue", "x"}), all), "none")
      << "the application's own";
  EXPECT_EQ(refusal(job_of({"spark-submit", "--name", "--queue", "a.jar"}), all), "none") << "a name";
  EXPECT_EQ(refusal(job_of({"spark-submit", "--queue", "{queue}", "a.jar"}), all), "none")
      << "the same queue";
  EXPECT_EQ(refusal(job_of({"run.sh", "{options}", "--queue", "x"}), all), "none");
  Job hidden = job_of({"mapred", "streaming", "-D", "{name}"});
  hidden.name = "mapred.job.queue.name=x";
  EXPECT_THAT(refusal(hidden, all), HasSubstr("sets mapred.job.queue.name itself"));
}

TEST(Submission, AScriptOfHiveOrPigSetsTheTagsOfItsJobs) {
  for (const char* script : {"set mapreduce.job.tags=mine", "x; SET  mapreduce.job.tags = mine; select 1",
                             "Set\thiveconf:mapreduce.job.tags=mine", "SET 'mapreduce.job.tags' 'mine';",
                             "set \"mapreduce.job.tags\" x", "-- why\nset mapreduce.job.tags=mine;",
                             "select 1; -- why\n set mapreduce.job.tags=mine;"}) {
    EXPECT_TRUE(sets_in_script(script, "mapreduce.job.tags")) << script;
    EXPECT_THAT(refusal(job_of({"hive", "-e", script})), HasSubstr("sets mapreduce.job.tags itself"))
        << script;
    EXPECT_THAT(refusal(job_of({"pig", "-execute", script})), HasSubstr("sets mapreduce.job.tags itself"));
    EXPECT_EQ(refusal(job_of({"mapred", "streaming", "-e", script})), "none") << "no script";
  }
  for (const char* script :
       {"", "set", "mapreduce.job.tags", "reset mapreduce.job.tags=x", "set mapreduce.job.tags.more=x",
        "setmapreduce.job.tags", "select 'mapreduce.job.tags'", "set a=mapreduce.job.tags",
        "-- set mapreduce.job.tags=mine;\nselect 1", "select 1;\n\t --set mapreduce.job.tags=mine"}) {
    EXPECT_FALSE(sets_in_script(script, "mapreduce.job.tags")) << script;
  }
}

// A folder with a.jar, b.jar, app.R, q.sql, x.txt and the folder `dir`.
class FilesOfACommand : public ::testing::Test {
 protected:
  FilesOfACommand() {
    for (const char* name : {"a.jar", "b.jar", "app.R", "q.sql", "x.txt"}) write(name, "");
    std::filesystem::create_directory(folder_.path() / "dir");
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.path() / name) << text;
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

  // `jar x`, `file x` or `unreadable x` of the first that is not there; else empty.
  [[nodiscard]] std::string missing(const std::vector<std::string>& command) const {
    const std::optional<MissingFile> found = missing_file(command, folder_.path());
    if (!found) return {};
    return (found->is_there ? "unreadable " : found->is_jar ? "jar " : "file ") + found->path;
  }
  // The file and the name; empty if none of those settings is in a file.
  [[nodiscard]] std::string hidden(const std::vector<std::string>& command) const {
    const std::vector<std::string> keys = {"mapreduce.job.tags", "mapreduce.job.queuename",
                                           "spark.yarn.queue"};
    const std::optional<SettingInFile> found = own_setting_in_files(command, keys, folder_.path());
    return found ? found->file + " " + found->name : "";
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(FilesOfACommand, TheJarOfHadoopMustBeThere) {
  EXPECT_EQ(missing({"hadoop", "jar", "a.jar", "none.jar"}), "");
  EXPECT_EQ(missing({"hadoop", "jar", path("a.jar")}), "");
  EXPECT_EQ(missing({"hadoop", "jar", "none.jar"}), "jar none.jar");
  EXPECT_EQ(missing({"/opt/bin/yarn", "--config", "c", "jar", "none.jar"}), "jar none.jar");
  EXPECT_EQ(missing({"hadoop", "jar", "dir"}), "jar dir");
  EXPECT_EQ(missing({"hadoop", "jar", "file:" + path("none.jar")}), "jar " + path("none.jar"));
  EXPECT_EQ(missing({"hadoop", "jar", "file://" + path("a.jar")}), "");
  for (const char* elsewhere : {"hdfs:///none.jar", "s3a://bucket/none.jar", "http://host/none.jar"})
    EXPECT_EQ(missing({"hadoop", "jar", elsewhere}), "") << elsewhere;
  EXPECT_EQ(missing({"hadoop", "fs", "-ls", "none.jar"}), "");
  EXPECT_EQ(missing({"Rscript", "none.R"}), "");
  if (::geteuid() == 0) return;  // who may read all
  ::chmod(path("a.jar").c_str(), 0);
  EXPECT_EQ(missing({"hadoop", "jar", "a.jar"}), "unreadable a.jar");
}

TEST_F(FilesOfACommand, GenericOptionsListFiles) {
  EXPECT_EQ(missing({"hadoop", "jar", "a.jar", "Main", "-D", "k=v", "-libjars", "b.jar,none.jar", "in"}),
            "jar none.jar");
  EXPECT_EQ(missing({"hadoop", "jar", "a.jar", "-Dk=v", "-files", "x.txt#y,none.txt#z"}), "file none.txt");
  EXPECT_EQ(missing({"mapred", "streaming", "--files=none.txt"}), "file none.txt");
  EXPECT_EQ(missing({"mapred", "streaming", "-archives", "s3a://b/c.zip,dir", "-input", "none"}), "");
  EXPECT_EQ(missing({"mapred", "streaming", "-libjars", "lib/*,none%20.jar"}), "") << "a pattern, an escape";
  EXPECT_EQ(missing({"mapred", "streaming", "-input", "in", "-files", "none.txt"}), "")
      << "no generic option";
  EXPECT_EQ(missing({"hadoop", "distcp", "-conf", "none.xml", "a", "b"}), "") << "Hadoop passes it over";
  EXPECT_EQ(missing({"sqoop", "import", "-libjars", "none.jar"}), "jar none.jar");
  EXPECT_EQ(missing({"mapred", "streaming", "-input", "in", "-file", "none.sh"}), "file none.sh");
  EXPECT_EQ(missing({"hadoop", "jar", "a.jar", "-file", "none.sh"}), "") << "not that of streaming";
}

TEST_F(FilesOfACommand, TheApplicationOfSparkIsTheFirstWordThatIsNoOption) {
  EXPECT_EQ(missing({"spark-submit", "--class", "Main", "--master=yarn", "none.jar", "x"}), "jar none.jar");
  EXPECT_EQ(missing({"spark-submit", "--verbose", "--conf", "k=v", "-c", "k=v", "app.R", "none.R"}), "");
  EXPECT_EQ(missing({"spark-submit", "none.R"}), "file none.R");
  EXPECT_EQ(missing({"spark-submit", "dir"}), "file dir");
  EXPECT_EQ(missing({"spark-submit", "--jars", "b.jar, none.jar", "a.jar"}), "jar none.jar");
  EXPECT_EQ(missing({"spark-submit", "--py-files=none.zip", "app.R"}), "file none.zip");
  EXPECT_EQ(missing({"spark-submit", "--properties-file", "none.conf", "a.jar"}), "file none.conf");
  EXPECT_EQ(missing({"spark-submit", "--files", "local:/none,hdfs:/none,x.txt#y", "a.jar"}), "");
  EXPECT_EQ(missing({"spark-submit", "hdfs:///none.jar"}), "");
  EXPECT_EQ(missing({"spark-submit", "--class", "Main", "spark-internal"}), "");
  EXPECT_EQ(missing({"spark-submit", "--of-another-version", "none.jar"}), "") << "it may have a value";
  EXPECT_EQ(missing({"spark-submit", "--kill", "driver-1"}), "");
}

TEST_F(FilesOfACommand, TheScriptOfHiveMustBeThere) {
  EXPECT_EQ(missing({"hive", "-f", "q.sql"}), "");
  EXPECT_EQ(missing({"hive", "--hiveconf", "k=v", "-f", "none.sql"}), "file none.sql");
  EXPECT_EQ(missing({"beeline", "-u", "jdbc:hive2://host", "-f", "none.sql"}), "file none.sql");
  EXPECT_EQ(missing({"hive", "-f", "hdfs:///none.sql"}), "");
  EXPECT_EQ(missing({"hive", "--service", "metastore", "-f", "none.sql"}), "");
}

TEST_F(FilesOfACommand, AFileOfSettingsMayHideOurs) {
  const auto site = [&](const std::string& text) {
    write("own.xml", "<configuration>" + text + "</configuration>");
    return hidden({"mapred", "streaming", "-D", "k=v", "-conf", "own.xml", "-input", "in"});
  };
  EXPECT_EQ(site("<property><name> mapred.job.queue.name </name><value>x</value></property>"),
            "own.xml mapred.job.queue.name");
  EXPECT_EQ(site(R"(<property name="mapreduce.job.tags" value="x"/>)"), "own.xml mapreduce.job.tags");
  EXPECT_EQ(site("<property><name>mapreduce.job.tags.more</name><value>x</value></property>"), "");
  EXPECT_EQ(site("<!-- <property><name>mapreduce.job.tags</name></property> -->"), "");
  EXPECT_EQ(site("<property><name>k</name><description>as mapreduce.job.tags</description></property>"), "");
  const auto properties = [&](const std::string& text) {
    write("spark.conf", text);
    return hidden({"spark-submit", "--properties-file", "spark.conf", "a.jar"});
  };
  for (const char* line : {"k v\n spark.yarn.queue\tetl\n", "spark.yarn.queue=etl", "spark.yarn.queue: etl"})
    EXPECT_EQ(properties(line), "spark.conf spark.yarn.queue") << line;
  for (const char* line : {"# spark.yarn.queue etl\n", "spark.yarn.queue.more=etl", "k=spark.yarn.queue", ""})
    EXPECT_EQ(properties(line), "") << line;
  EXPECT_EQ(hidden({"mapred", "streaming", "-conf", "none.xml"}), "");
  EXPECT_EQ(hidden({"mapred", "streaming", "-conf", "dir"}), "");
  EXPECT_EQ(hidden({"mapred", "streaming", "-conf", "hdfs:///own.xml"}), "");
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

TEST(Submission, TellsWhichCommandsStartSeveralApplications) {
  const auto several = [](const Job& job) { return submission_of(job, nightly).many_applications; };
  EXPECT_TRUE(several(job_of({"pig", "x.pig"})));
  EXPECT_TRUE(several(job_of({"hive", "-f", "hdfs:/x.sql"})));
  EXPECT_TRUE(several(job_of({"my-hive.sh", "{hive_options}"})));
  EXPECT_TRUE(several(job_of({"/opt/sqoop/bin/sqoop", "import-all-tables"})));
  EXPECT_FALSE(several(job_of({"sqoop", "import"})));
  Job job = job_of({"nightly.sh", "{options}"});
  EXPECT_FALSE(several(job));
  job.several_applications = true;
  EXPECT_TRUE(several(job));
}

TEST(Submission, OfWhatProgramsTakeNothingIsLost) {
  SubmissionSettings first = nightly;
  first.priority = 7;
  EXPECT_THAT(submitted({"spark-submit", "x.jar"}, first), ::testing::Contains("spark.yarn.priority=7"));
  EXPECT_EQ(submitted({"mapred", "pipes", "-input"})[2], "-D");
  EXPECT_THAT(refusal(job_of({"sqoop"})), HasSubstr("does not say where"));
  EXPECT_THAT(refusal(job_of({"sqoop", "--options-file", "x"})), HasSubstr("where Sqoop's tool stands"));
  EXPECT_EQ(refusal(job_of({"sqoop", "--options-file", "x", "{options}"})), "none");
  EXPECT_THAT(refusal(job_of({"hadoop", "jar", "hadoop-streaming-3.jar.bak"})),
              HasSubstr("put {options} where"));
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
