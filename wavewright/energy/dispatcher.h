// The application master's dispatcher: which of a job's tasks goes to which of the containers that the job
// obtained [UNL table 6.4, Algorithm 2].
//
// L_k is the number of containers obtained on nodes with task k's block. Tasks go in order of L_k, those
// without any last. A task with L_k > 0 takes the first container that has its block; if others took all of
// these, it goes to the end as a task without any. Such a task takes the first container that is left.
#pragma once

#include <span>
#include <vector>

#include "wavewright/sched/event.h"

namespace wavewright {

struct Dispatched {
  TaskIndex task = 0;
  NodeIndex node = 0;

  friend bool operator==(const Dispatched&, const Dispatched&) = default;
};

// A task, and the nodes with its block.
struct QueuedTask {
  TaskIndex task = 0;
  std::span<const NodeIndex> blocks;
};

// `tasks`: that have not started, lowest number first. `containers`: the node of each, best first [UNL
// Alg. 2 line 2]. In order of assignment; min(tasks, containers) of them.
// O(tasks · (log tasks + blocks of one · log containers) + containers · log containers).
[[nodiscard]] std::vector<Dispatched> dispatch(std::span<const QueuedTask> tasks,
                                               std::span<const NodeIndex> containers);

}  // namespace wavewright
