#include "wavewright/plan/methods/johnson.h"

#include <algorithm>
#include <numeric>

namespace wavewright {

std::vector<JobIndex> johnson_order(std::span<const StageTimes> jobs) {
  std::vector<JobIndex> order(jobs.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto early = std::stable_partition(order.begin(), order.end(),
                                           [&](JobIndex job) { return jobs[job].map <= jobs[job].reduce; });
  std::stable_sort(order.begin(), early, [&](JobIndex a, JobIndex b) { return jobs[a].map < jobs[b].map; });
  std::stable_sort(early, order.end(),
                   [&](JobIndex a, JobIndex b) { return jobs[a].reduce > jobs[b].reduce; });
  return order;
}

Duration two_stage_makespan(std::span<const StageTimes> jobs, std::span<const JobIndex> order) {
  Duration maps{}, reduces{};
  for (const JobIndex job : order) {
    maps += jobs[job].map;
    reduces = std::max(maps, reduces) + jobs[job].reduce;
  }
  return reduces;
}

}  // namespace wavewright
