// Answers of Hadoop 3.4.2's ResourceManager and JobHistory server, shortened; and what other servers answer.
#include "wavewright/live/yarn/yarn_driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/job/temporary_file.h"
#include "tests/server.h"
#include "wavewright/core/error.h"
#include "wavewright/live/yarn/rest_answer.h"

namespace wavewright {
namespace {

using ::testing::ElementsAre;

const char* const url = "http://rm:8088";

TEST(YarnDriver, ReadsApplicationsInTheOrderOfTheirSubmission) {
  const std::vector<Application> apps = parse_applications(
      R"({"apps":{"app":[
        {"id":"application_1700000000000_0002","state":"RUNNING","finalStatus":"UNDEFINED","applicationTags":"a,b",
         "startedTime":2000,"launchTime":2500,"finishedTime":0,"diagnostics":"","queue":"root.etl",
         "amHostHttpAddress":"n7:8042"},
        {"id":"application_1700000000000_0001","state":"FINISHED","finalStatus":"FAILED","applicationTags":"b",
         "startedTime":1000,"launchTime":1500,"finishedTime":9000,
         "diagnostics":"\n Task failed task_1\nJob failed as tasks failed.\n"},
        {"id":"application_1700000000000_0003","state":"ACCEPTED","finalStatus":"UNDEFINED","applicationTags":"",
         "startedTime":3000,"launchTime":0,"finishedTime":0,"amHostHttpAddress":"N/A"}]}})",
      url);
  ASSERT_EQ(apps.size(), 3U);
  EXPECT_EQ(apps[0].id, "application_1700000000000_0001");
  EXPECT_EQ(apps[0].state, ApplicationState::failed);
  EXPECT_EQ(apps[0].diagnostics, "Task failed task_1");
  EXPECT_EQ(apps[0].ended_at, at_ms(9000));
  EXPECT_EQ(apps[1].state, ApplicationState::running);
  EXPECT_THAT(apps[1].tags, ElementsAre("a", "b"));
  EXPECT_EQ(apps[1].queue, "root.etl");
  EXPECT_EQ(apps[1].master_node, "n7:8042");
  EXPECT_EQ(apps[2].master_node, "") << "there is none yet";
  EXPECT_EQ(apps[1].started_at, at_ms(2500));
  EXPECT_EQ(apps[1].ended_at, std::nullopt);
  EXPECT_EQ(apps[2].state, ApplicationState::accepted);
  EXPECT_TRUE(apps[2].tags.empty());
  EXPECT_EQ(apps[2].started_at, std::nullopt);
}

TEST(YarnDriver, EveryStateOfYarnHasItsMeaning) {
  const auto state = [](const std::string& word, const std::string& status) {
    return parse_applications(R"({"apps":{"app":[{"id":"application_1_1","state":")" + word +
                                  R"(","finalStatus":")" + status + R"("}]}})",
                              url)
        .at(0)
        .state;
  };
  for (const char* each : {"NEW", "NEW_SAVING", "SUBMITTED", "ACCEPTED", "a state of the future"})
    EXPECT_EQ(state(each, "UNDEFINED"), ApplicationState::accepted) << each;
  EXPECT_EQ(state("FINISHED", "SUCCEEDED"), ApplicationState::succeeded);
  EXPECT_EQ(state("FINISHED", "KILLED"), ApplicationState::killed);
  EXPECT_EQ(state("FINISHED", "FAILED"), ApplicationState::failed);
  EXPECT_EQ(state("FINISHED", "ENDED"), ApplicationState::succeeded) << "a session of Tez: its client tells";
  EXPECT_EQ(state("FAILED", "FAILED"), ApplicationState::failed);
  EXPECT_EQ(state("KILLED", "KILLED"), ApplicationState::killed);
}

TEST(YarnDriver, NoApplicationsAreAnEmptyList) {
  EXPECT_TRUE(parse_applications(R"({"apps":null})", url).empty());
  EXPECT_TRUE(parse_applications(R"({"apps":{}})", url).empty());
}

TEST(YarnDriver, AnAnswerThatIsNoneIsNoEmptyList) {
  for (const char* text : {"", "<html>", "{}", "[]", "7", R"({"apps":{"app":[{"id":"../etc"}]}})",
                           R"({"apps":{"app":[{}]}})", R"({"apps":{"app":[{"id":"application_1_1")"})
    EXPECT_THROW((void)parse_applications(text, url), ExternalError) << text;
  EXPECT_THROW((void)parse_incarnation("{}", url), ExternalError);
  EXPECT_THROW((void)parse_ended("{}", url), ExternalError);
  EXPECT_THROW((void)parse_history_job("{}", url), ExternalError);
}

TEST(YarnDriver, AResourceManagerWithoutRecoveryForgetsWhenItStarts) {
  const std::string forgets =
      R"({"clusterInfo":{"startedOn":17,"rmStateStoreName":"org.apache.hadoop.yarn.server.resourcemanager.recovery.NullRMStateStore"}})";
  const std::string keeps =
      R"({"clusterInfo":{"startedOn":17,"rmStateStoreName":"org.apache.hadoop.yarn.server.resourcemanager.recovery.ZKRMStateStore"}})";
  EXPECT_EQ(parse_incarnation(forgets, url), 17);
  EXPECT_EQ(parse_incarnation(keeps, url), 0);
  EXPECT_EQ(parse_incarnation(R"({"clusterInfo":{"startedOn":17}})", url), 17);
  EXPECT_EQ(
      parse_ended(R"({"clusterMetrics":{"appsCompleted":3,"appsFailed":4,"appsKilled":5,"appsRunning":9}})",
                  url),
      12);
}

TEST(YarnDriver, AListLacksWhatARestartOrManyLaterEndsTookFromIt) {
  EXPECT_TRUE(lacks_none({1, 5, 10}, {1, 5, 10}));
  EXPECT_TRUE(lacks_none({1, 5, 10}, {1, 14, 10}));
  EXPECT_FALSE(lacks_none({1, 5, 10}, {1, 15, 10}));
  EXPECT_FALSE(lacks_none({1, 5, 10}, {2, 5, 10}));
}

// One that keeps its applications counts anew, or goes on where another was: only how many it lists can tell.
TEST(YarnDriver, AfterARestartAListIsWholeIfNothingWasEverDroppedFromIt) {
  EXPECT_TRUE(lacks_none({0, 5'000, 10, 100, 9}, {0, 3, 10, 200, 9}));
  EXPECT_FALSE(lacks_none({0, 5'000, 10, 100, 9}, {0, 3, 10, 200, 10})) << "5,003 may have ended since";
  EXPECT_FALSE(lacks_none({0, 5, 10, 100, 5}, {0, 12, 10, 200, 10}));
  EXPECT_FALSE(lacks_none({0, 5, 10, 100, 5}, {0, 4, 10, 100, 10})) << "it counts anew without a new start";
  EXPECT_TRUE(lacks_none({0, 5, 10, 100, 10}, {0, 14, 10, 100, 10}));
}

TEST(YarnDriver, ReadsWhenAResourceManagerBeganAndWhatItLists) {
  EXPECT_EQ(parse_began(R"({"clusterInfo":{"startedOn":17}})", url), 17);
  EXPECT_THROW((void)parse_began("{}", url), ExternalError);
  EXPECT_EQ(parse_listed(R"({"appStatInfo":{"statItem":[{"state":"RUNNING","type":"*","count":2},
                {"state":"FINISHED","type":"*","count":3},{"state":"FAILED","type":"*","count":4},
                {"state":"KILLED","type":"*","count":5}]}})",
                         url),
            12);
  EXPECT_EQ(parse_listed(R"({"properties":[]})", url), std::nullopt);
  EXPECT_EQ(parse_listed(R"({"appStatInfo":{}})", url), std::nullopt);
}

TEST(YarnDriver, ReadsAJobOfTheHistory) {
  const auto job = parse_history_job(
      R"({"job":{"id":"job_1700000000000_0007","state":"KILLED","submitTime":1,"startTime":2,"finishTime":3,
          "diagnostics":"Kill job by its user"}})",
      url);
  ASSERT_TRUE(job);
  EXPECT_EQ(job->id, "application_1700000000000_0007");
  EXPECT_EQ(job->state, ApplicationState::killed);
  EXPECT_EQ(job->ended_at, at_ms(3));
  EXPECT_EQ(job->diagnostics, "Kill job by its user");
}

// An application ends before each answer of this server, and its list has the last one only. A mark without
// that one would vouch for a list that has dropped those before it.
TEST(YarnDriver, AMarkCountsAllThatHadEndedForItsList) {
  const tests::Server server({"ends"});
  const WebServer resource_manager(server.url(), "");
  YarnDriver cluster(resource_manager, nullptr, ClientProcesses(std::vector<std::string>{"supervisor"}));
  for (int i = 0; i < 2; ++i) {
    const Applications seen = cluster.applications("tag");
    ASSERT_EQ(seen.list.size(), 1U);
    const std::string& id = seen.list[0].id;
    EXPECT_GE(seen.mark.ended, std::stoll(id.substr(id.rfind('_') + 1)));
  }
}

// The JobHistory server has histories of MapReduce alone. A type that is not told may be MapReduce.
TEST(YarnDriver, KnowsWhichApplicationsAreNoMapReduceJobs) {
  const TemporaryFile answers(R"({
    "/ws/v1/cluster/info": {"clusterInfo": {"haState": "ACTIVE", "startedOn": 1, "hadoopVersion": "3.4.2"}},
    "/ws/v1/cluster/metrics": {"clusterMetrics": {"appsCompleted": 4}},
    "/ws/v1/cluster/appstatistics": {"appStatInfo": {"statItem": []}},
    "/ws/v1/cluster/apps": {"apps": {"app": [
      {"id": "application_1_1", "state": "FINISHED", "finalStatus": "SUCCEEDED", "applicationType": "MAPREDUCE"},
      {"id": "application_1_2", "state": "FINISHED", "finalStatus": "SUCCEEDED", "applicationType": "SPARK"},
      {"id": "application_1_3", "state": "FINISHED", "finalStatus": "SUCCEEDED"},
      {"id": "application_1_4", "state": "FINISHED", "finalStatus": "SUCCEEDED", "applicationType": "TEZ"}]}}})",
                              ".json");
  const tests::Server server({"replay", answers.path().string()});
  const WebServer resource_manager(server.url(), "");
  YarnDriver cluster(resource_manager, nullptr, ClientProcesses(std::vector<std::string>{"supervisor"}));
  EXPECT_TRUE(cluster.not_mapreduce().empty());
  const Applications seen = cluster.applications("tag");
  ASSERT_EQ(seen.list.size(), 4U);
  EXPECT_EQ(seen.list[1].type, "SPARK");
  EXPECT_THAT(cluster.not_mapreduce(), ElementsAre("application_1_2", "application_1_4"));
}

TEST(YarnDriver, ReadsASetting) {
  EXPECT_EQ(parse_setting(R"({"properties":[{"key":"a","value":"1"},{"key":"b","value":"2"}]})", "b", url),
            "2");
  EXPECT_EQ(parse_setting(R"({"properties":[]})", "b", url), "");
}

}  // namespace
}  // namespace wavewright
