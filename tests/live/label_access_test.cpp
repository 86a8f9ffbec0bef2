// Checks of jobs with node labels, from answers as Hadoop 3.4 gives them: will they get containers?
#include "wavewright/live/yarn/label_access.h"

#include <fstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/server.h"
#include "tests/temporary_folder.h"
#include "wavewright/core/error.h"

namespace wavewright {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using wavewright::tests::Server;

json queue(const std::string& name, const json& labels, double capacity_of_gpu) {
  return {{"queueName", name},
          {"nodeLabels", labels},
          {"capacities",
           {{"queueCapacitiesByPartition",
             json::array({{{"partitionName", ""}, {"absoluteCapacity", 50.0}},
                          {{"partitionName", "gpu"}, {"absoluteCapacity", capacity_of_gpu}}})}}}};
}

json scheduler(const json& queues) {
  return {
      {"scheduler", {{"schedulerInfo", {{"type", "capacityScheduler"}, {"queues", {{"queue", queues}}}}}}}};
}

class LabelAccess : public ::testing::Test {
 protected:
  LabelAccess() {
    json inner = queue("prod", json::array({"*"}), 0);
    inner["queues"] = {{"queue", json::array({queue("night", json::array({"gpu"}), 0)})}};
    json kept = queue("kept", json::array({"*"}), 10);
    kept["defaultNodeLabelExpression"] = "gpu";
    answers_["/ws/v1/cluster/scheduler"] = scheduler(json::array(
        {queue("default", json::array({"*"}), 100), queue("etl", json::array(), 100), inner, kept}));
    answers_["/ws/v1/cluster/get-node-labels"] = {
        {"nodeLabelsInfo",
         {{"nodeLabelInfo", json::array({{{"name", "gpu"}, {"exclusivity", false}},
                                         {{"name", "fpga"}, {"exclusivity", true}}})}}}};
    answers_["/ws/v1/cluster/nodes"] = {
        {"nodes", {{"node", json::array({node("a", nullptr), node("b", json::array({"gpu"}))})}}}};
  }

  static json node(const std::string& host, const json& labels) {
    json one = {{"nodeHostName", host},  {"state", "RUNNING"},    {"usedMemoryMB", 0},
                {"availMemoryMB", 2048}, {"usedVirtualCores", 0}, {"availableVirtualCores", 4}};
    if (!labels.is_null()) one["nodeLabels"] = labels;
    return one;
  }

  std::vector<std::string> remarks(const std::vector<LabelUse>& uses, bool nodes_come = false) {
    const auto file = folder_.path() / "answers";
    std::ofstream(file) << answers_;
    const Server server({"replay", file.string()});
    return check_label_access(uses, WebServer(server.url(), ""), nodes_come);
  }

  // The problem and its remedy.
  std::string refusal(const std::vector<LabelUse>& uses, bool nodes_come = false) {
    try {
      (void)remarks(uses, nodes_come);
    } catch (const ExternalError& error) {
      return error.problem() + "; " + error.remedy();
    }
    return "none";
  }

  TemporaryFolder folder_;
  json answers_;
};

TEST_F(LabelAccess, IsGivenWhereLabelNodesAndQueueAreThere) {
  EXPECT_THAT(remarks({{"md", "", "gpu"}, {"etl", "default", ""}, {"x", "root.default", "gpu"}}),
              ElementsAre(HasSubstr("label gpu is not exclusive")));
  EXPECT_EQ(refusal({{"md", "root.elsewhere", "gpu"}}), "none") << "a queue that is made on the fly";
}

TEST_F(LabelAccess, NeedsNoAnswerWithoutLabels) {
  answers_ = json::object();
  EXPECT_THAT(remarks({{"etl", "", ""}, {"md", "prod", ""}}), IsEmpty());
  EXPECT_NE(refusal({{"etl", "", ""}, {"md", "prod", "gpu"}}), "none");
}

TEST_F(LabelAccess, NeedsTheLabel) {
  EXPECT_EQ(refusal({{"md", "", "gpus"}}),
            "has no such node label, and job 'md' is planned on nodes with label 'gpus'; yarn rmadmin "
            "-addToClusterNodeLabels gpus, then yarn rmadmin -replaceLabelsOnNode HOST=gpus");
  for (const json& none : {json::object(), json{{"nodeLabelsInfo", nullptr}}}) {
    answers_["/ws/v1/cluster/get-node-labels"] = none;
    EXPECT_THAT(refusal({{"md", "", "gpu"}}),
                HasSubstr("knows no node labels, and job 'md' is planned on nodes with label 'gpu'; set "
                          "yarn.node-labels.enabled to true"))
        << none;
  }
}

TEST_F(LabelAccess, NeedsARunningNode) {
  EXPECT_THAT(refusal({{"md", "", "fpga"}}),
              HasSubstr("has no such running node, and job 'md' is planned on nodes with label 'fpga'"));
  EXPECT_THAT(refusal({{"md", "", "fpga"}}, true), HasSubstr("gives queue 'default' no capacity there"))
      << "nodes that come need the rest all the same";
  answers_["/ws/v1/cluster/nodes"]["nodes"]["node"] = json::array({node("b", json::array({"gpu"}))});
  EXPECT_THAT(refusal({{"md", "", "gpu"}, {"etl", "", ""}}),
              HasSubstr("has no such running node, and job 'etl' is planned on nodes without a label"));
}

TEST_F(LabelAccess, NeedsAQueueThatMayUseTheLabel) {
  EXPECT_THAT(refusal({{"md", "etl", "gpu"}}),
              HasSubstr("keeps queue 'etl' off that label, and job 'md' is planned on nodes with label "
                        "'gpu'; add gpu to yarn.scheduler.capacity.root.etl.accessible-node-labels"));
  EXPECT_THAT(refusal({{"md", "night", "gpu"}}),
              HasSubstr("set yarn.scheduler.capacity.root.prod.night.accessible-node-labels.gpu.capacity and "
                        "that of the queues above it"));
  EXPECT_THAT(refusal({{"md", "", "gpu"}, {"etl", "kept", ""}}),
              HasSubstr("sends jobs without a label of queue 'kept' to nodes of 'gpu'"));
}

TEST_F(LabelAccess, IsThatOfTheQueueWithTheNameAndNotOfOneThatEndsSo) {
  json inner = queue("prod", json::array({"*"}), 0);
  inner["queues"] = {{"queue", json::array({queue("default", json::array(), 100)})}};
  answers_["/ws/v1/cluster/scheduler"] =
      scheduler(json::array({inner, queue("default", json::array({"*"}), 100)}));
  EXPECT_EQ(refusal({{"md", "", "gpu"}}), "none");
  EXPECT_EQ(refusal({{"md", "root.default", "gpu"}}), "none");
}

TEST_F(LabelAccess, IsOfTheCapacitySchedulerAlone) {
  answers_["/ws/v1/cluster/scheduler"] = {{"scheduler", {{"schedulerInfo", {{"type", "fairScheduler"}}}}}};
  EXPECT_THAT(refusal({{"md", "", "gpu"}}), HasSubstr("its scheduler 'fairScheduler' has no node labels"));
}

TEST(QueueLabels, AreReadWithTheirPath) {
  json outer = queue("prod", json::array({"*", "gpu"}), 30);
  outer["queues"] = {{"queue", json::array({queue("night", json::array({"gpu"}), 12.5)})}};
  const std::vector<QueueLabels> queues = parse_queue_labels(scheduler(json::array({outer})).dump(), "rm");
  ASSERT_EQ(queues.size(), 2U);
  EXPECT_EQ(queues[0].name, "prod");
  EXPECT_THAT(queues[0].accessible, UnorderedElementsAre("*", "gpu"));
  EXPECT_EQ(queues[1].name, "prod.night");
  EXPECT_EQ(queues[1].capacity, (std::map<std::string, double>{{"", 50.0}, {"gpu", 12.5}}));
  for (const std::string text : {"<html>", "{}", R"({"scheduler":{"schedulerInfo":null}})"})
    EXPECT_THROW((void)parse_queue_labels(text, "rm"), ExternalError) << text;
}

}  // namespace
}  // namespace wavewright
