// Simulations in a policy's task order. The engines take tasks in the order in which they stand; results have
// the numbers that the tasks have in the workload's list.
#pragma once

#include <functional>

#include "wavewright/job/task_order.h"
#include "wavewright/sim/result.h"

namespace wavewright {

// Calls `run` with the workload in that order and a sink that passes tasks on to `sink`; null stays null.
// The tasks in the result have listed numbers. O(tasks · log tasks) besides the run; O(tasks), without a
// copy, if every task stands as listed.
[[nodiscard]] SimulationResult simulate_in_task_order(
    const Workload& listed, TaskOrder order, TaskSink* sink,
    const std::function<SimulationResult(const Workload&, TaskSink*)>& run);

}  // namespace wavewright
