#include "wavewright/sched/policies/queue_groups.h"

#include <algorithm>

namespace wavewright {

QueueGroups::Found QueueGroups::find(const std::string& name) {
  if (name.empty()) return find("default");
  if (const auto known = groups_.find(name); known != groups_.end()) return {known->second, {}};
  Found found;
  GroupId parent = root_group;
  if (const std::size_t dot = name.rfind('.'); dot != std::string::npos && dot > 0) {
    found = find(name.substr(0, dot));
    parent = found.group;
  }
  found.group = next_++;
  groups_.emplace(name, found.group);
  const auto queue = std::find_if(described_.begin(), described_.end(),
                                  [&](const Queue& each) { return each.name == name; });
  found.made.push_back({found.group, parent, queue == described_.end() ? nullptr : &*queue, name});
  return found;
}

std::vector<QueueGroups::Made> QueueGroups::describe_all() {
  std::vector<Made> all;
  for (const Queue& queue : described_) {
    for (Made& made : find(queue.name).made) all.push_back(std::move(made));
  }
  return all;
}

}  // namespace wavewright
