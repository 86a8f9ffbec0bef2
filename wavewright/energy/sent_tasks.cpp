#include "wavewright/energy/sent_tasks.h"

namespace wavewright {

namespace {

const BlocksByNode& by_node(SentTasks::Maps& of, const View& view) {
  if (!of.by_node) of.by_node.emplace(view, of.job);
  return *of.by_node;
}

// A container that is alone gets the first task with a block there, or else the first one: as the
// dispatcher would say.
std::optional<TaskIndex> task_for(SentTasks::Maps& of, NodeIndex node, const View& view) {
  const BlocksByNode& blocks = by_node(of, view);
  if (const auto place = blocks.place(node)) {
    for (const TaskIndex task : blocks.maps(*place)) {
      if (of.waits(task, view)) return task;
    }
  }
  for (TaskIndex task = of.first_waiting; task < of.count; ++task) {
    if (of.waits(task, view)) return task;
  }
  return std::nullopt;
}

}  // namespace

std::span<const Dispatched> SentTasks::send(Maps& maps, std::span<const Grant> grants, const View& view) {
  while (maps.first_waiting < maps.count && !maps.waits(maps.first_waiting, view)) ++maps.first_waiting;
  std::span<const Dispatched> all;
  if (grants.size() == 1 && grants.front().containers == 1) {
    alone_.node = grants.front().node;
    if (const auto task = task_for(maps, alone_.node, view)) {
      alone_.task = *task;
      all = std::span(&alone_, 1);
    }
  } else {
    containers_.clear();
    for (const Grant& each : grants)
      containers_.insert(containers_.end(), static_cast<std::size_t>(each.containers), each.node);
    dispatcher_.obtain(containers_);
    constexpr std::size_t many = 2;  // maps for a container
    queue_.clear();
    if (std::size_t{maps.count - maps.first_waiting} <= many * containers_.size()) {
      queue_tasks(maps, view);
    } else {
      queue_few_tasks(maps, grants, view);
    }
    all = dispatcher_.assign(queue_);
  }
  maps.sent.resize(maps.count, nowhere);
  for (const Dispatched& each : all) {
    maps.sent[each.task] = each.node;
    add(each.node, {maps.job, each.task, view.now()});
  }
  return all;
}

// The tasks that may be sent: those with a block on a granted node, and as many others as there are
// containers.
void SentTasks::queue_tasks(const Maps& of, const View& view) {
  std::size_t others = containers_.size();
  for (TaskIndex task = of.first_waiting; task < of.count; ++task) {
    if (!of.waits(task, view)) continue;
    const std::span<const NodeIndex> blocks = view.block_nodes(of.job, task);
    if (dispatcher_.local(blocks) == 0) {
      if (others == 0) continue;
      --others;
    }
    queue_.push_back({task, blocks});
  }
}

// The same by the nodes' blocks: it does not look at all tasks. Those with a block come first, which the
// dispatcher takes first in any case.
void SentTasks::queue_few_tasks(Maps& of, std::span<const Grant> grants, const View& view) {
  const BlocksByNode& blocks = by_node(of, view);
  may_go_.clear();
  for (const Grant& each : grants) {
    const auto place = blocks.place(each.node);
    if (!place) continue;
    for (const TaskIndex task : blocks.maps(*place)) {
      if (of.waits(task, view)) may_go_.push_back(task);
    }
  }
  std::sort(may_go_.begin(), may_go_.end());
  may_go_.erase(std::unique(may_go_.begin(), may_go_.end()), may_go_.end());
  const std::size_t near = may_go_.size(), most = near + containers_.size();
  std::size_t next = 0;  // of the near ones, which ascend as the others do
  for (TaskIndex task = of.first_waiting; task < of.count && may_go_.size() < most; ++task) {
    while (next < near && may_go_[next] < task) ++next;
    const bool is_near = next < near && may_go_[next] == task;
    if (!is_near && of.waits(task, view)) may_go_.push_back(task);
  }
  for (const TaskIndex task : may_go_) queue_.push_back({task, view.block_nodes(of.job, task)});
}

}  // namespace wavewright
