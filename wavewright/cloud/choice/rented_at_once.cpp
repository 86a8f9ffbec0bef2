#include "wavewright/cloud/choice/rented_at_once.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace wavewright {

RentedAtOnce rented_at_once(const Workload& workload, const SimulationResult& result) {
  RentedAtOnce found;
  if (result.leases.empty()) return found;
  const Time end = Time{} + result.makespan;
  std::vector<std::pair<Time, Count>> changes;
  Time last{};
  for (const Lease& lease : result.leases) {
    const Time left = lease.left.value_or(end);
    changes.emplace_back(lease.requested, 1);
    changes.emplace_back(left, -1);
    last = std::max(last, left);
  }
  std::sort(changes.begin(), changes.end());  // at one instant, those that leave first
  Count there = 0;
  for (const auto& [at, change] : changes) {
    there += change;
    found.most = std::max(found.most, there);
  }
  Time first = last;
  for (const Job& job : workload.jobs) first = std::min(first, job.submit);
  found.span = last - first;
  return found;
}

}  // namespace wavewright
