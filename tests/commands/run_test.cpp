// `wavewright run` as a user calls it: what would be submitted, in which order, and what is to be expected.
#include <fstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/commands/even_runs.h"
#include "tests/commands/run.h"
#include "tests/server.h"
#include "tests/temporary_folder.h"
#include "wavewright/live/batch/batch_store.h"

namespace wavewright {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

class RunCommand : public CommandTest {
 protected:
  // Three jobs of one map, for two slots: 20 s if the longest goes first, as listed, and 30 s if it goes
  // last.
  void write_night() {
    write("night.jsonl",
          R"({"id":"c","name":"long","map_ms":[20000],"command":["mapred","streaming","-input","c"]})"
          "\n"
          R"({"id":"a","name":"one","map_ms":[10000],"command":["spark-submit","a.jar"]})"
          "\n"
          R"({"id":"b","name":"two","map_ms":[10000],"command":["pig","b.pig"],"queue":"etl"})"
          "\n");
    write("last.json", R"({"order":["a","b","c"]})");
    write("first.json", R"({"order":["c","b","a"]})");
    write("cluster.toml", "[[nodes]]\ncount = 1\nmap_slots = 2\nreduce_slots = 1\n");
  }
};

TEST_F(RunCommand, SaysWhatWouldBeSubmittedAndWhen) {
  write("jobs.jsonl",
        R"({"id":"a","name":"etl","command":["hadoop","jar","a.jar","{options}","it's"]})"
        "\n"
        R"({"id":"b","name":"report","after":["a"],"not_before_ms":7200000,"command":["pig","b.pig"]})"
        "\n");
  const CommandResult shown = run("run jobs.jsonl --dry-run --queue nightly");
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out,
              HasSubstr("1  etl: at once\n   hadoop jar a.jar -D mapreduce.job.tags=wavewright-dry-run-"));
  EXPECT_THAT(shown.out, HasSubstr(R"(-D mapreduce.job.queuename=nightly 'it'\''s')"));
  EXPECT_THAT(shown.out,
              HasSubstr("2  report: 2h after the start, when etl is done\n   pig -Dmapreduce.job.tags="));
  EXPECT_THAT(shown.out, HasSubstr("nothing was submitted"));
  const Json told = Json::parse(run("run jobs.jsonl --dry-run --run Tonight --json").out);
  EXPECT_EQ(told["submitted"], 0);
  EXPECT_EQ(told["jobs"][1]["not_before_ms"], 7200000);
  EXPECT_EQ(told["jobs"][0]["tags"][0], told["jobs"][1]["tags"][0]) << "of the run";
  EXPECT_NE(told["jobs"][0]["tags"][1], told["jobs"][1]["tags"][1]) << "of the job";
  EXPECT_THAT(told["jobs"][0]["tags"][0].get<std::string>(), HasSubstr("wavewright-tonight-"));
}

TEST_F(RunCommand, SubmitsInThePlansOrderAndSaysIfThatIsWorseOnTheCluster) {
  write_night();
  const std::string command = "run night.jsonl --cluster cluster.toml --policy fifo --dry-run";
  const CommandResult worse = run(command + " --plan last.json");
  EXPECT_EQ(worse.status, 0) << worse.err;
  EXPECT_THAT(worse.out, HasSubstr("1  one: at once"));
  EXPECT_THAT(worse.out, HasSubstr("WARNING: in the plan's order the makespan is 50.0 % longer"));
  const CommandResult same = run(command + " --plan first.json");
  EXPECT_THAT(same.out, HasSubstr("the makespan is the same in both orders"));
  EXPECT_THAT(same.out, Not(HasSubstr("WARNING")));
  const Json told = Json::parse(run(command + " --plan last.json --json").out);
  EXPECT_EQ(told["expected"]["as_listed"]["makespan_ms"], 20000);
  EXPECT_EQ(told["expected"]["ordered"]["makespan_ms"], 30000);
  EXPECT_DOUBLE_EQ(told["expected"]["change_percent"], 50);
  EXPECT_EQ(told["jobs"][0]["id"], "a");
  const Json listed = Json::parse(run(command + " --json").out);
  EXPECT_EQ(listed["expected"]["ordered"], nullptr);
  EXPECT_EQ(listed["jobs"][0]["id"], "c");
}

// On a map slot and a reduce slot the long map goes last: 1 + 1 + 19 + 1 s. As listed it is 19 + 1 + 9 + 9 s.
// On containers two masters have their part of the queue. The long job then waits 10 s for a short one, and
// takes 20 s; as listed the short ones pass one after the other beside it.
TEST_F(RunCommand, SaysThatAPlanMadeForSlotsIsWorseOnContainers) {
  const auto job = [](const std::string& id, int map_ms, int reduce_ms) {
    return R"({"id":")" + id + R"(","map_ms":[)" + std::to_string(map_ms) + R"(],"reduce_ms":[)" +
           std::to_string(reduce_ms) + R"(],"queue":"etl","command":["pig","x.pig"]})" + "\n";
  };
  write("night.jsonl", job("long", 19'000, 1'000) + job("one", 1'000, 9'000) + job("two", 1'000, 9'000));
  ASSERT_EQ(run("plan night.jsonl --map-slots 1 --reduce-slots 1 --out plan.json").status, 0);
  write("slots.toml", "[[nodes]]\nmap_slots = 1\nreduce_slots = 1\n");
  write("containers.toml",
        "[mode]\nkind = \"containers\"\n[masters]\nheartbeat_ms = 10\n"
        "[[nodes]]\nmemory_mb = 10240\nvcores = 16\n"
        "[[queues]]\nname = \"etl\"\ncapacity = 100\nmaximum_masters = 35\n");
  const std::string command = "run night.jsonl --plan plan.json --dry-run --cluster ";
  const CommandResult slots = run(command + "slots.toml --policy fifo");
  EXPECT_EQ(slots.status, 0) << slots.err;
  EXPECT_THAT(slots.out, HasSubstr("in the plan's order the makespan is 42.1 % shorter than as listed"));
  EXPECT_THAT(slots.out, Not(HasSubstr("WARNING")));
  const CommandResult containers = run(command + "containers.toml");
  EXPECT_EQ(containers.status, 0) << containers.err;
  EXPECT_THAT(containers.out, HasSubstr("WARNING: in the plan's order the makespan is "));
  EXPECT_THAT(containers.out, HasSubstr("longer on this cluster than as listed; run it without --plan"));
  const Json told = Json::parse(run(command + "containers.toml --json").out);
  EXPECT_EQ(told["expected"]["scheduler"], "capacity");
  EXPECT_EQ(told["expected"]["planned"]["makespan_ms"], 22'000);
  EXPECT_NEAR(told["expected"]["ordered"]["makespan_ms"].get<double>(), 30'000, 500);
  EXPECT_NEAR(told["expected"]["as_listed"]["makespan_ms"].get<double>(), 20'000, 500);
  EXPECT_GT(told["expected"]["change_percent"], 40);
}

TEST_F(RunCommand, NamesWhatAPlanSaysAndASchedulerCannotBeTold) {
  write_night();
  write(
      "pools.json",
      R"({"order":["c","a","b"],"map_order":["c","a","b"],"reduce_order":["b","a","c"],"caps":[{"id":"c","maps":3}],)"
      R"("pools":[{"map_slots":1,"reduce_slots":1,"jobs":["c"]},{"map_slots":1,"reduce_slots":1,"jobs":["a","b"]}]})");
  const CommandResult shown = run("run night.jsonl --plan pools.json --dry-run");
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("cannot be told: its pools, its own order of reduces"));
  EXPECT_THAT(shown.out, HasSubstr("1  long: at once")) << "by the order of maps";
  EXPECT_THAT(shown.out, HasSubstr("-D mapreduce.job.running.map.limit=3"));
  write("same.json", R"({"order":["c","a","b"],"reduce_order":["c","a","b"]})");
  EXPECT_THAT(run("run night.jsonl --plan same.json --dry-run").out, Not(HasSubstr("cannot be told")));
}

// Two maps at once end after 20 s, one after the other after 40 s.
// The plug-in holds maps and reduces to their numbers, and no executors of Spark.
TEST_F(RunCommand, ACapOfASparkJobIsOneOfItsExecutorsWithThePlugInToo) {
  write_night();
  write("caps.json",
        R"({"order":["a","b","c"],"caps":[{"id":"a","maps":3,"reduces":2},{"id":"c","maps":4}]})");
  const std::string command = "run night.jsonl --plan caps.json --dry-run --json";
  for (const std::string& plugin : {std::string(), std::string(" --targets targets --targets-key key")}) {
    const CommandResult shown = run(command + plugin);
    ASSERT_EQ(shown.status, 0) << shown.err;
    const Json jobs = Json::parse(shown.out)["jobs"];
    EXPECT_EQ(jobs[0]["command"][4], "spark.dynamicAllocation.maxExecutors=3") << plugin;
    EXPECT_EQ(jobs[0]["without"], plugin.empty() ? Json::array({"reduce_limit"}) : Json::array()) << plugin;
    const std::string streaming = jobs[2]["command"].dump();
    EXPECT_EQ(streaming.find("mapreduce.job.running.map.limit=4") != std::string::npos, plugin.empty())
        << streaming;
  }
}

TEST_F(RunCommand, LimitsAndTheTimeOfSubmissionAreInWhatIsExpected) {
  write("wide.jsonl", R"({"id":"a","map_ms":[20000,20000],"command":["mapred","streaming"]})"
                      "\n"
                      R"({"id":"b","map_ms":[1000],"command":["mapred","streaming"]})"
                      "\n");
  write("free.json", R"({"order":["a","b"]})");
  write("capped.json", R"({"order":["a","b"],"caps":[{"id":"a","maps":1}]})");
  write("cluster.toml", "[[nodes]]\ncount = 1\nmap_slots = 3\nreduce_slots = 1\n");
  const auto expected = [&](const std::string& more) {
    return Json::parse(
        run("run wide.jsonl --cluster cluster.toml --policy fifo --dry-run --json " + more).out)["expected"];
  };
  EXPECT_EQ(expected("--plan free.json")["ordered"]["makespan_ms"], 20000);
  EXPECT_EQ(expected("--plan free.json")["submission"], nullptr) << "no batch was run yet";
  EXPECT_EQ(expected("--plan capped.json")["ordered"]["makespan_ms"], 40000);
  const Json later = expected("--plan free.json --submission-time 4s");
  EXPECT_EQ(later["ordered"]["makespan_ms"], 24000);
  EXPECT_EQ(later["ordered"]["total_completion_ms"], 24000 + 9000) << "b is there after 8 s";
  EXPECT_EQ(later["submission"]["between_ms"], 4000);
}

TEST_F(RunCommand, SlowStartIsSubmittedAndExpected) {
  write("one.jsonl", R"({"id":"a","map_ms":[10000],"reduce_ms":[10000],"command":["mapred","streaming"]})"
                     "\n"
                     R"({"id":"b","reduce_ms":[10000],"command":["mapred","streaming"]})"
                     "\n");
  write("early.toml", "[mode]\nslowstart = 0\n[[nodes]]\ncount = 1\nmap_slots = 1\nreduce_slots = 1\n");
  const std::string command = "run one.jsonl --cluster early.toml --policy fifo --dry-run ";
  EXPECT_EQ(Json::parse(run(command + "--json").out)["expected"]["as_listed"]["makespan_ms"], 30000)
      << "a's reduce holds the slot while its map runs";
  EXPECT_EQ(Json::parse(run(command + "--slowstart 1 --json").out)["expected"]["as_listed"]["makespan_ms"],
            20000);
  EXPECT_THAT(run(command + "--slowstart 1").out,
              HasSubstr("-D mapreduce.job.reduce.slowstart.completedmaps=1\n"));
  EXPECT_EQ(run(command + "--slowstart 3").status, 2);
}

TEST_F(RunCommand, TellsOfJobsThatWouldNotBeDone) {
  write_night();
  write("failing.jsonl", R"({"id":"a","map_ms":[5],"task_failure":1,"command":["pig"]})"
                         "\n"
                         R"({"id":"b","map_ms":[5],"after":["a"],"command":["pig"]})"
                         "\n");
  const CommandResult told = run("run failing.jsonl --cluster cluster.toml --policy fifo --dry-run");
  EXPECT_EQ(told.status, 0) << told.err;
  EXPECT_THAT(told.err, HasSubstr("under fifo, only 0 of 2 jobs are done"));
}

// The GPU is five times as fast for md. All of etl is planned on the CPU node, and the map of md on the GPU.
// mixed may start maps when these are done: two at 5 s on the CPU node, one at 10 s on the GPU, one at 13 s.
class RunEnergyPlan : public RunCommand {
 protected:
  void SetUp() override {
    RunCommand::SetUp();
    write("energy.jsonl",
          R"({"id":"etl","map_ms":[5000,5000],"reduce_ms":[5000],"command":["mapred","streaming"]})"
          "\n"
          R"({"id":"md","map_ms":[50000],"reduce_ms":[5000],"classes":{"gpu":{"speed":5}},)"
          R"("command":["mapred","pipes"]})"
          "\n"
          R"({"id":"mixed","map_ms":[8000,8000,8000,8000],"command":["spark-submit","a.jar"]})"
          "\n");
    write("energy.toml", classes("label = \"gpu\"\n"));
    write("energy.json",
          R"({"objective":"energy","order":["md","etl","mixed"],"starts":[{"id":"md","maps":{"cpu":0}},)"
          R"({"id":"etl","maps":{"gpu":0}}]})");
  }
  static std::string classes(const std::string& of_gpu) {
    return "[classes.cpu]\npower_idle_w = 100\n[classes.gpu]\npower_idle_w = 40\n" + of_gpu +
           "[[nodes]]\nclass = \"cpu\"\nmap_slots = 2\nreduce_slots = 1\n"
           "[[nodes]]\nclass = \"gpu\"\nmap_slots = 1\n";
  }
};

TEST_F(RunEnergyPlan, SubmitsEachJobWithTheLabelsOfItsClasses) {
  const std::string command =
      "run energy.jsonl --plan energy.json --cluster energy.toml --policy fifo --dry-run";
  const CommandResult shown = run(command);
  ASSERT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("1  md: at once\n   mapred pipes -D mapreduce.job.tags="));
  EXPECT_THAT(shown.out, HasSubstr(" -D mapreduce.map.node-label-expression=gpu\n"))
      << "its reduce is elsewhere";
  EXPECT_THAT(shown.out, Not(HasSubstr("mapreduce.job.node-label-expression")));
  EXPECT_THAT(shown.out, Not(HasSubstr("WARNING"))) << "it is not for time";
  const Json told = Json::parse(run(command + " --json").out);
  EXPECT_EQ(told["jobs"][0]["map_label"], "gpu");
  EXPECT_EQ(told["jobs"][0]["reduce_label"], nullptr);
  EXPECT_EQ(told["jobs"][1]["id"], "etl");
  EXPECT_EQ(told["jobs"][1]["map_label"], nullptr);
  EXPECT_EQ(told["not_applied"],
            Json::array({"work on nodes of a second label (25 % of the maps of mixed)"}));
  EXPECT_EQ(told["expected"]["change_percent"], nullptr);
  EXPECT_EQ(told["expected"]["planned"], nullptr);
}

TEST_F(RunEnergyPlan, AJobOnSeveralClassesGoesWhereMostOfItIs) {
  const std::string command = "run energy.jsonl --cluster energy.toml --policy fifo --dry-run --json --plan ";
  const Json told = Json::parse(run(command + "energy.json").out);
  EXPECT_EQ(told["jobs"][2]["id"], "mixed");
  EXPECT_EQ(told["jobs"][2]["map_label"], nullptr);
  const auto closing_at = [&](const std::string& closed_ms) {
    write("closing.json",
          R"({"objective":"energy","order":["md","etl","mixed"],"starts":[{"id":"md","maps":{"cpu":0}},)"
          R"({"id":"etl","maps":{"gpu":0}},{"id":"mixed","maps":{"cpu":)" +
              closed_ms + R"(}}],"machines":[]})");
    return Json::parse(run(command + "closing.json").out);
  };
  const Json closing = closing_at("6000");
  EXPECT_EQ(closing["jobs"][2]["map_label"], nullptr) << "two maps start on each class";
  EXPECT_EQ(closing["not_applied"],
            Json::array({"work on nodes of a second label (50 % of the maps of mixed)",
                         "the instants from which classes are closed"}));
  const Json closed = closing_at("1");
  EXPECT_EQ(closed["jobs"][2]["map_label"], "gpu") << "the CPU node is busy until 5 s";
  EXPECT_EQ(closed["jobs"][2]["reduce_label"], "gpu") << "a job without reduces";
  EXPECT_THAT(closed["jobs"][2]["command"].dump(),
              HasSubstr(R"("--conf","spark.yarn.executor.nodeLabelExpression=gpu")"));
}

// Longest first, the map of 60 s is on the first node; as listed, on the second.
TEST_F(RunEnergyPlan, LabelsAreThoseOfThePlansOrderOfTasks) {
  write("two.jsonl", R"({"id":"A","map_ms":[10000,60000],"command":["mapred","streaming"]})"
                     "\n");
  write("two.toml",
        "[classes.cpu]\npower_idle_w = 10\n[classes.gpu]\nlabel = \"gpu\"\npower_idle_w = 10\n"
        "[[nodes]]\nclass = \"cpu\"\nmap_slots = 1\n[[nodes]]\nclass = \"gpu\"\nmap_slots = 1\n");
  for (const std::string order : {"longest-first", "as-listed"}) {
    write("two.json", R"({"objective":"energy","order":["A"],"task_order":")" + order + R"("})");
    const CommandResult shown =
        run("run two.jsonl --plan two.json --cluster two.toml --policy fifo --dry-run --json");
    ASSERT_EQ(shown.status, 0) << shown.err;
    const Json label = order == "as-listed" ? Json("gpu") : Json(nullptr);
    EXPECT_EQ(Json::parse(shown.out)["jobs"][0]["map_label"], label) << order;
  }
}

TEST_F(RunEnergyPlan, APlanOfAnUnknownPolicyIsRefusedWithItsFile) {
  write("odd.json", R"({"objective":"energy","order":[],"policy":"nope"})");
  const CommandResult refused = run("run energy.jsonl --plan odd.json --cluster energy.toml --dry-run");
  EXPECT_EQ(refused.status, 3);
  EXPECT_THAT(refused.err, HasSubstr("odd.json: unknown policy 'nope'"));
}

// On the GPU alone, md takes 10 s. On the CPU, it would take 50 s.
TEST_F(RunEnergyPlan, LabelsAreInWhatIsExpected) {
  write("md.jsonl",
        R"({"id":"md","map_ms":[50000],"classes":{"gpu":{"speed":5}},"command":["mapred","pipes"]})"
        "\n");
  for (const auto& [closed, makespan] : {std::pair("cpu", 10'000), std::pair("gpu", 50'000)}) {
    write("md.json", std::string(R"({"objective":"energy","order":["md"],"starts":[{"id":"md","maps":{")") +
                         closed + R"(":0}}]})");
    const CommandResult shown =
        run("run md.jsonl --plan md.json --cluster energy.toml --policy fifo --dry-run --json");
    ASSERT_EQ(shown.status, 0) << shown.err;
    EXPECT_EQ(Json::parse(shown.out)["expected"]["ordered"]["makespan_ms"], makespan) << closed;
  }
}

TEST_F(RunEnergyPlan, OfAPolicysScheduleTheJobsComeInItsOrder) {
  write("policy.json", R"({"objective":"energy","policy":"fifo","order":[]})");
  const CommandResult shown =
      run("run energy.jsonl --plan policy.json --cluster energy.toml --policy fifo --dry-run --json");
  ASSERT_EQ(shown.status, 0) << shown.err;
  const Json told = Json::parse(shown.out);
  EXPECT_EQ(told["jobs"][0]["id"], "etl");
  EXPECT_EQ(told["jobs"][1]["id"], "md");
}

TEST_F(RunEnergyPlan, IsRefusedWhereLabelsCannotTellClassesApart) {
  const auto refused = [&](const std::string& more, int status, const std::string& text) {
    const CommandResult result = run("run energy.jsonl --policy fifo --dry-run " + more);
    EXPECT_EQ(result.status, status) << more;
    EXPECT_EQ(result.out, "") << more;
    EXPECT_THAT(result.err, HasSubstr(text)) << more;
    EXPECT_EQ(lines_of(result.err), 1U) << result.err;
  };
  refused("--plan energy.json", 2, "add --cluster FILE, with the file that the plan was made for");
  write("none.toml", classes(""));
  refused("--plan energy.json --cluster none.toml", 3,
          "it keeps maps of job 'md' on one of classes 'cpu' and 'gpu', and neither has a node label; give "
          "one a label: 'label' in [classes.gpu] of the cluster file");
  refused("--plan energy.json --cluster none.toml", 3, "yarn rmadmin -addToClusterNodeLabels LABEL");
  write("policy.json", R"({"objective":"energy","policy":"efh","order":[]})");
  refused("--plan policy.json --cluster none.toml", 3, "of efh, chooses between classes 'cpu' and 'gpu'");
  write("odd.toml", classes("label = \"a b\"\n"));
  refused("--plan energy.json --cluster odd.toml", 3, "classes.gpu.label is no node label that YARN takes");
  write("short.json", R"({"objective":"energy","order":["md"]})");
  refused("--plan short.json --cluster energy.toml", 3, "does not name job");
  write("containers.toml", "[mode]\nkind = \"containers\"\n[[nodes]]\nmemory_mb = 4096\nvcores = 4\n");
  refused("--plan energy.json --cluster containers.toml", 2, "a cluster file with slots");
  // Without limits on classes the order is all.
  write("order.json", R"({"objective":"energy","order":["md","etl","mixed"]})");
  const CommandResult ordered =
      run("run energy.jsonl --policy fifo --dry-run --plan order.json --cluster none.toml");
  EXPECT_EQ(ordered.status, 0) << ordered.err;
  EXPECT_THAT(ordered.out, HasSubstr("1  md: at once"));
  EXPECT_THAT(ordered.out, Not(HasSubstr("label")));
}

TEST_F(RunCommand, RefusesTheWholeBatchForOneJob) {
  write_night();
  write("queues.toml",
        "[[nodes]]\nmap_slots = 2\nreduce_slots = 1\n[[queues]]\nname = \"prod\"\ncapacity = 100\n");
  const auto refused = [&](const std::string& command, int status, const std::string& text) {
    const CommandResult result = run(command);
    EXPECT_EQ(result.status, status) << command;
    EXPECT_EQ(result.out, "") << command;
    EXPECT_THAT(result.err, HasSubstr(text)) << command;
  };
  refused("run night.jsonl", 2, "add --dry-run");
  refused("run night.jsonl --cluster queues.toml --queue prod --dry-run", 3,
          "job 'b': the cluster has no queue 'etl'; one of: prod");
  refused("run night.jsonl --queue '-x' --dry-run", 3, "no name of a queue");
  refused("run night.jsonl --cluster cluster.toml --policy none --dry-run", 2, "unknown policy 'none'");
  write("bare.jsonl", R"({"id":"a","map_ms":[1]})"
                      "\n");
  refused("run night.jsonl --pools-under root --dry-run", 2, "--pools-under asks the ResourceManager");
  refused("run night.jsonl --priorities --dry-run", 2, "--priorities asks the ResourceManager");
  refused("run night.jsonl --pools-under root --dry-run --resource-manager localhost:1", 2,
          "takes the pools of a plan");
  refused("run night.jsonl --pools-share 50 --dry-run", 2, "--pools-under");
  refused("run night.jsonl --submit-at-once 2 --dry-run", 2, "may reach YARN in any order");
  refused("run bare.jsonl --dry-run", 3, "job 'a': it has no command");
  refused("run night.jsonl --dry-run --cluster missing.toml", 4, "missing.toml");
  write("other.json", R"({"order":["a","b"]})");
  refused("run night.jsonl --plan other.json --dry-run", 3, "does not name job 'c'");
  write("empty.jsonl", R"({"id":"a","command":["pig"]})"
                       "\n");
  refused("run empty.jsonl --cluster cluster.toml --dry-run", 2, "nothing to expect");
  write("some.jsonl", R"({"id":"a","command":["pig"]})"
                      "\n"
                      R"({"id":"b","command":["pig"],"map_ms":[5]})"
                      "\n");
  EXPECT_THAT(run("run some.jsonl --cluster cluster.toml --dry-run").err,
              HasSubstr("1 of 2 jobs have no tasks"));
  write("profile.jsonl", R"({"id":"a","command":["pig"],"profile":"x"})"
                         "\n");
  refused("run profile.jsonl --dry-run --store sqlite:none.db", 4, "none.db");
}

// It can be made where there is neither cluster nor Hadoop.
TEST_F(RunCommand, ADryRunTellsWhatRunWouldRefuse) {
  const auto job = [](const std::string& id, const std::string& command) {
    return R"({"id":")" + id + R"(","command":)" + command + "}\n";
  };
  write("bad.jsonl", job("a", R"(["hadooop","jar","x.jar","{options}"])") +
                         job("b", R"(["true","{options}"])") +
                         job("c", R"(["hadooop","jar","y.jar","{options}"])"));
  const CommandResult told = run("run bad.jsonl --dry-run");
  EXPECT_EQ(told.status, 0) << told.err;
  EXPECT_THAT(told.out, HasSubstr("nothing was submitted"));
  EXPECT_THAT(told.err,
              HasSubstr("'run' would refuse this: job 'a' and 1 more: there is no program 'hadooop' here; "
                        "install it, or name it with its path\n"));
  write("good.jsonl", job("b", R"(["true","{options}"])"));
  EXPECT_THAT(run("run good.jsonl --dry-run").err, Not(HasSubstr("would refuse")));
}

// A job runs as whoever runs the batch.
TEST_F(RunCommand, TellsThatUsersOfJobsChooseNoAccount) {
  write("users.jsonl", R"({"id":"a","user":"ada","command":["true","{options}","{user}"]})"
                       "\n"
                       R"({"id":"b","user":"ada","command":["true","{options}"]})"
                       "\n"
                       R"({"id":"c","user":"joe","command":["true","{options}"]})"
                       "\n");
  EXPECT_THAT(run("run users.jsonl --dry-run").err,
              HasSubstr("\"user\" chooses no account: jobs of ada, joe run as "));
  EXPECT_EQ(Json::parse(run("run users.jsonl --dry-run --json").out)["other_users"],
            Json::array({"ada", "joe"}));
  write("nobody.jsonl", R"({"id":"a","command":["true","{options}"]})"
                        "\n");
  EXPECT_THAT(run("run nobody.jsonl --dry-run").err, Not(HasSubstr("chooses no account")));
  EXPECT_EQ(Json::parse(run("run nobody.jsonl --dry-run --json").out)["other_users"], Json::array());
}

// A ResourceManager with one node of 10 GiB and one queue, etl, in which two masters have room.
class RunAtResourceManager : public RunCommand {
 protected:
  void SetUp() override {
    RunCommand::SetUp();
    answers_["/ws/v1/cluster/info"] =
        Json::parse(R"({"clusterInfo":{"startedOn":1,"hadoopVersion":"3.4.2"}})");
    answers_["/ws/v1/cluster/scheduler"] = Json::parse(
        R"({"scheduler":{"schedulerInfo":{"type":"capacityScheduler","queueName":"root","queues":{"queue":[
          {"queueName":"etl","capacity":100,"maxCapacity":100,"userLimit":100,"userLimitFactor":1,"state":"RUNNING",
           "capacities":{"queueCapacitiesByPartition":[{"partitionName":"","maxAMLimitPercentage":35}]}}]}}}})");
    answers_["/conf"] = Json::parse(R"({"properties":[]})");
    nodes(R"({"state":"RUNNING","rack":"/r","usedMemoryMB":0,"availMemoryMB":10240,"usedVirtualCores":0,)"
          R"("availableVirtualCores":16})");
    write("night.jsonl", job("long", 19'000, 1'000) + job("one", 1'000, 9'000) + job("two", 1'000, 9'000));
    ASSERT_EQ(run("plan night.jsonl --map-slots 1 --reduce-slots 1 --out plan.json").status, 0);
  }
  static std::string job(const std::string& id, int map_ms, int reduce_ms) {
    return R"({"id":")" + id + R"(","map_ms":[)" + std::to_string(map_ms) + R"(],"reduce_ms":[)" +
           std::to_string(reduce_ms) + R"(],"queue":"etl","command":["true","{options}"]})" + "\n";
  }
  void nodes(const std::string& listed) {
    answers_["/ws/v1/cluster/nodes"] = Json::parse(R"({"nodes":{"node":[)" + listed + "]}}");
    std::ofstream(file()) << answers_;
  }
  [[nodiscard]] std::string at() const { return " --resource-manager " + server_.url(); }
  [[nodiscard]] std::string url() const { return server_.url(); }

 private:
  [[nodiscard]] std::string file() const { return (of_server_.path() / "answers").string(); }

  TemporaryFolder of_server_;
  tests::Server server_{std::vector<std::string>{"replay", file()}};
  Json answers_;
};

// As on a cluster file's containers: the long job waits for a short one, and as listed it does not.
TEST_F(RunAtResourceManager, SaysWithoutAClusterFileThatAPlanMadeForSlotsIsWorse) {
  const std::string command = "run night.jsonl --plan plan.json --dry-run --slowstart 1" + at();
  const CommandResult told = run(command);
  EXPECT_EQ(told.status, 0) << told.err;
  EXPECT_THAT(told.err, HasSubstr("expected on the nodes and queues of " + url()));
  EXPECT_THAT(told.out, HasSubstr("WARNING: in the plan's order the makespan is "));
  const Json expected = Json::parse(run(command + " --json").out)["expected"];
  EXPECT_EQ(expected["scheduler"], "capacity");
  EXPECT_EQ(expected["planned"]["makespan_ms"], 22'000);
  EXPECT_GT(expected["change_percent"], 20);
  // YARN has no slots.
  write("slots.toml", "[[nodes]]\nmap_slots = 1\nreduce_slots = 1\n");
  EXPECT_EQ(Json::parse(run(command + " --cluster slots.toml --json").out)["expected"], expected);
}

TEST_F(RunAtResourceManager, SaysThatAFileHasSlotsWhereYarnTellsNoContainers) {
  write("slots.toml", "[[nodes]]\nmap_slots = 1\nreduce_slots = 1\n");
  nodes("");
  const CommandResult told =
      run("run night.jsonl --plan plan.json --dry-run --policy fifo --cluster slots.toml" + at());
  EXPECT_EQ(told.status, 0) << told.err;
  EXPECT_THAT(told.out, HasSubstr("in the plan's order the makespan is 42.1 % shorter than as listed"));
  EXPECT_THAT(told.err,
              HasSubstr("nothing is expected on YARN's containers: " + url() + " has no running node"));
  EXPECT_THAT(told.err, HasSubstr("slots.toml has slots, and YARN gives containers"));
  // Without tasks nothing can be expected, and nothing is refused.
  write("some.jsonl", job("one", 1, 1) + R"({"id":"bare","command":["true","{options}"]})" + "\n");
  const CommandResult bare = run("run some.jsonl --dry-run --json" + at());
  EXPECT_EQ(bare.status, 0) << bare.err;
  EXPECT_FALSE(Json::parse(bare.out).contains("expected"));
  EXPECT_THAT(bare.err, Not(HasSubstr("nothing is expected")));
}

TEST_F(RunAtResourceManager, RefusesADryRunWhereItRefusesTheRun) {
  const auto write_job = [&](const std::string& queue, const std::string& program) {
    write("job.jsonl",
          R"({"id":"a","queue":")" + queue + R"(","command":[")" + program + R"(","{options}"]})" + "\n");
  };
  // The cluster file's queues are not all that YARN has.
  write("queues.toml",
        "[mode]\nkind = \"containers\"\n[[nodes]]\nmemory_mb = 10240\nvcores = 16\n"
        "[[queues]]\nname = \"etl\"\nweight = 1\n[[queues]]\nname = \"elt\"\nweight = 1\n");
  for (const std::string& more :
       {std::string(), std::string(" --dry-run"), std::string(" --cluster queues.toml"),
        std::string(" --cluster queues.toml --dry-run")}) {
    write_job("elt", "true");
    const CommandResult queue = run("run job.jsonl" + at() + more);
    EXPECT_EQ(queue.status, 3) << more << queue.err;
    EXPECT_EQ(queue.out, "") << more;
    EXPECT_THAT(queue.err, HasSubstr("job 'a': the cluster has no queue 'elt'; did you mean 'etl'?")) << more;
    EXPECT_EQ(lines_of(queue.err), 1U) << queue.err;
    write_job("etl", "no-such-program");
    const CommandResult program = run("run job.jsonl" + at() + more);
    EXPECT_EQ(program.status, 3) << more << program.err;
    EXPECT_THAT(program.err, HasSubstr("job 'a': there is no program 'no-such-program' here")) << more;
    EXPECT_EQ(lines_of(program.err), 1U) << program.err;
  }
  write_job("elt", "true");
  const CommandResult away = run("run job.jsonl --dry-run --resource-manager 127.0.0.1:1");
  EXPECT_EQ(away.status, 0) << away.err;
  EXPECT_THAT(away.err, HasSubstr("'run' would end here: "));
  EXPECT_THAT(away.out, HasSubstr("nothing was submitted"));
}

// Each earlier job reached YARN 2 s after its command was started. Three of the five commands followed the
// one before after 1 s, two after 5 s. So three gaps take 7 s in the middle: in 65 of 100 runs at most one is
// long. The median gap, three times, would be 3 s.
TEST_F(RunCommand, ExpectsTheMiddleOfRunsWithSubmissionsAsEarlierOnes) {
  LiveBatch earlier;
  earlier.name = "earlier";
  for (const int start : {0, 1, 2, 3, 8, 13}) {
    LiveJob job;
    job.id = "j" + std::to_string(start);
    job.tag = "t" + std::to_string(start);
    job.command = {"true"};
    job.state = LiveState::done;
    job.attempts = 1;
    job.submitting_since = Time{} + ms(1000 * start);
    job.accepted_at = *job.submitting_since + ms(2000);
    earlier.jobs.push_back(job);
  }
  {
    const Store store = Store::open(store_url(), Store::Access::create);
    BatchStore(store).create(earlier);
  }
  std::string jobs;
  for (const char* const id : {"a", "b", "c", "d"})
    jobs += std::string(R"({"id":")") + id + R"(","map_ms":[1000],"command":["pig","b.pig"]})" + "\n";
  write("four.jsonl", jobs);
  write("cluster.toml", "[[nodes]]\ncount = 1\nmap_slots = 8\nreduce_slots = 1\n");
  const CommandResult shown = run("run four.jsonl --cluster cluster.toml --policy fifo --dry-run --json");
  ASSERT_EQ(shown.status, 0) << shown.err;
  const Json expected = Json::parse(shown.out)["expected"];
  EXPECT_EQ(expected["submission"]["between_ms"], 1000);
  EXPECT_EQ(expected["as_listed"]["makespan_ms"], 2000 + 7000 + 1000);
  EXPECT_EQ(expected["as_listed"]["makespan_p5_ms"], 2000 + 3000 + 1000);
  EXPECT_GE(expected["as_listed"]["makespan_p95_ms"], 2000 + 11000 + 1000) << "two or three are long";
  const Json told = Json::parse(
      run("run four.jsonl --cluster cluster.toml --policy fifo --dry-run --json --submission-time 2s").out);
  EXPECT_EQ(told["expected"]["as_listed"]["makespan_ms"], 2000 + 6000 + 1000) << "one run, as it is told";
}

// The last six of thirty runs of its profile took longer.
TEST_F(RunCommand, TellsHowFarOffSuchEstimatesWereAndThatTheJobHasChanged) {
  (void)Store::open(store_url(), Store::Access::create).add(drifted_runs());
  write("one.jsonl", R"({"id":"a","profile":"drifter","command":["pig","a.pig"]})"
                     "\n");
  write("cluster.toml", "[[nodes]]\ncount = 1\nmap_slots = 4\nreduce_slots = 2\n");
  for (const char* command :
       {"run one.jsonl --dry-run", "run one.jsonl --dry-run --cluster cluster.toml --policy fifo"}) {
    const CommandResult shown = run(command);
    EXPECT_EQ(shown.status, 0) << shown.err;
    EXPECT_THAT(shown.out, HasSubstr("estimates of drifter: ±"));
    EXPECT_THAT(shown.out, HasSubstr(" % in its last 12 runs\n"));
    EXPECT_THAT(shown.out,
                HasSubstr("WARNING: drifter has changed: its maps take 2.00 times as long since "));
    EXPECT_THAT(shown.out, HasSubstr(" (6 runs)\n"));
    const Json record = Json::parse(run(std::string(command) + " --json").out)["records"]["drifter"];
    EXPECT_GT(record["error"], 0.1) << "half of the last twelve runs are of the old length";
    EXPECT_EQ(record["changed"]["phase"], "map");
    EXPECT_EQ(record["changed"]["runs"], 6);
  }
  const std::string slots = " --map-slots 4 --reduce-slots 2";
  write("due.jsonl", R"({"id":"a","profile":"drifter","deadline_ms":86400000,"command":["pig","a.pig"]})"
                     "\n");
  write("cloud.toml",
        "[[nodes]]\ncount = 4\nmap_slots = 4\nreduce_slots = 2\nprice_per_hour = 3.6\nrent = true\n");
  write("power.toml",
        "[classes.node]\npower_idle_w = 5\npower_map_w = 100\npower_reduce_w = 50\n"
        "[[nodes]]\nclass = \"node\"\nmap_slots = 4\nreduce_slots = 2\n");
  write("own.jsonl", R"({"id":"a","profile":"drifter","user":"ann","command":["pig","a.pig"]})"
                     "\n");
  write("sweep.toml", "workloads = [\"one.jsonl\"]\nclusters = [\"cluster.toml\"]\npolicies = [\"fifo\"]\n");
  EXPECT_EQ(run("plan one.jsonl --evaluations 20 --out one.json" + slots).status, 0);
  for (const std::string& command :
       {"plan one.jsonl --evaluations 20" + slots,
        "plan one.jsonl --evaluations 20 --robust p95 --spread 10% --samples 20" + slots,
        "plan own.jsonl --evaluations 20 --user-weights ann=2" + slots,
        "plan own.jsonl --evaluations 20 --fair 150%" + slots, std::string("sweep sweep.toml"),
        std::string("plan one.jsonl --evaluations 20 --deadline 1d"), "simulate one.jsonl" + slots,
        "simulate one.jsonl --replications 2" + slots, "queue one.jsonl" + slots,
        "plan due.jsonl --objective tardiness --evaluations 20" + slots,
        std::string("plan due.jsonl --objective cost --cluster cloud.toml"),
        std::string("plan one.jsonl --objective energy --cluster power.toml --evaluations 20"),
        std::string("plan one.jsonl --curve slots=2..3 --evaluations 20"),
        std::string("plan one.jsonl --compare one.json one.json"),
        std::string("rent plan one.jsonl --machines 4 --speedup linear --price 1 --delay 1"),
        std::string("rent online one.jsonl --machines 4 --speedup linear --price 1 --delay 1"),
        "report --workload one.jsonl --method johnson --out one.html" + slots}) {
    const CommandResult shown = run(command);
    EXPECT_EQ(shown.status, 0) << command << ": " << shown.err;
    EXPECT_THAT(shown.out, HasSubstr("estimates of drifter: ±")) << command;
    EXPECT_THAT(shown.out, HasSubstr("WARNING: drifter has changed: its maps take 2.00 times as long"))
        << command;
    EXPECT_EQ(Json::parse(run(command + " --json").out)["records"]["drifter"]["changed"]["runs"], 6)
        << command;
  }
  const std::string page = read("one.html");
  EXPECT_THAT(page, HasSubstr("<section id=\"profiles\""));
  EXPECT_THAT(page, HasSubstr("<small>estimates: ±"));
  EXPECT_THAT(page, HasSubstr("<small><b>has changed</b>: its maps take 2.00 times as long since "));
  write("bare.jsonl", R"({"id":"a","map_ms":[5],"command":["pig","a.pig"]})"
                      "\n");
  EXPECT_THAT(run("run bare.jsonl --dry-run").out, Not(HasSubstr("estimates of")));
  write("bare.toml", "workloads = [\"bare.jsonl\"]\nclusters = [\"cluster.toml\"]\npolicies = [\"fifo\"]\n");
  for (const std::string& command :
       {"simulate bare.jsonl" + slots, "queue bare.jsonl" + slots, std::string("sweep bare.toml")}) {
    EXPECT_THAT(run(command).out, Not(HasSubstr("estimates of"))) << command;
    EXPECT_FALSE(Json::parse(run(command + " --json").out).contains("records")) << command;
  }
}

}  // namespace
}  // namespace wavewright
