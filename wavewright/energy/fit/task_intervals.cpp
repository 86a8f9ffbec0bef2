#include "wavewright/energy/fit/task_intervals.h"

#include <algorithm>
#include <cctype>

namespace wavewright {

namespace {

// Numbers are addresses, of which the first part says nothing.
std::string short_name(const std::string& node) {
  const bool address = node.find_first_not_of("0123456789.") == std::string::npos;
  std::string name = address ? node : node.substr(0, node.find('.'));
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

}  // namespace

void TaskIntervals::add(const JobRun& run) {
  for (const TaskRun& task : run.tasks) {
    if (task.kind != TaskKind::map && task.kind != TaskKind::reduce) continue;
    const Attempt* const used = winner(task);
    for (const Attempt& attempt : task.attempts) {
      if (!attempt.start || !attempt.finish || attempt.node.empty() || *attempt.finish <= *attempt.start) {
        ++left_out_;
        continue;
      }
      nodes_[attempt.node].tasks.push_back(
          {*attempt.start, *attempt.finish, task.kind, run.name, &attempt == used});
    }
  }
  for (const MasterRun& master : run.masters) {
    if (master.start && run.finish && !master.node.empty() && *run.finish > *master.start)
      nodes_[master.node].masters.emplace_back(*master.start, *run.finish);
  }
}

const NodeTasks* TaskIntervals::on(const std::string& node) const {
  if (const auto exact = nodes_.find(node); exact != nodes_.end()) return &exact->second;
  const NodeTasks* found = nullptr;
  for (const auto& [name, tasks] : nodes_) {
    if (short_name(name) != short_name(node)) continue;
    if (found != nullptr) return nullptr;
    found = &tasks;
  }
  return found;
}

}  // namespace wavewright
