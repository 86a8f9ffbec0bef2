#include "wavewright/cloud/worlds/world.h"

#include <algorithm>

#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {

namespace {

Time last_submission(const Workload& workload) {
  Time last{};
  for (const Job& job : workload.jobs) last = std::max(last, job.submit);
  return last;
}

}  // namespace

World make_world(const Workload& trace, const WorldOptions& options, std::uint64_t seed) {
  World world{.workload = select_jobs(trace, options.jobs), .cluster = {}, .seed = seed};
  draw_deadlines(world.workload, {.least = options.least_factor,
                                  .most = options.most_factor,
                                  .boot = options.boot_in_shortest ? options.machine.boot : Duration{},
                                  .seed = seed});
  NodeGroup machine = options.machine;
  machine.rent = true;
  if (options.spot) {
    const Duration length = last_submission(trace) - Time{} + options.prices_after;
    machine.spot = spot_rows(generate_prices(*options.spot, {.length = length, .seed = seed}), Time{});
  }
  world.cluster.nodes = {std::move(machine)};
  world.cluster.faults = options.faults;
  return world;
}

double WorldOutcome::tardy_percent() const {
  return tardiness.jobs == 0
             ? 0
             : 100 * static_cast<double>(tardiness.tardy) / static_cast<double>(tardiness.jobs);
}

WorldOutcome run_in(const World& world, const std::string& policy, const PolicyRegistry& registry) {
  Policy made = make_policy_on(policy, world.cluster, registry);
  ClusterOptions options;
  options.cluster = world.cluster;
  options.seed = world.seed;
  options.keep_stuck = true;
  const SimulationResult result = simulate_cluster(world.workload, made, options);
  return {tardiness_of(world.workload, result), totals_of(result), result.makespan};
}

}  // namespace wavewright
