// The parts that the fast engines of slots and of containers share.
#pragma once

#include "wavewright/sim/nodes/allocation.h"
#include "wavewright/sim/nodes/node_changes.h"
#include "wavewright/sim/nodes/policy_clock.h"
#include "wavewright/sim/nodes/run_end.h"

namespace wavewright::sim {

struct Simulation {
  Simulation(const Workload& workload, Policy& policy, const NodeModel& model, const ClusterOptions& options,
             ResourceManager& resources)
      : world(workload, policy, model, lifecycle),
        runner(world, resources, options),
        speculation(world, resources, runner),
        lifecycle(world, resources, runner, speculation, options),
        clock(world, lifecycle),
        changes(world, resources, lifecycle),
        allocation(world, resources, runner, speculation),
        end(world, resources, runner, lifecycle, changes, options) {}
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  void begin() {
    runner.begin_records();
    changes.begin();
    world.policy.begin(world, world.ledger.allocator());
    world.ledger.decided();
    changes.first_absences();
  }

  World world;
  AttemptRunner runner;
  Speculation speculation;
  JobLifecycle lifecycle;
  PolicyClock clock;
  NodeChanges changes;
  Allocation allocation;
  RunEnd end;
};

}  // namespace wavewright::sim
