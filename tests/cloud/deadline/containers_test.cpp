// Machines that the deadline policies rent for containers: by memory, and by cores where they limit.
#include <fmt/format.h>

#include "tests/property.h"
#include "tests/sim/cluster_worlds.h"
#include "tests/sim/same_result.h"
#include "tests/sim/small_jobs.h"
#include "wavewright/cloud/deadline/policies.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {
namespace {

Policy policy(const std::string& text) {
  return make_policy(text, {.containers = true}, PolicyRegistry(deadline_policies()));
}

// Twenty machines of 4 GiB and 4 cores, to rent at once. Masters, maps and reduces take 1 GiB and a core
// each.
Cluster cloud(const std::string& containers = "", const std::string& row = "") {
  return parse_cluster(R"(
[mode]
kind = "containers"
[containers]
master_memory_mb = 1024
map_memory_mb = 1024
reduce_memory_mb = 1024
)" + containers + R"(
[[nodes]]
count = 20
memory_mb = 4096
vcores = 4
rent = true
boot_ms = 1000
price_per_hour = 1.0
)" + row,
                       "cloud.toml");
}

// So many maps of 10 s, which must all run at once to be in time.
SimulationResult run(const Cluster& cluster, std::size_t maps,
                     const std::string& spec = "edf(machines=on-demand)") {
  Job job = job_of("A", std::vector<int>(maps, 10'000), {});
  job.deadline = at_ms(16'000);
  Policy rents = policy(spec);
  return simulate_cluster({{job}}, rents, {cluster, 1, true});
}

TEST(RentedForContainers, HoldTheMasterAndTheMapsThatTheDeadlineNeeds) {
  const SimulationResult seven = run(cloud(), 7);  // and a master: 8 GiB
  EXPECT_EQ(seven.leases.size(), 2U);
  EXPECT_LE(seven.jobs[0].finish, at_ms(16'000));
  EXPECT_EQ(run(cloud(), 8).leases.size(), 3U);
}

// Of 3 GiB containers a machine of 4 GiB holds one: its last GiB serves none.
TEST(RentedForContainers, CountMemoryThatNoContainerFits) {
  Cluster cluster = cloud();
  cluster.containers.map.memory = Bytes{3072LL << 20};
  EXPECT_EQ(run(cluster, 7).leases.size(), 8U);  // 7 for maps, and a quarter of one for the master
}

TEST(RentedForContainers, CountCoresWhereTheyLimit) {
  const std::string cores = "map_vcores = 2\n";
  EXPECT_EQ(run(cloud(cores), 7).leases.size(), 2U);
  EXPECT_EQ(run(cloud(cores + "count_vcores = true\n"), 7).leases.size(), 4U);  // 14 cores, and the master's
}

TEST(RentedForContainers, GoBackWhenNothingNeedsThem) {
  const Job late = job_of("B", {1'000}, {}, 60'000);
  Job job = job_of("A", {10'000}, {});
  job.deadline = at_ms(16'000);
  Policy rents = policy("edf(machines=on-demand, idle=1s)");
  const SimulationResult two = simulate_cluster({{job, late}}, rents, {cloud(), 1, true});
  ASSERT_EQ(two.leases.size(), 2U);
  EXPECT_EQ(two.leases[0].ended_by, LeaseEnd::policy);
  ASSERT_TRUE(two.leases[0].left);
  EXPECT_LT(*two.leases[0].left, at_ms(20'000));
}

// A task that no machine for rent holds does not rent any.
TEST(RentedForContainers, AreNotRentedForWhatTheyCannotHold) {
  Cluster cluster = cloud();
  cluster.containers.map.memory = Bytes{5000LL << 20};
  NodeGroup large;
  large.memory = Bytes{6144LL << 20};
  large.vcores = 8;
  large.node_class = "large";
  cluster.nodes.push_back(large);
  EXPECT_EQ(run(cluster, 7).leases.size(), 0U);
}

TEST(RentedForContainers, MakeBothEnginesAgree) {
  std::size_t leases = 0, for_containers = 0, noticed = 0;
  holds_always(
      [&] {
        Workload workload = worlds::some_dependent_workload();
        for (Job& job : workload.jobs)
          if (*rc::gen::inRange(0, 4) != 0) job.deadline = job.submit + ms(*rc::gen::inRange(1, 80));
        Cluster cluster =
            *rc::gen::arbitrary<bool>() ? worlds::some_cluster() : worlds::some_faulty_cluster();
        worlds::offer_machines(cluster);
        NodeGroup& rented = cluster.nodes.back();
        rented.node_class = "rented";
        rented.spot = {{at_ms(0), 0.1}, {at_ms(*rc::gen::inRange(1, 60)), 0.5}, {at_ms(90), 0.1}};
        if (*rc::gen::inRange(0, 4) != 0) worlds::give_out_containers(cluster);
        const std::string name =
            *rc::gen::element<std::string>("edf", "ndasa", "mdasa", "evedf", "least-slack");
        const std::string market = *rc::gen::element<std::string>("on-demand", "spot", "hybrid");
        const std::string spec = fmt::format("{}(machines={}, class=rented, bid=0.2, idle={}ms)", name,
                                             market, *rc::gen::inRange(1, 9));
        RC_LOG() << spec << "\n" << to_toml(cluster);
        const ClusterOptions options{cluster, *rc::gen::inRange<std::uint64_t>(0, 50), true};
        Policy a = policy(spec), b = policy(spec);
        const auto fast = worlds::unless_stuck([&] { return simulate_cluster(workload, a, options); });
        expect_equal(fast, simulate_cluster_reference(workload, b, options));
        leases += fast.leases.size();
        if (cluster.mode.kind == ClusterMode::Kind::containers) for_containers += fast.leases.size();
        for (const Lease& lease : fast.leases) noticed += lease.noticed ? 1 : 0;
      },
      1'200);
  EXPECT_GT(leases, static_cast<std::size_t>(rare(150)));
  EXPECT_GT(for_containers, static_cast<std::size_t>(rare(25)));
  EXPECT_GE(noticed, static_cast<std::size_t>(rare(5)));
}

}  // namespace
}  // namespace wavewright
