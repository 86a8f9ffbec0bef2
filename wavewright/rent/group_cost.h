// The cost that a group adds to a plan, its own and that of the jobs which wait for it.
#pragma once

#include <cstddef>
#include <vector>

#include "wavewright/rent/group_sizes.h"

namespace wavewright {

struct GroupCost {
  double cost = 0;
  Count machines = 0;  // of each job
};

// Groups of neighbours in ascending order. A group of jobs first … first + g − 1 on m machines each adds
//   (W · (a·m + b) + b · w · later) / S(m)
// with W the work of the group, w that of its largest job, and `later` the jobs that start after it. These
// sum to the utility cost of the plan, as every wait is charged to the group that causes it.
class GroupCosts {
 public:
  GroupCosts(const RentProblem& problem, GroupMachines machines);

  // O(1), free O(M/g).
  [[nodiscard]] GroupCost of(std::size_t first, std::size_t size) const;
  [[nodiscard]] std::size_t jobs() const { return work_.size() - 1; }
  [[nodiscard]] std::size_t largest_group() const { return largest_; }

 private:
  const RentProblem& problem_;
  GroupMachines choice_;
  std::size_t largest_;
  std::vector<double> work_;  // of the first i jobs
};

}  // namespace wavewright
