#include "wavewright/energy/dispatcher.h"

#include <algorithm>
#include <deque>

#include "wavewright/core/quantity.h"

namespace wavewright {

namespace {

bool holds(const QueuedTask& task, NodeIndex node) {
  return std::find(task.blocks.begin(), task.blocks.end(), node) != task.blocks.end();
}

struct Entry {
  const QueuedTask* task = nullptr;
  Count local = 0;  // L_k
};

}  // namespace

std::vector<Dispatched> dispatch(std::span<const QueuedTask> tasks, std::span<const NodeIndex> containers) {
  std::vector<Entry> order;
  for (const QueuedTask& task : tasks) {
    const auto here = [&](NodeIndex node) { return holds(task, node); };
    order.push_back({&task, std::count_if(containers.begin(), containers.end(), here)});
  }
  std::stable_sort(order.begin(), order.end(), [](const Entry& a, const Entry& b) {
    return a.local != 0 && (b.local == 0 || a.local < b.local);
  });
  std::deque<Entry> queue(order.begin(), order.end());
  std::vector<NodeIndex> left(containers.begin(), containers.end());
  std::vector<Dispatched> assigned;
  while (!queue.empty() && !left.empty()) {
    const Entry next = queue.front();
    queue.pop_front();
    const auto container =
        next.local == 0
            ? left.begin()
            : std::find_if(left.begin(), left.end(), [&](NodeIndex node) { return holds(*next.task, node); });
    if (container == left.end()) {
      queue.push_back({next.task, 0});
      continue;
    }
    assigned.push_back({next.task->task, *container});
    left.erase(container);
  }
  return assigned;
}

}  // namespace wavewright
