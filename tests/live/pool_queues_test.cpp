#include "wavewright/live/yarn/pool_queues.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/property.h"
#include "wavewright/core/error.h"

namespace wavewright {
namespace {

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
