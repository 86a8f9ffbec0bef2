// The end of a simulated run: totals, what was under way at a stop, which job is stuck.
#pragma once

#include "wavewright/core/error.h"
#include "wavewright/sim/nodes/allocation.h"
#include "wavewright/sim/nodes/node_changes.h"

namespace wavewright::sim {

class RunEnd {
 public:
  RunEnd(World& world, const ResourceManager& resources, AttemptRunner& runner, const JobLifecycle& lifecycle,
         const NodeChanges& changes, const ClusterOptions& options)
      : w_(world),
        resources_(resources),
        runner_(runner),
        lifecycle_(lifecycle),
        changes_(changes),
        stop_(options.stop),
        keep_stuck_(options.keep_stuck),
        most_starts_in_vain_(starts_of_a_task * (world.workload.tasks() + world.workload.jobs.size())) {}

  // True, and the instant is recorded, if the caller has stopped the run.
  [[nodiscard]] bool stopped() {
    if (stop_ == nullptr || !stop_->load(std::memory_order_relaxed)) return false;
    w_.result.stopped = w_.now();
    return true;
  }
  // Call at each instant if the policy sets timers: they may go on for ever after all else has ended, or kill
  // attempts for ever. Throws Infeasible then. One timer may be far off: a placer may wait for hours.
  void expect_progress() {
    const std::uint64_t ends = w_.result.events - w_.stops, seen = w_.result.events + w_.result.starts;
    if (std::exchange(seen_, seen) != seen) {
      instants_in_vain_ = 0;
      timers_then_ = w_.timers_sent;
      progressed_ms_ = w_.now_ms;
    }
    if (++instants_in_vain_ > most_passes &&
        (w_.timers_sent - timers_then_ > most_timers_in_vain || instants_in_vain_ > most_instants_in_vain))
      refuse_timers();
    if (std::exchange(ends_, ends) != ends) starts_then_ = w_.result.starts;
    if (w_.result.starts - starts_then_ > most_starts_in_vain_) refuse_kills();
  }

  // Computes the totals. Throws Infeasible or InternalError for a job that is left (throw_stuck).
  void sum_up();
  // The run cannot go on: computes the totals so far, or throws. Adds to the text who holds what.
  void end_stuck(const Infeasible& why);
  // True if the attempt had not ended when the simulation was stopped.
  [[nodiscard]] bool still_runs(const SlotTable& table, std::uint32_t slot) const;
  // Closes the records of what still runs: masters, which outlast their jobs, and after a stop tasks.
  void close_records();
  void break_off();
  // As ResourceManager::explain_stuck, for what does not depend on how resources are given out.
  void explain_stuck(JobIndex job) const;

 private:
  static constexpr std::uint64_t starts_of_a_task = 1000;  // on the average, while no attempt ends by itself
  static constexpr std::uint64_t most_timers_in_vain = 1000, most_instants_in_vain = 100 * most_passes;

  void compute_totals();
  void refuse_stuck(JobIndex job) const;
  void explain_waiting(JobIndex job) const;
  void refuse_timers();
  void refuse_kills() const;
  [[nodiscard]] std::string holders() const;

  World& w_;
  const ResourceManager& resources_;
  AttemptRunner& runner_;
  const JobLifecycle& lifecycle_;
  const NodeChanges& changes_;
  const std::atomic<bool>* const stop_;
  const bool keep_stuck_;
  const std::uint64_t most_starts_in_vain_;
  std::uint64_t seen_ = 0;
  std::uint64_t ends_ = 0;         // arrivals, and ends of attempts that were not killed
  std::uint64_t starts_then_ = 0;  // when the last of them was seen
  std::uint64_t progressed_ms_ = 0;
  std::uint64_t instants_in_vain_ = 0;  // in a row without a start, an end or an arrival
  std::uint64_t timers_then_ = 0;       // sent before them
};

}  // namespace wavewright::sim
