#include "tests/report/sample_run.h"

#include <sstream>
#include <utility>

#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright::sample {

SimulationReport Run::report() const {
  SimulationReport report;
  report.title = "Nightly run";
  report.generated = "2026-11-20 06:00 UTC";
  report.policy = policy;
  report.workload = &workload;
  report.cluster = &cluster;
  report.result = &result;
  return report;
}

Run run(Workload workload, Cluster cluster, const std::string& policy) {
  Run made{std::move(workload), std::move(cluster), {}, policy};
  Policy rule = make_policy(policy);
  made.result = simulate_on(made.workload, rule, {made.cluster, 1, true});
  return made;
}

Cluster troubled_cluster() {
  Cluster cluster;
  for (const char* rack : {"/r1", "/r2"}) {
    NodeGroup& group = cluster.nodes.emplace_back();
    group.count = 3;
    group.rack = rack;
    group.slots = {2, 1};
    group.power_idle_w = 90;
    group.power_busy_w = 200;
    group.price_per_hour = 0.5;
  }
  cluster.mode.heartbeat = ms(500);
  cluster.mode.launch = ms(200);
  cluster.reads = {Reads::Kind::slowdown, 1.1, 1.4};
  cluster.faults.task_failure = 0.06;
  cluster.outages = {{"node2", at_ms(20'000), at_ms(60'000)}};
  return cluster;
}

Cluster container_cluster() {
  Cluster cluster;
  cluster.mode.kind = ClusterMode::Kind::containers;
  cluster.mode.heartbeat = ms(500);
  NodeGroup& group = cluster.nodes.emplace_back();
  group.count = 8;
  group.memory = Bytes{4LL << 30};
  group.vcores = 4;
  cluster.containers.master.memory = Bytes{1LL << 30};
  cluster.masters.start = ms(800);
  return cluster;
}

std::string html(const SimulationReport& report) {
  std::ostringstream out;
  write_simulation_report(out, report);
  return std::move(out).str();
}

}  // namespace wavewright::sample
