#include "wavewright/plan/methods/critical_path.h"

#include <algorithm>
#include <numeric>

#include "wavewright/job/precedence.h"
#include "wavewright/plan/methods/stage_times.h"

namespace wavewright {

std::vector<Duration> chain_lengths(const Workload& batch, SlotPool pool) {
  const Precedence edges(batch);
  const std::vector<std::uint32_t> order = edges.in_order(batch.jobs.size());
  std::vector<Duration> lengths(batch.jobs.size());
  for (std::size_t at = order.size(); at-- > 0;) {
    Duration behind{};
    for (const std::uint32_t next : edges.successors(order[at])) behind = std::max(behind, lengths[next]);
    const StageTimes own = stage_times(batch.jobs[order[at]], pool);
    lengths[order[at]] = own.map + own.reduce + behind;
  }
  return lengths;
}

std::vector<JobIndex> critical_path_order(const Workload& batch, SlotPool pool) {
  const std::vector<Duration> lengths = chain_lengths(batch, pool);
  std::vector<JobIndex> order(batch.jobs.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](JobIndex a, JobIndex b) { return lengths[a] > lengths[b]; });
  return order;
}

}  // namespace wavewright
