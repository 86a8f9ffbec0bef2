// Answers as Hadoop 3.4.2's ResourceManager gives them, shortened; and what other servers answer.
#include "wavewright/live/yarn/resource_manager.h"

#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/error.h"

namespace wavewright {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const char* const url = "http://rm:8088/ws";

template <class Work>
std::string refusal(Work work) {
  try {
    static_cast<void>(work());
  } catch (const ExternalError& error) {
    return error.what();
  }
  return "accepted";
}

std::string node(const std::string& state, const std::string& rack, int memory, int cores,
                 const std::string& more = "") {
  return fmt::format(
      R"({{"rack":"{}","state":"{}","id":"h:1","usedMemoryMB":512,"availMemoryMB":{},"usedVirtualCores":1,)"
      R"("availableVirtualCores":{}{}}})",
      rack, state, memory - 512, cores - 1, more);
}

TEST(ResourceManager, EqualNodesAreOneGroupAndThoseThatDoNotRunAreCounted) {
  const std::string json = R"({"nodes":{"node":[)" + node("RUNNING", "/r1", 4096, 8) + "," +
                           node("RUNNING", "/r2", 4096, 8) + "," + node("RUNNING", "/r2", 4096, 8) + "," +
                           node("RUNNING", "/r2", 8192, 8, R"(,"nodeLabels":["gpu"])") + "," +
                           node("LOST", "/r1", 4096, 8) + "]}}";
  const Nodes nodes = parse_nodes(json, url);
  EXPECT_EQ(nodes.running, 4);
  EXPECT_EQ(nodes.others, 1);
  ASSERT_EQ(nodes.groups.size(), 3U);
  EXPECT_EQ(nodes.groups[0].count, 2);
  EXPECT_EQ(nodes.groups[0].rack, "/r2");
  EXPECT_EQ(nodes.groups[0].memory, Bytes{4096LL << 20});
  EXPECT_EQ(nodes.groups[0].vcores, 8);
  EXPECT_EQ(nodes.groups[0].node_class, "default");
  EXPECT_TRUE(nodes.groups[1].node_class == "gpu" || nodes.groups[2].node_class == "gpu");
}

TEST(ResourceManager, AnEmptyClusterIsWrittenInThreeWays) {
  for (const char* json :
       {R"({"nodes":null})", R"({"nodes":""})", R"({"nodes":{}})", R"({"nodes":{"node":null}})"}) {
    EXPECT_EQ(parse_nodes(json, url).running, 0) << json;
  }
}

TEST(ResourceManager, CapacityQueuesComeWithTheirParentsFirst) {
  const Queues queues = parse_queues(
      R"({"scheduler":{"schedulerInfo":{"type":"capacityScheduler","queueName":"root","queues":{"queue":[
        {"queueName":"default","capacity":40.0,"maxCapacity":100.0,"userLimit":50,"userLimitFactor":2.0,"state":"RUNNING",
         "orderingPolicyInfo":"wavewright.yarn.TargetOrderingPolicy",
         "capacities":{"queueCapacitiesByPartition":[{"partitionName":"gpu","maxAMLimitPercentage":5.0},
           {"partitionName":"","maxAMLimitPercentage":70.0}]}},
        {"queueName":"prod","capacity":60.000004,"maxCapacity":60.0,"state":"RUNNING","queues":{"queue":[
          {"queueName":"etl","capacity":100.0,"maxCapacity":100.0,"userLimit":100,"userLimitFactor":1.0,"state":"STOPPED",
            "orderingPolicyInfo":"Wavewright's targets, generation 7"}]}}
      ]}}}})",
      url);
  std::vector<std::string> names;
  for (const Queue& queue : queues.queues) names.push_back(queue.name);
  EXPECT_THAT(names, ElementsAre("default", "prod", "prod.etl"));
  EXPECT_THAT(queues.with_plugin, ElementsAre("default", "prod.etl"));
  EXPECT_EQ(queues.queues[0].capacity, 40);
  EXPECT_EQ(queues.queues[0].minimum_user_limit, 50);
  EXPECT_EQ(queues.queues[0].user_limit_factor, 2);
  EXPECT_EQ(queues.queues[0].maximum_masters, 70);
  EXPECT_EQ(queues.queues[1].maximum_masters, 100) << "nothing is said of it";
  EXPECT_EQ(queues.queues[1].capacity, 60) << "a float of Hadoop's";
  EXPECT_EQ(queues.queues[1].maximum, 60);
  EXPECT_THAT(queues.remarks, ElementsAre("queue prod.etl is stopped"));
  EXPECT_THAT(queues.closed, ElementsAre("prod.etl"));
  // And it can be written and read as a cluster file.
  Cluster cluster = flat_cluster({1, 1});
  cluster.queues = queues.queues;
  EXPECT_EQ(parse_cluster(to_toml(cluster), "again").queues.size(), 3U);
}

TEST(ResourceManager, FairQueuesAreSharesOfTheirSiblings) {
  const Queues queues = parse_queues(
      R"({"scheduler":{"schedulerInfo":{"type":"fairScheduler","rootQueue":{"queueName":"root","childQueues":{"queue":[
        {"queueName":"root.a","steadyFairResources":{"memory":3072,"vCores":1}},
        {"queueName":"root.b","steadyFairResources":{"memory":1024,"vCores":1}}]}}}}})",
      url);
  ASSERT_EQ(queues.queues.size(), 2U);
  EXPECT_EQ(queues.queues[0].name, "a");
  EXPECT_EQ(queues.queues[0].weight, 75);
  EXPECT_EQ(queues.queues[1].weight, 25);
  EXPECT_EQ(queues.queues[0].capacity, 0) << "that is a word of the Capacity scheduler";
  EXPECT_THAT(told_of_queues(queues.scheduler), ElementsAre("queues.name", "queues.weight"));
  EXPECT_FALSE(told_of_queues("capacityScheduler").contains("queues.weight"));
}

// Hadoop 3.3 and later: weights instead of capacities, and -1 for no limit on users.
TEST(ResourceManager, QueuesWithWeightsHaveTheirPartOfThem) {
  const Queues queues = parse_queues(
      R"({"scheduler":{"schedulerInfo":{"type":"capacityScheduler","queueName":"root","mode":"weight","queues":{"queue":[
        {"queueName":"a","mode":"weight","capacity":0.0,"weight":10.0,"normalizedWeight":0.22222222,"absoluteCapacity":22.222,
         "maxCapacity":100.0,"userLimitFactor":-1.0},
        {"queueName":"b","mode":"weight","capacity":0.0,"weight":35.0,"normalizedWeight":0.7777778,"maxCapacity":100.0,
         "userLimitFactor":3.0}]}}}})",
      url);
  ASSERT_EQ(queues.queues.size(), 2U);
  EXPECT_EQ(queues.queues[0].capacity, 22.222);
  EXPECT_EQ(queues.queues[1].capacity, 77.778);
  EXPECT_EQ(queues.queues[0].user_limit_factor, 1e6);
  EXPECT_EQ(queues.queues[1].user_limit_factor, 3);
}

TEST(ResourceManager, TheClustersOwnSchedulerIsTheOneThatItNames) {
  FoundCluster found;
  for (const auto& [told, policy] : {std::pair("fairScheduler", "fair"), std::pair("fifoScheduler", "fifo"),
                                     std::pair("capacityScheduler", "capacity")}) {
    found.scheduler = told;
    EXPECT_EQ(own_scheduler(found), policy);
  }
  Cluster file;
  EXPECT_EQ(own_scheduler(file), "capacity");
  file.queues = {{.name = "a", .weight = 75}, {.name = "b", .weight = 25}};
  EXPECT_EQ(own_scheduler(file), "fair");
  file.queues[0].capacity = 100;
  EXPECT_EQ(own_scheduler(file), "capacity");
}

TEST(ResourceManager, NodesHaveTheirHostsIfTheseDiffer) {
  const auto nodes_on = [](const std::string& first, const std::string& second) {
    const std::string text = R"({"nodes":{"node":[)" +
                             node("RUNNING", "/r1", 4096, 8, R"(,"nodeHostName":")" + first + '"') + "," +
                             node("RUNNING", "/r1", 4096, 8, R"(,"nodeHostName":")" + second + '"') + "]}}";
    return parse_nodes(text, url).groups.at(0);
  };
  EXPECT_THAT(nodes_on("b.example", "a.example").hosts, ElementsAre("a.example", "b.example"));
  EXPECT_TRUE(nodes_on("a.example", "a.example").hosts.empty()) << "two NodeManagers of one machine";
  EXPECT_EQ(nodes_on("a.example", "a.example").count, 2);
}

// Where YARN counts memory alone, a busy node has given out more cores than it has.
TEST(ResourceManager, CoresThatAreGivenOutTwiceCountOnce) {
  const Nodes nodes = parse_nodes(
      R"({"nodes":{"node":[{"rack":"/r","state":"RUNNING","id":"h:1","usedMemoryMB":512,"availMemoryMB":512,
          "usedVirtualCores":64,"availableVirtualCores":-56}]}})",
      url);
  EXPECT_EQ(nodes.groups.at(0).vcores, 8);
}

TEST(ResourceManager, ConfigurationGivesLimitsHeartbeatAndSlowstart) {
  Cluster cluster = flat_cluster({1, 1});
  apply_configuration(R"({"properties":[{"key":"yarn.scheduler.minimum-allocation-mb","value":"128"},
      {"key":"yarn.scheduler.maximum-allocation-vcores","value":"4"},
      {"key":"yarn.resourcemanager.nodemanagers.heartbeat-interval-ms","value":"1000"},
      {"key":"mapreduce.job.reduce.slowstart.completedmaps","value":"0.05"},
      {"key":"dfs.blocksize","value":"134217728"},{"key":"dfs.replication","value":"${odd}"}]})",
                      url, cluster);
  EXPECT_EQ(cluster.limits.min_memory, Bytes{128LL << 20});
  EXPECT_EQ(cluster.limits.max_vcores, 4);
  EXPECT_EQ(cluster.mode.heartbeat, ms(1000));
  EXPECT_EQ(cluster.mode.slowstart, 0.05);
  EXPECT_EQ(cluster.hdfs.block, Bytes{128LL << 20});
  EXPECT_EQ(cluster.hdfs.replication, 3);
}

TEST(ResourceManager, NumbersHaveHadoopsSuffixes) {
  const auto block = [](const std::string& value) {
    Cluster cluster = flat_cluster({1, 1});
    apply_configuration(R"({"properties":[{"key":"dfs.blocksize","value":")" + value + R"("}]})", url,
                        cluster);
    return cluster.hdfs.block.count >> 20;
  };
  EXPECT_EQ(block("4m"), 4);
  EXPECT_EQ(block("256M"), 256);
  EXPECT_EQ(block(" 1g "), 1024);
  EXPECT_EQ(block("131072k"), 128);
  EXPECT_EQ(block("1t"), 1 << 20);
  for (const std::string odd : {"m", "", "4mb", "-4m", "1e", "4 4m", "999999p"})
    EXPECT_EQ(block(odd), 128) << odd;
}

TEST(ResourceManager, ValuesThatNoServerToldAreMarked) {
  Cluster cluster = flat_cluster({1, 1});
  const ToldKeys told = apply_configuration(
      R"({"properties":[{"key":"dfs.blocksize","value":"4m"},{"key":"dfs.replication","value":"${odd}"}]})",
      url, cluster);
  EXPECT_THAT(told, ElementsAre("hdfs.block_mb"));
  const std::string text = mark_untold(to_toml(cluster), told);
  EXPECT_THAT(text, HasSubstr("\nblock_mb = 4\n"));
  EXPECT_THAT(text, HasSubstr("\nreplication = 3  # not told\n"));
  EXPECT_THAT(text, HasSubstr("  # not told\nout_of_band = "));
  EXPECT_EQ(to_toml(parse_cluster(text, "marked")), to_toml(cluster));
}

TEST(ResourceManager, ConfigurationTellsHowTheSchedulerGivesContainers) {
  const auto read = [](const std::string& settings) {
    Cluster cluster = flat_cluster({1, 1});
    cluster.mode.kind = ClusterMode::Kind::containers;
    apply_configuration(
        R"({"properties":[{"key":"yarn.scheduler.minimum-allocation-mb","value":"128"})" + settings + "]}",
        url, cluster);
    return cluster;
  };
  const std::string schedulers = R"(,{"key":"yarn.resourcemanager.scheduler.class","value":"org.x.)";
  const Cluster capacity = read(schedulers + R"(CapacityScheduler"})");
  EXPECT_EQ(capacity.containers.per_heartbeat, 100);
  EXPECT_EQ(capacity.containers.off_switch_per_heartbeat, 1);
  EXPECT_EQ(capacity.limits.min_memory, Bytes{128LL << 20});
  EXPECT_FALSE(capacity.containers.count_vcores);
  const Cluster dominant = read(
      schedulers +
      R"(CapacityScheduler"},{"key":"yarn.scheduler.capacity.resource-calculator","value":"org.y.DominantResourceCalculator"},
          {"key":"yarn.scheduler.capacity.per-node-heartbeat.multiple-assignments-enabled","value":"false"})");
  EXPECT_TRUE(dominant.containers.count_vcores);
  EXPECT_EQ(dominant.containers.per_heartbeat, 1);
  const Cluster fair = read(schedulers + R"(FairScheduler"})");
  EXPECT_EQ(fair.containers.per_heartbeat, 1);
  EXPECT_EQ(fair.containers.off_switch_per_heartbeat, 0);
  EXPECT_EQ(fair.limits.min_memory, Bytes{1024LL << 20}) << "its own step";
  EXPECT_TRUE(fair.masters.see_vcores);
  const Cluster many =
      read(schedulers + R"(FairScheduler"},{"key":"yarn.scheduler.fair.assignmultiple","value":"true"},
      {"key":"yarn.resource-types.memory-mb.increment-allocation","value":"256"})");
  EXPECT_EQ(many.containers.per_heartbeat, 0);
  EXPECT_EQ(many.limits.min_memory, Bytes{256LL << 20});
  const Cluster fifo = read(schedulers + R"(FifoScheduler"})");
  EXPECT_EQ(fifo.containers.per_heartbeat, 0);
  EXPECT_EQ(fifo.limits.min_memory, Bytes{128LL << 20});
  EXPECT_FALSE(fifo.masters.see_vcores);
  Cluster before = fair;
  apply_configuration(R"({"properties":[{"key":"dfs.replication","value":"2"}]})", url, before);
  EXPECT_EQ(before.containers.per_heartbeat, 1) << "a NameNode knows no scheduler";
}

TEST(ResourceManager, WhatIsNoResourceManagerIsSaidSo) {
  EXPECT_THAT(refusal([] { return parse_nodes("<html>login</html>", url); }), HasSubstr("web page"));
  EXPECT_THAT(refusal([] { return parse_nodes("{", url); }), HasSubstr("not answer with JSON"));
  EXPECT_THAT(refusal([] { return parse_nodes("{}", url); }), HasSubstr("no nodes"));
  EXPECT_THAT(refusal([] { return parse_queues(R"({"scheduler":[]})", url); }), HasSubstr("no scheduler"));
  EXPECT_THAT(refusal([] { return parse_nodes("{}", url); }), HasSubstr("http://HOST:8088"));
}

TEST(ResourceManager, AddressesAreUnderstoodAsUsersWriteThem) {
  EXPECT_EQ(server_url("rm", 8088), "http://rm:8088");
  EXPECT_EQ(server_url("rm:80", 8088), "http://rm:80");
  EXPECT_EQ(server_url("http://rm/cluster/apps?x=1", 8088), "http://rm:8088");
  EXPECT_EQ(server_url("https://rm", 8088), "https://rm:8090") << "Hadoop's default for https";
  EXPECT_EQ(server_url("https://history", 19888), "https://history:19890");
  EXPECT_EQ(server_url("https://nn/x", 9870), "https://nn:9871");
  EXPECT_EQ(server_url("https://rm:443", 8088), "https://rm:443");
  EXPECT_EQ(server_url("https://daemon", 8190), "https://daemon");
  EXPECT_EQ(server_url("http://[::1]:99/x", 8088), "http://[::1]:99");
  EXPECT_EQ(server_url("http://[::1]", 8088), "http://[::1]:8088");
  EXPECT_THROW((void)server_url("ftp://rm", 8088), UsageError);
  EXPECT_THROW((void)server_url("http://", 8088), UsageError);
}

}  // namespace
}  // namespace wavewright
