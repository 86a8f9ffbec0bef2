#include "wavewright/sched/policies/queue_groups.h"

#include <algorithm>

#include "wavewright/cluster/queue_path.h"

namespace wavewright {

// From the root on, without `root.`.
std::string QueueGroups::path_of(const std::string& name) const {
  if (name.empty()) return "default";
  const Queue* const described = find_queue(described_, name, by_last_part_);
  return described != nullptr ? described->name : without_root(name);
}

QueueGroups::Found QueueGroups::find(const std::string& name) {
  if (const auto known = names_.find(name); known != names_.end()) return {known->second, {}};
  Found found = at(path_of(name));
  names_.emplace(name, found.group);
  return found;
}

QueueGroups::Found QueueGroups::at(const std::string& path) {
  if (const auto known = groups_.find(path); known != groups_.end()) return {known->second, {}};
  Found found;
  GroupId parent = root_group;
  if (const std::size_t dot = path.rfind('.'); dot != std::string::npos && dot > 0) {
    found = at(path.substr(0, dot));
    parent = found.group;
  }
  found.group = next_++;
  groups_.emplace(path, found.group);
  const auto queue = std::find_if(described_.begin(), described_.end(),
                                  [&](const Queue& each) { return each.name == path; });
  found.made.push_back({found.group, parent, queue == described_.end() ? nullptr : &*queue, path});
  return found;
}

std::vector<QueueGroups::Made> QueueGroups::describe_all() {
  std::vector<Made> all;
  for (const Queue& queue : described_) {
    for (Made& made : at(queue.name).made) all.push_back(std::move(made));
  }
  return all;
}

}  // namespace wavewright
