// Simulates a workload under a policy on a flat pool of slots, task by task [HP §IV].
//
// Model: assignment takes no time. A free slot takes the next task, in the order given, of the lowest-ranked
// job that has a ready task and whose groups have room. At each instant all ends and arrivals are applied
// first; then slots are given out, lowest slot first. Reduces of a job become ready when ⌈slowstart × maps⌉
// of its maps are done. A reduce that starts no later than the end of its job's last map holds its slot until
// then, and takes first shuffle + reduce after that instant. A reduce that starts later takes later shuffle +
// reduce after its own start. A job arrives at its submission or, with `after`, when its last predecessor is
// done, whichever is later: at that same instant, before slots are given out. Its completion time counts from
// its submission. Successors of a rejected job are rejected.
#pragma once

#include <atomic>
#include <memory>

#include "wavewright/job/job.h"
#include "wavewright/sched/policy.h"
#include "wavewright/sim/result.h"

namespace wavewright {

struct SimulationOptions {
  SlotPool pool;
  double slowstart = 1.0;                           // 0 … 1
  bool trace = false;                               // record every task
  const std::atomic<bool>* stop = nullptr;          // as ClusterOptions::stop; the fast engine only
  std::atomic<std::uint64_t>* jobs_over = nullptr;  // as ClusterOptions::jobs_over; the fast engine only
};

// Features of a policy that both engines can enforce.
[[nodiscard]] Features simulated_features();

// The tasks of a workload in flat arrays for the engine; made once, simulated many times. O(tasks).
class TaskTable {
 public:
  explicit TaskTable(const Workload& workload);
  ~TaskTable();
  TaskTable(TaskTable&&) noexcept;
  TaskTable& operator=(TaskTable&&) noexcept;
  TaskTable(const TaskTable&) = delete;
  TaskTable& operator=(const TaskTable&) = delete;

  struct Layout;
  [[nodiscard]] const Layout& layout() const { return *layout_; }

 private:
  std::unique_ptr<Layout> layout_;
};

// The fast engine: O(tasks · log slots + jobs · log jobs). Throws Infeasible if no slot can ever take a job's
// tasks of a kind, UsageError if the policy needs a feature that cannot be enforced, InternalError if the
// policy breaks its contract.
[[nodiscard]] SimulationResult simulate(const TaskTable& tasks, Allocator& policy,
                                        const SimulationOptions& options);
[[nodiscard]] SimulationResult simulate(const Workload& workload, Allocator& policy,
                                        const SimulationOptions& options);

// The reference engine of nodes on one node: the same contract, O(tasks · (slots + jobs)). Tests compare the
// fast engine with it.
[[nodiscard]] SimulationResult simulate_reference(const Workload& workload, Allocator& policy,
                                                  const SimulationOptions& options);

}  // namespace wavewright
