// YARN's node labels as classes of the cluster file, from answers as Hadoop 3.4.2 gives them.
#include <fstream>
#include <map>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/server.h"
#include "tests/temporary_folder.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/error.h"
#include "wavewright/live/yarn/resource_manager.h"

namespace wavewright {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using wavewright::tests::Server;

json node(const std::string& host, const json& labels) {
  json one = {{"id", host + ":1"},     {"nodeHostName", host},      {"rack", "/default-rack"},
              {"state", "RUNNING"},    {"usedMemoryMB", 0},         {"availMemoryMB", 2048},
              {"usedVirtualCores", 0}, {"availableVirtualCores", 4}};
  if (!labels.is_null()) one["nodeLabels"] = labels;
  return one;
}

class NodeLabels : public ::testing::Test {
 protected:
  // Without `labels`, the ResourceManager does not answer the question.
  FoundCluster found(const json& nodes, const json& labels) {
    json answers = {
        {"/ws/v1/cluster/info",
         {{"clusterInfo", {{"startedOn", 1}, {"haState", "ACTIVE"}, {"hadoopVersion", "3.4.2"}}}}},
        {"/ws/v1/cluster/nodes", {{"nodes", {{"node", nodes}}}}},
        {"/ws/v1/cluster/scheduler", {{"scheduler", {{"schedulerInfo", {{"type", "fifoScheduler"}}}}}}},
        {"/conf", {{"properties", json::array()}}}};
    if (!labels.is_null()) answers["/ws/v1/cluster/get-node-labels"] = labels;
    const auto file = folder_.path() / "answers";
    std::ofstream(file) << answers;
    const Server server({"replay", file.string()});
    return find_cluster(WebServer(server.url(), ""));
  }

  TemporaryFolder folder_;
};

TEST_F(NodeLabels, BecomeClassesWithTheirLabel) {
  const FoundCluster of =
      found({node("a", json::array({"gpu"})), node("b", nullptr), node("c", json::array({"gpu"})),
             node("d", json::array({""}))},
            {{"nodeLabelsInfo",
              {{"nodeLabelInfo", json::array({{{"name", "gpu"}, {"exclusivity", true}},
                                              {{"name", "fpga"}, {"exclusivity", "true"}}})}}}});
  EXPECT_EQ(of.version, "3.4.2");
  ASSERT_EQ(of.cluster.classes.size(), 1U);
  EXPECT_EQ(of.cluster.classes.at("gpu").label, "gpu");
  std::map<std::string, Count> counts;
  for (const NodeGroup& group : of.cluster.nodes) counts[group.node_class] += group.count;
  EXPECT_EQ(counts, (std::map<std::string, Count>{{"default", 2}, {"gpu", 2}}));
  EXPECT_THAT(of.remarks, ElementsAre("no running node has the label fpga"));
  const std::string text = mark_untold(to_toml(of.cluster), of.told);
  EXPECT_THAT(text, HasSubstr("[classes.\"gpu\"]\nlabel = \"gpu\"\n")) << "told, so without a remark";
  EXPECT_EQ(parse_cluster(text, "written").classes, of.cluster.classes);
}

// Not the one of the nodes without a label.
TEST_F(NodeLabels, NamedDefaultAreAClassOfTheirOwn) {
  const FoundCluster of = found({node("a", json::array({"default"})), node("b", nullptr)}, nullptr);
  ASSERT_EQ(of.cluster.classes.size(), 1U);
  EXPECT_EQ(of.cluster.classes.at("default+label").label, "default");
  EXPECT_THAT(mark_untold(to_toml(of.cluster), of.told), Not(HasSubstr("label = \"default\"  # not told")));
  std::map<std::string, Count> counts;
  for (const NodeGroup& group : of.cluster.nodes) counts[group.node_class] += group.count;
  EXPECT_EQ(counts, (std::map<std::string, Count>{{"default", 1}, {"default+label", 1}}));
}

TEST_F(NodeLabels, ThatAreSharedAreToldSo) {
  for (const json& exclusive : {json(false), json("false")}) {
    const FoundCluster of = found({node("a", json::array({"gpu"}))},
                                  {{"nodeLabelInfo", {{"name", "gpu"}, {"exclusivity", exclusive}}}});
    EXPECT_THAT(of.remarks, ElementsAre(HasSubstr("label gpu is not exclusive"))) << exclusive;
  }
}

TEST_F(NodeLabels, OfNodesCountWhereTheListIsNotShown) {
  const FoundCluster of = found({node("a", json::array({"ssd-2.fast"}))}, nullptr);
  EXPECT_EQ(of.cluster.classes.at("ssd-2.fast").label, "ssd-2.fast");
  EXPECT_THAT(mark_untold(to_toml(of.cluster), of.told),
              Not(HasSubstr("label = \"ssd-2.fast\"  # not told")));
  EXPECT_TRUE(of.remarks.empty());
}

TEST_F(NodeLabels, AreNoneWhereLabelsAreOff) {
  for (const json& none :
       {json(nullptr), json::object(), json{{"nodeLabelsInfo", nullptr}}, json{{"nodeLabelsInfo", ""}}}) {
    const FoundCluster of = found({node("a", nullptr), node("b", json::array())}, none);
    EXPECT_TRUE(of.cluster.classes.empty());
    EXPECT_EQ(of.cluster.nodes.at(0).node_class, "default");
    EXPECT_TRUE(of.remarks.empty());
  }
}

}  // namespace
}  // namespace wavewright
