// deadline-cost and its rivals in random worlds: both engines agree, and every job ends.
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/property.h"
#include "wavewright/cloud/deadline/policies.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {
namespace {

// Twelve machines for rent, whose spot price passes a bid of 0.5 USD now and then. Nothing else is there.
Cluster any_cloud() {
  std::string prices = "[0, 0.1]";
  std::int64_t at = 0;
  for (int changes = *rc::gen::inRange(0, 6); changes > 0; --changes) {
    at += *rc::gen::inRange(1, 2'000'000);
    prices += fmt::format(", [{}, 0.9], [{}, 0.2]", at, at + 300'000);
    at += 300'000;
  }
  return parse_cluster(
      fmt::format("[[nodes]]\ncount = 12\nmap_slots = 2\nreduce_slots = 1\nprice_per_hour = 0.5\n"
                  "rent = true\nboot_ms = 60000\nbilling = \"{}\"\nspot = [{}]\n",
                  *rc::gen::element<std::string>("hour", "second"), prices),
      "cloud.toml");
}

Workload any_jobs() {
  Workload workload;
  std::int64_t at = 0;
  for (int i = *rc::gen::inRange(1, 12); i > 0; --i) {
    Job& job = workload.jobs.emplace_back();
    job.id = fmt::format("J{}", workload.jobs.size());
    job.submit = at_ms(at);
    job.maps.assign(static_cast<std::size_t>(*rc::gen::inRange(1, 60)), ms(*rc::gen::inRange(1, 200'000)));
    job.reduces.assign(static_cast<std::size_t>(*rc::gen::inRange(0, 5)), ms(*rc::gen::inRange(1, 200'000)));
    if (*rc::gen::inRange(0, 5) > 0) job.deadline = at_ms(at + *rc::gen::inRange(1'000, 1'500'000));
    at += *rc::gen::inRange(0, 900'000);
  }
  return workload;
}

TEST(RandomWorlds, AreTheSameInBothEngines) {
  std::size_t leases = 0;
  holds_always(
      [&] {
        const Workload workload = any_jobs();
        const ClusterOptions options{any_cloud()};
        const std::string text = fmt::format(
            "{}machines={})",
            *rc::gen::element<std::string>(
                "deadline-cost(", "deadline-cost(late=0, ", "deadline-cost(late=500, tardy=50, spare=3, ",
                "deadline-cost(late=5, margin=100%, memory=0, spare=0, ", "autoscaler(", "fixed-size(3, "),
            *rc::gen::element<std::string>("on-demand", "hybrid"));
        const auto run = [&](auto simulate) {
          Policy policy = make_policy(text, {}, PolicyRegistry(deadline_policies()));
          return simulate(workload, policy, options);
        };
        const SimulationResult fast = run(simulate_cluster), slow = run(simulate_cluster_reference);
        RC_ASSERT(fast.makespan == slow.makespan);
        RC_ASSERT(fast.leases == slow.leases);
        for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
          RC_ASSERT(fast.jobs[i].finish == slow.jobs[i].finish);
          RC_ASSERT(fast.jobs[i].finish >= workload.jobs[i].submit);
        }
        leases += fast.leases.size();
      },
      100);
  EXPECT_GT(leases, 100U);
}

}  // namespace
}  // namespace wavewright
