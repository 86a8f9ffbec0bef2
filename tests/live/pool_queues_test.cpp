#include "wavewright/live/yarn/pool_queues.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/property.h"
#include "wavewright/core/error.h"

namespace wavewright {
namespace {

using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* prefix = "yarn.scheduler.capacity.";

SchedulerConf conf_of(std::map<std::string, std::string> values) {
  std::map<std::string, std::string> whole;
  for (auto& [key, value] : values) whole[prefix + key] = value;
  return SchedulerConf(std::move(whole));
}

// root has `default` with 70.5 % and `etl` with 29.5 %; etl has two children.
SchedulerConf two_levels() {
  return conf_of({{"maximum-am-resource-percent", "0.25"},
                  {"root.queues", "default, etl"},
                  {"root.default.capacity", "70.5"},
                  {"root.etl.capacity", "29.5"},
                  {"root.etl.queues", "night,day"},
                  {"root.etl.night.capacity", "100"},
                  {"root.etl.night.ordering-policy", "wavewright.yarn.TargetOrderingPolicy"},
                  {"root.etl.night.ordering-policy.targets", "file:///t"},
                  {"root.etl.day.capacity", "0"}});
}

Plan plan_of(std::vector<PlanPool> pools) {
  Plan plan;
  plan.pools = std::move(pools);
  return plan;
}

const Plan two_pools = plan_of({{{3, 1}, {"a", "b"}}, {{1, 1}, {"c"}}});

TEST(PoolQueues, APoolHasItsPartOfTheSlotsAndSiblingsGiveWay) {
  const PoolQueues pools = pool_queues(
      two_pools, {.parent = "root", .share = 60, .tag = "wavewright-x-0123456789abcdef"}, two_levels());
  ASSERT_EQ(pools.queues.size(), 2U);
  EXPECT_EQ(pools.path(pools.queues[0]), "root.wavewright-01234567-1");
  EXPECT_EQ(pools.queues[0].capacity, "40");
  EXPECT_EQ(pools.queues[1].capacity, "20");
  EXPECT_EQ(pools.queues[0].jobs, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(pools.siblings,
            (std::vector<SiblingQueue>{{"root.default", "70.5", "28.2"}, {"root.etl", "29.5", "11.8"}}));
  EXPECT_EQ(pools.masters, 25);
  EXPECT_EQ(removing(pools).xml(),
            "<sched-conf><remove-queue>root.wavewright-01234567-1</remove-queue>"
            "<remove-queue>root.wavewright-01234567-2</remove-queue>"
            "<update-queue><queue-name>root.default</queue-name><params><entry><key>capacity</key>"
            "<value>70.5</value></entry></params></update-queue>"
            "<update-queue><queue-name>root.etl</queue-name><params><entry><key>capacity</key>"
            "<value>29.5</value></entry></params></update-queue></sched-conf>");
}

TEST(PoolQueues, UnderAQueueThatThePluginOrdersTheyAreOrderedByIt) {
  const PoolQueuesRequest request{.parent = "etl", .share = 100, .tag = "t-1", .plugin = true};
  const PoolQueues pools = pool_queues(two_pools, request, two_levels());
  EXPECT_EQ(pools.parent, "root.etl");
  EXPECT_EQ(pools.siblings, (std::vector<SiblingQueue>{{"root.etl.night", "100", "0"}}));
  const std::string change = adding(pools).xml();
  EXPECT_THAT(change,
              HasSubstr("<queue-name>root.etl.wavewright-1-1</queue-name><params><entry><key>capacity</key>"
                        "<value>66.667</value></entry><entry><key>maximum-capacity</key>"
                        "<value>66.667</value></entry><entry><key>ordering-policy</key>"
                        "<value>wavewright.yarn.TargetOrderingPolicy</value></entry><entry>"
                        "<key>ordering-policy.targets</key><value>file:///t</value>"));
}

// YARN takes capacities whose sum is 100 only.
TEST(PoolQueues, CapacitiesSumToAHundredWhateverTheSlots) {
  holds_always([] {
    std::vector<PlanPool> pools;
    const auto count = *rc::gen::inRange(1, 13);
    for (int i = 0; i < count; ++i)
      pools.push_back({{*rc::gen::inRange(1, 401), *rc::gen::inRange(0, 401)}, {}});
    const auto share = *rc::gen::inRange(50, 101);
    std::map<std::string, std::string> values = {{"root.queues", "a,b,c"},
                                                 {"root.a.capacity", "33.33"},
                                                 {"root.b.capacity", "33.34"},
                                                 {"root.c.capacity", "33.33"}};
    const PoolQueues made = pool_queues(
        plan_of(pools), {.parent = "root", .share = static_cast<double>(share), .tag = "t"}, conf_of(values));
    std::int64_t thousandths = 0;
    for (const PoolQueue& queue : made.queues) thousandths += std::llround(1000 * std::stod(queue.capacity));
    for (const SiblingQueue& sibling : made.siblings)
      thousandths += std::llround(1000 * std::stod(sibling.meanwhile));
    RC_ASSERT(thousandths == 100'000);
  });
}

TEST(PoolQueues, TellsWhatAnotherAdministratorChanged) {
  const PoolQueues pools = pool_queues(two_pools, {.parent = "root", .share = 60, .tag = "t"}, two_levels());
  std::map<std::string, std::string> now = {{"root.queues", "default,etl,wavewright-t-1,wavewright-t-2"},
                                            {"root.default.capacity", "28.20"},
                                            {"root.etl.capacity", "11.8"},
                                            {"root.wavewright-t-1.capacity", "40"}};
  EXPECT_EQ(changed_siblings(pools, conf_of(now)), "");
  EXPECT_EQ(present(pools, conf_of(now)), 2U);
  now["root.queues"] += ",idle";
  EXPECT_EQ(changed_siblings(pools, conf_of(now)), "") << "a queue without a capacity changes no sum";
  now["root.idle.capacity"] = "5";
  EXPECT_THAT(changed_siblings(pools, conf_of(now)), HasSubstr("root.idle was added with a capacity of 5"));
  now["root.default.capacity"] = "23.2";
  EXPECT_THAT(changed_siblings(pools, conf_of(now)), HasSubstr("root.default was set to 23.2"));
  now["root.queues"] = "etl,wavewright-t-1";
  EXPECT_THAT(changed_siblings(pools, conf_of(now)), HasSubstr("root.default was removed"));
  EXPECT_EQ(present(pools, conf_of(now)), 1U);
}

TEST(PoolQueues, ASimulatedClusterHasThemToo) {
  const PoolQueues pools = pool_queues(two_pools, {.parent = "root", .share = 60, .tag = "t"}, two_levels());
  Cluster cluster;
  cluster.queues = {{.name = "default", .capacity = 70.5}, {.name = "etl", .capacity = 29.5}};
  const Cluster with = with_pool_queues(cluster, pools);
  ASSERT_EQ(with.queues.size(), 4U);
  EXPECT_EQ(with.queues[0].capacity, 28.2);
  EXPECT_EQ(with.queues[2].name, "wavewright-t-1");
  EXPECT_EQ(with.queues[2].maximum, 40);
  EXPECT_EQ(with.queues[2].maximum_masters, 25);
}

Cluster containers(Count memory_mb, Count step_mb) {
  Cluster cluster;
  cluster.mode.kind = ClusterMode::Kind::containers;
  NodeGroup node;
  node.memory = Bytes{memory_mb << 20};
  cluster.nodes = {node};
  cluster.limits.min_memory = Bytes{step_mb << 20};
  return cluster;
}

// Two thirds and one third of 16 GiB. The first pool has room for the two masters that it needs, the second
// one for fewer: a task of 2 GiB stays free, and so 3 GiB are for masters in steps of 1 GiB.
TEST(PoolQueues, MastersHaveRoomAsThePlanRunsThemAndLeaveSomeForATask) {
  const SchedulerConf conf = two_levels();
  const PoolQueues plain = pool_queues(two_pools, {.parent = "root", .share = 100, .tag = "t"}, conf);
  const PoolQueues pools =
      with_masters(plain, {{2 * 2048, 1024}, {4 * 2048, 2048}}, containers(16'384, 1024), conf);
  const std::string change = adding(pools).xml();
  EXPECT_THAT(change, HasSubstr("<key>maximum-capacity</key><value>66.667</value></entry><entry>"
                                "<key>maximum-am-resource-percent</key><value>0.375021</value></entry>"));
  EXPECT_THAT(change, HasSubstr("<key>maximum-am-resource-percent</key><value>0.562533</value></entry>"));
  const Cluster simulated = with_pool_queues(containers(16'384, 1024), pools);
  ASSERT_EQ(simulated.queues.size(), 3U);
  const auto for_masters = [&](std::size_t queue, double memory) {
    return static_cast<Count>(memory * simulated.queues[queue].maximum_masters / 100);
  };
  EXPECT_EQ(for_masters(1, 10'922), 2 * 2048);
  EXPECT_EQ(for_masters(2, 5'461), 3 * 1024);
}

// The pools have 10,922 and 5,461 MiB. Four masters would take 8 GiB of each.
TEST(PoolQueues, MastersLeaveThePlansSlotsTheirMemory) {
  const SchedulerConf conf = two_levels();
  const PoolQueues plain = pool_queues(two_pools, {.parent = "root", .share = 100, .tag = "t"}, conf);
  const Cluster cluster = containers(16'384, 1024);
  const auto parts = [&](Count slots) {
    const PoolMasters of{.at_once = 4 * 2048, .task = 1024, .slots = slots, .master = 2048};
    std::vector<double> memory;
    for (const PoolQueue& queue : with_masters(plain, {of, of}, cluster, conf).queues)
      memory.push_back(queue.masters.value_or(0) / 100 * (memory.empty() ? 10'922 : 5'461));
    return memory;
  };
  EXPECT_THAT(parts(0), ElementsAre(DoubleNear(4 * 2048, 1), DoubleNear(4 * 1024, 1))) << "not known";
  EXPECT_THAT(parts(2 * 1024), ElementsAre(DoubleNear(4 * 2048, 1), DoubleNear(2 * 2048, 1)));
  EXPECT_THAT(parts(6 * 1024), ElementsAre(DoubleNear(10'922 - 6 * 1024, 1), DoubleNear(2 * 2048, 1)))
      << "two at least";
}

TEST(PoolQueues, MastersHaveNoLessThanTheParentAndNothingIsSaidWhereNothingNeedBe) {
  const Cluster cluster = containers(16'384, 1024);
  const std::vector<PoolMasters> needed = {{2048, 1024}, {1024, 1024}};
  // The part that each pool's queue is given; -1 = none.
  const auto parts = [](const SchedulerConf& conf, const std::vector<PoolMasters>& masters,
                        const std::string& parent, const Cluster& on) {
    const PoolQueues plain = pool_queues(two_pools, {.parent = parent, .share = 100, .tag = "t"}, conf);
    const PoolQueues pools = with_masters(plain, masters, on, conf);
    std::vector<double> given;
    for (const PoolQueue& queue : pools.queues)
      given.push_back(queue.settings.empty() ? -1 : std::stod(queue.settings.back().second));
    return given;
  };
  EXPECT_THAT(parts(two_levels(), needed, "root", cluster), Each(-1)) << "a quarter is enough";
  EXPECT_THAT(parts(two_levels(), {{0, 0}, {0, 0}}, "root", cluster), Each(-1)) << "nothing is known";
  EXPECT_THAT(parts(two_levels(), {{8192, 1024}, {8192, 1024}}, "root", flat_cluster({4, 2})), Each(-1));
  // The pools below `etl` have 29.5 % of the cluster between them: 3,222 and 1,611 MiB.
  EXPECT_THAT(parts(two_levels(), needed, "etl", cluster), ElementsAre(DoubleNear(2048.0 / 3222, 1e-4), -1))
      << "no master has room beside a task in the second one";
  const SchedulerConf stated = conf_of({{"root.queues", "a"},
                                        {"root.a.capacity", "100"},
                                        {"root.maximum-am-resource-percent", "0.5"},
                                        {"root.wavewright-t-2.maximum-am-resource-percent", "0.7"}});
  EXPECT_THAT(parts(stated, needed, "root", cluster), ElementsAre(DoubleNear(0.5, 1e-5), -1));
  const PoolQueues pools = with_masters(
      pool_queues(two_pools, {.parent = "root", .share = 100, .tag = "t"}, stated), needed, cluster, stated);
  EXPECT_EQ(pools.queues[1].masters, 70.0) << "as the scheduler says of this queue";
}

// As YARN's DominantResourceCalculator, which rounds up twice.
Count for_masters_in_yarn(const std::string& part, Count memory, Count step) {
  const double exact = static_cast<double>(memory) * static_cast<double>(std::stof(part));
  return divide_up(static_cast<Count>(std::ceil(exact)), step) * step;
}

TEST(PoolQueues, MastersAloneNeverFillAPool) {
  holds_always([] {
    const Count step = *rc::gen::element(Count{128}, Count{512}, Count{1024});
    const Count memory = *rc::gen::inRange<Count>(4, 4'000) * 1024;
    const Count task = *rc::gen::inRange<Count>(1, 5) * step;
    const Count at_once = *rc::gen::inRange<Count>(1, 80) * step;
    const std::string usual = *rc::gen::element(std::string("0.1"), std::string("0.4"), std::string("1"));
    const SchedulerConf conf =
        conf_of({{"maximum-am-resource-percent", usual}, {"root.queues", "a"}, {"root.a.capacity", "100"}});
    const PoolQueues pools =
        with_masters(pool_queues(two_pools, {.parent = "root", .share = 100, .tag = "t"}, conf),
                     {{at_once, task}, {at_once, task}}, containers(memory, step), conf);
    for (const PoolQueue& queue : pools.queues) {
      const auto own =
          static_cast<Count>(static_cast<double>(memory) * std::stod(queue.capacity) / 100 + 1e-9);
      const Count beside_task = (own - task) / step * step;
      if (beside_task <= 0) continue;
      const Count given =
          for_masters_in_yarn(queue.settings.empty() ? usual : queue.settings.back().second, own, step);
      RC_ASSERT(given + task <= own);
      RC_ASSERT(given >= std::min(at_once, beside_task));
    }
  });
}

TEST(PoolQueues, RefusesWhatCannotBe) {
  const auto refused = [](const PoolQueuesRequest& request, const SchedulerConf& conf, const char* words) {
    try {
      (void)pool_queues(two_pools, request, conf);
      FAIL() << words;
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), HasSubstr(words));
    }
  };
  refused({.parent = "root.none", .tag = "t"}, two_levels(), "no queue 'root.none'");
  refused({.parent = "default", .tag = "t"}, two_levels(), "'root.default' has no queues below it");
  refused({.parent = "root", .tag = "t", .plugin = true}, two_levels(), "ordered by the plug-in");
  refused({.parent = "root", .tag = "t"},
          conf_of({{"root.queues", "a"}, {"root.a.capacity", "[memory=1024]"}}), "not in percent");
  refused({.parent = "root", .tag = "t"}, conf_of({{"root.queues", "a"}, {"root.a.capacity", "90"}}),
          "sum to 90, not to 100");
  refused({.parent = "root", .tag = "x-t"},
          conf_of({{"root.queues", "a,wavewright-t-2"},
                   {"root.a.capacity", "100"},
                   {"root.wavewright-t-2.capacity", "0"}}),
          "there is a queue 'root.wavewright-t-2' already");
}

}  // namespace
}  // namespace wavewright
