// Queues as groups of a policy: one for each, under its parent; a queue that nobody described is made when
// its first job arrives. Among queues of equal claim those described come first, then those made first; after
// a restart, those whose first job that is not over came first.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

class QueueGroups {
 public:
  explicit QueueGroups(std::vector<Queue> described) : described_(std::move(described)) {}

  struct Made {
    GroupId group = root_group;
    GroupId parent = root_group;
    const Queue* queue = nullptr;  // its description; null = none
    std::string name;
  };

  // The group of a queue such as `prod.etl`, and what had to be made for it, parents first. A job without a
  // queue goes to `default`.
  struct Found {
    GroupId group = root_group;
    std::vector<Made> made;
  };
  [[nodiscard]] Found find(const std::string& name);

  // Every described queue, parents first.
  [[nodiscard]] std::vector<Made> describe_all();

  // A group that is no queue, such as a user's in one.
  [[nodiscard]] GroupId another() { return next_++; }

 private:
  std::vector<Queue> described_;
  std::unordered_map<std::string, GroupId> groups_;
  GroupId next_ = 1;
};

}  // namespace wavewright
