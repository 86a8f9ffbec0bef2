// The engines of clusters: the fast one against the reference, job by job and task by task, under every
// policy; and both against the flat pool where a cluster is no more than that.
#include <gmock/gmock.h>

#include "tests/property.h"
#include "tests/sim/cluster_worlds.h"
#include "tests/sim/lively.h"
#include "tests/sim/restless.h"
#include "tests/sim/same_result.h"
#include "tests/sim/small_clusters.h"
#include "tests/sim/small_jobs.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/error.h"
#include "wavewright/job/workload_file.h"
#include "wavewright/sched/policies/fifo.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright {
namespace {

using worlds::some_cluster;
using worlds::some_dependent_workload;
using worlds::some_queues;

// What rapidcheck's shrunken numbers mean.
void show(const Workload& workload, const Cluster& cluster, const std::string& spec) {
  RC_LOG() << spec << "\n" << to_toml(cluster);
  for (const Job& job : workload.jobs) RC_LOG() << to_line(job) << "\n";
}

void agree_under(const std::string& spec) {
  holds_always(
      [&] {
        const Workload workload = some_dependent_workload();
        const PolicyContext context{some_queues()};
        const ClusterOptions options{some_cluster(), *rc::gen::inRange<std::uint64_t>(0, 5), true};
        Policy a = make_policy(spec, context), b = make_policy(spec, context);
        expect_equal(simulate_cluster(workload, a, options),
                     simulate_cluster_reference(workload, b, options));
      },
      1'200, 150);
}

TEST(ClusterEnginesAgree, UnderFifo) {
  agree_under("fifo");
}
TEST(ClusterEnginesAgree, UnderFair) {
  agree_under("fair");
}
TEST(ClusterEnginesAgree, UnderFairWithQueuesInOrder) {
  agree_under("fair(within=fifo, pools=users)");
}
TEST(ClusterEnginesAgree, UnderFairThatTakesSlotsBack) {
  agree_under("fair(preempt=5ms, preempt_share=8ms)");
}
TEST(ClusterEnginesAgree, UnderCapacity) {
  agree_under("capacity");
}
TEST(ClusterEnginesAgree, UnderFifoWithDelay) {
  agree_under("fifo+delay(7ms, rack=4ms)");
}
TEST(ClusterEnginesAgree, UnderFairWithDelay) {
  agree_under("fair+delay(20ms)");
}

TEST(ClusterEnginesAgree, WhereAttemptsFailAndNodesGo) {
  holds_always(
      [] {
        const Workload workload = some_dependent_workload();
        const std::string spec = *rc::gen::element<std::string>("fifo", "fair", "capacity", "fair+delay(9ms)",
                                                                "capacity+delay(9ms)");
        const PolicyContext context{some_queues()};
        const ClusterOptions options{worlds::some_faulty_cluster(), *rc::gen::inRange<std::uint64_t>(0, 50),
                                     true};
        show(workload, options.cluster, spec);
        Policy a = make_policy(spec, context), b = make_policy(spec, context);
        expect_equal(simulate_cluster(workload, a, options),
                     simulate_cluster_reference(workload, b, options));
      },
      2'500, 300);
}

TEST(ClusterEnginesAgree, WhereBlocksAndShufflesShareTheNetwork) {
  holds_always(
      [] {
        Workload workload = some_dependent_workload();
        worlds::weigh(workload);
        const std::string spec = *rc::gen::element<std::string>("fifo", "fair", "fair(preempt=5ms)");
        const PolicyContext context{some_queues()};
        ClusterOptions options{*rc::gen::arbitrary<bool>() ? some_cluster() : worlds::some_faulty_cluster(),
                               *rc::gen::inRange<std::uint64_t>(0, 50), true};
        worlds::connect(options.cluster);
        show(workload, options.cluster, spec);
        Policy a = make_policy(spec, context), b = make_policy(spec, context);
        expect_equal(simulate_cluster(workload, a, options),
                     simulate_cluster_reference(workload, b, options));
      },
      2'500, 300);
}

TEST(ClusterEnginesAgree, UnderARestlessPolicyWithNestedGroupsAndCaps) {
  holds_always(
      [] {
        const Workload workload = some_dependent_workload();
        const ClusterOptions options{some_cluster(), 1, true};
        Policy a{std::make_unique<Restless>(), nullptr}, b{std::make_unique<Restless>(), nullptr};
        expect_equal(simulate_cluster(workload, a, options),
                     simulate_cluster_reference(workload, b, options));
      },
      1'200, 150);
}

// Events, holdings and occupants by node class; caps, reservations and preemption on one class; timers.
TEST(ClusterEnginesAgree, OnAllThatAPolicyIsToldAndDecides) {
  holds_always(
      [] {
        const Workload workload = some_dependent_workload();
        ClusterOptions options{*rc::gen::arbitrary<bool>() ? some_cluster() : worlds::some_faulty_cluster(),
                               *rc::gen::inRange<std::uint64_t>(0, 50), true};
        if (*rc::gen::arbitrary<bool>()) worlds::offer_machines(options.cluster);
        const bool containers = *rc::gen::arbitrary<bool>();
        if (containers) worlds::give_out_containers(options.cluster);
        show(workload, options.cluster, "lively");
        const Lively::On on = containers ? Lively::On::containers : Lively::On::nodes;
        Policy a{std::make_unique<Lively>(on), nullptr}, b{std::make_unique<Lively>(on), nullptr};
        const auto fast = worlds::unless_stuck([&] { return simulate_cluster(workload, a, options); });
        expect_equal(fast, simulate_cluster_reference(workload, b, options));
      },
      4'000, 400);
}

// The only node is gone for good.
TEST(ClusterEnginesAgree, ThatHeartbeatsAloneEndNothing) {
  const Workload workload{{job_of("A", {10}, {}), job_of("B", {10, 10}, {})}};
  Cluster cluster = slot_nodes(1, {1, 0});
  cluster.mode.heartbeat = ms(3);
  cluster.outages.push_back({"node1", at_ms(5), {}});
  const auto stuck = [&](auto simulate) {
    Policy policy = make_policy("fifo");
    try {
      (void)simulate(workload, policy, ClusterOptions{cluster, 1, true});
    } catch (const Infeasible& error) {
      return std::string(error.what());
    }
    return std::string("it ended");
  };
  EXPECT_THAT(stuck(simulate_cluster), testing::HasSubstr("job 'A' can never be placed"));
  EXPECT_THAT(stuck(simulate_cluster_reference), testing::HasSubstr("all nodes are away for good"));
}

// One node, no heartbeat, no launch, one speed: the flat pool, whatever the policy.
TEST(ClusterEnginesAgree, WithTheFlatPoolWhereAClusterIsNoMore) {
  holds_always(
      [] {
        const Workload workload =
            *rc::gen::arbitrary<bool>() ? worlds::some_workload() : worlds::some_workflow();
        const SimulationOptions flat = worlds::some_options();
        ClusterOptions options{flat_cluster(flat.pool), 1, true};
        options.cluster.mode.slowstart = flat.slowstart;
        for (const char* spec : {"fifo", "fair", "capacity"}) {
          Policy a = make_policy(spec), b = make_policy(spec);
          SimulationResult on_nodes = simulate_cluster(workload, a, options);
          SimulationResult on_pool = simulate(workload, *b.allocator, flat);
          on_pool.starts = on_nodes.starts;  // which a flat pool does not count
          expect_equal(on_nodes, on_pool);
        }
      },
      2'000, 250);
}

TEST(ClusterEnginesAgree, HoweverLongTheSimulation) {
  holds_always(
      [] {
        Workload workload = some_dependent_workload();
        for (Job& job : workload.jobs) {
          job.task_failure = 0;  // how often a task then runs again is bounded by nothing
          // Years a task: the queues of ends move their base many times.
          for (auto* durations : {&job.maps, &job.reduces, &job.first_shuffles, &job.shuffles}) {
            for (Duration& duration : *durations) duration *= std::int64_t{1} << 37;
          }
        }
        ClusterOptions options{some_cluster(), 1, true};
        options.cluster.mode.heartbeat = Duration{};  // the reference engine would visit every one
        Policy a = make_policy("fair"), b = make_policy("fair");
        expect_equal(simulate_cluster(workload, a, options),
                     simulate_cluster_reference(workload, b, options));
      },
      500);
}

TEST(ClusterEnginesAgree, ThatYearsOnABillionSlotsAreTooMuch) {
  Workload workload;
  workload.jobs.resize(1);
  workload.jobs[0].id = "J";
  workload.jobs[0].maps = {ms(std::int64_t{1} << 40)};
  NodeGroup group;
  group.slots = {1'000'000'000, 1};
  Cluster cluster;
  cluster.nodes = {group};
  cluster.mode.launch = ms(1);  // beyond a flat pool
  Policy policy = make_policy("fifo");
  EXPECT_THROW((void)simulate_cluster(workload, policy, {cluster, 1, false}), InputError);
}

void containers_agree_under(const std::string& spec, bool faulty, bool connected = false) {
  holds_always(
      [&] {
        Workload workload = some_dependent_workload();
        const bool matchmaking = spec.ends_with("+matchmaking");
        PolicyContext context{some_queues(), matchmaking || *rc::gen::arbitrary<bool>()};
        Cluster cluster = faulty ? worlds::some_faulty_cluster() : some_cluster();
        worlds::give_out_containers(cluster);
        if (matchmaking) cluster.mode.heartbeat = std::max(cluster.mode.heartbeat, ms(2));
        if (connected) {
          worlds::connect(cluster);
          worlds::weigh(workload);
        }
        context.places = cluster.reads.kind != Reads::Kind::anywhere && cluster.mode.heartbeat > Duration{};
        const ClusterOptions options{cluster, *rc::gen::inRange<std::uint64_t>(0, 5), true};
        show(workload, options.cluster, spec);
        const auto run = [&](auto simulate) -> std::optional<SimulationResult> {
          Policy policy = make_policy(spec, context);
          try {
            return simulate(workload, policy, options);
          } catch (const Infeasible&) {  // masters alone may fill what a queue may have
            return std::nullopt;
          }
        };
        const auto fast = run(simulate_cluster), reference = run(simulate_cluster_reference);
        RC_ASSERT(fast.has_value() == reference.has_value());
        if (fast) expect_equal(*fast, *reference);
      },
      600, 80);
}

TEST(ContainerEnginesAgree, WhereBlocksAndShufflesShareTheNetwork) {
  containers_agree_under("fifo", false, true);
}
TEST(ContainerEnginesAgree, WhereTheyDoAndAttemptsFail) {
  containers_agree_under("fair", true, true);
}
TEST(ContainerEnginesAgree, UnderFifo) {
  containers_agree_under("fifo", false);
}
TEST(ContainerEnginesAgree, UnderFair) {
  containers_agree_under("fair", false);
}
TEST(ContainerEnginesAgree, UnderCapacity) {
  containers_agree_under("capacity", false);
}
TEST(ContainerEnginesAgree, UnderCapacityThatCountsOffers) {
  containers_agree_under("capacity(node_locality_delay=1, rack_locality_additional_delay=2)", true);
}
TEST(ContainerEnginesAgree, UnderFairThatPreempts) {
  containers_agree_under("fair(preempt=20ms, preempt_share=40ms, kill_after=5ms)", true);
}
TEST(ContainerEnginesAgree, WithAPlacer) {
  containers_agree_under("fair+delay(20ms, rack=10ms)", false);
}
TEST(ContainerEnginesAgree, UnderMatchmaking) {
  containers_agree_under("fifo+matchmaking", false);
}
TEST(ContainerEnginesAgree, UnderMatchmakingWithFaults) {
  containers_agree_under("fair+matchmaking", true);
}
TEST(ContainerEnginesAgree, WithFaults) {
  containers_agree_under("fifo", true);
}
TEST(ContainerEnginesAgree, WithFaultsUnderFair) {
  containers_agree_under("fair+delay(5ms)", true);
}

}  // namespace
}  // namespace wavewright
