// One group of a policy for each queue, below its parent. A queue that is not described is made when its
// first job arrives. Ties between queues: described queues come first, then the order of making; after a
// restart, the order of their first unfinished jobs.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

class QueueGroups {
 public:
  // `by_last_part`: jobs may name a described queue by the last part of its path, if no other ends so
  // [CapacityScheduler]. FairScheduler makes a queue of that name.
  explicit QueueGroups(std::vector<Queue> described, bool by_last_part = false)
      : described_(std::move(described)), by_last_part_(by_last_part) {}

  struct Made {
    GroupId group = root_group;
    GroupId parent = root_group;
    const Queue* queue = nullptr;  // its description; null = none
    std::string name;
  };

  // The group of a queue such as `prod.etl`, or `root.prod.etl` as many histories have it, and the groups
  // made for it, parents first. Empty name: `default`.
  struct Found {
    GroupId group = root_group;
    std::vector<Made> made;
  };
  [[nodiscard]] Found find(const std::string& name);

  // Every described queue, parents first.
  [[nodiscard]] std::vector<Made> describe_all();

  // A new group that is not a queue, such as a user's group within a queue.
  [[nodiscard]] GroupId another() { return next_++; }

 private:
  [[nodiscard]] std::string path_of(const std::string& name) const;
  [[nodiscard]] Found at(const std::string& path);

  std::vector<Queue> described_;
  bool by_last_part_;
  std::unordered_map<std::string, GroupId> groups_;  // by path
  std::unordered_map<std::string, GroupId> names_;   // as jobs name them
  GroupId next_ = 1;
};

}  // namespace wavewright
