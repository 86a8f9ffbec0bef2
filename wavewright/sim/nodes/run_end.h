// The end of a simulated run: what it adds up to, what was under way when it was stopped, which job is stuck.
#pragma once

#include "wavewright/sim/nodes/node_changes.h"

namespace wavewright::sim {

class RunEnd {
 public:
  RunEnd(World& world, const ResourceManager& resources, AttemptRunner& runner, const JobLifecycle& lifecycle,
         const NodeChanges& changes, const std::atomic<bool>* stop)
      : w_(world),
        resources_(resources),
        runner_(runner),
        lifecycle_(lifecycle),
        changes_(changes),
        stop_(stop) {}

  // Whether it is to end before its time.
  [[nodiscard]] bool stopped() {
    if (stop_ == nullptr || !stop_->load(std::memory_order_relaxed)) return false;
    w_.result.stopped = w_.now();
    return true;
  }

  // Sums up, and says who was left behind and why.
  void sum_up();
  // Whether the attempt had not ended when the simulation was stopped.
  [[nodiscard]] bool still_runs(const SlotTable& table, std::uint32_t slot) const;
  // Masters outlast their jobs; of a simulation that was stopped, tasks run too.
  void close_records();
  void break_off();
  void refuse_stuck(JobIndex index) const;

 private:
  World& w_;
  const ResourceManager& resources_;
  AttemptRunner& runner_;
  const JobLifecycle& lifecycle_;
  const NodeChanges& changes_;
  const std::atomic<bool>* const stop_;
};

}  // namespace wavewright::sim
