#include "wavewright/energy/sent_tasks.h"

namespace wavewright {

namespace {

// A container that is alone gets the first task with a block there, or else the first one: as dispatch()
// says.
std::optional<TaskIndex> task_for(const SentTasks::Maps& of, NodeIndex node, const View& view) {
  if (const auto place = of.blocks.place(node)) {
    for (const TaskIndex task : of.blocks.maps(*place)) {
      if (view.map_is_pending(of.job, task)) return task;
    }
  }
  const auto maps = static_cast<TaskIndex>(view.facts(of.job).maps);
  for (TaskIndex task = of.first_pending; task < maps; ++task) {
    if (view.map_is_pending(of.job, task)) return task;
  }
  return std::nullopt;
}

}  // namespace

void SentTasks::send(const Maps& maps, std::span<const Grant> grants, const View& view) {
  if (grants.size() == 1 && grants.front().containers == 1) {
    const NodeIndex node = grants.front().node;
    if (const auto task = task_for(maps, node, view)) add(node, maps.job, *task);
    return;
  }
  containers_.clear();
  for (const Grant& each : grants)
    containers_.insert(containers_.end(), static_cast<std::size_t>(each.containers), each.node);
  queue_tasks(maps, grants, view);
  for (const Dispatched& each : dispatch(queue_, containers_)) add(each.node, maps.job, each.task);
}

// The tasks that may be sent: those with a block on a granted node, and as many others as there are
// containers.
void SentTasks::queue_tasks(const Maps& of, std::span<const Grant> grants, const View& view) {
  may_go_.clear();
  for (const Grant& each : grants) {
    const auto place = of.blocks.place(each.node);
    if (!place) continue;
    for (const TaskIndex task : of.blocks.maps(*place)) {
      if (view.map_is_pending(of.job, task)) may_go_.push_back(task);
    }
  }
  std::sort(may_go_.begin(), may_go_.end());
  may_go_.erase(std::unique(may_go_.begin(), may_go_.end()), may_go_.end());
  const std::size_t near = may_go_.size(), most = near + containers_.size();
  const auto maps = static_cast<TaskIndex>(view.facts(of.job).maps);
  std::size_t next = 0;  // of the near ones, which ascend as the others do
  for (TaskIndex task = of.first_pending; task < maps && may_go_.size() < most; ++task) {
    while (next < near && may_go_[next] < task) ++next;
    const bool is_near = next < near && may_go_[next] == task;
    if (!is_near && view.map_is_pending(of.job, task)) may_go_.push_back(task);
  }
  std::inplace_merge(may_go_.begin(), may_go_.begin() + static_cast<std::ptrdiff_t>(near), may_go_.end());
  queue_.clear();
  for (const TaskIndex task : may_go_) queue_.push_back({task, view.block_nodes(of.job, task)});
}

}  // namespace wavewright
