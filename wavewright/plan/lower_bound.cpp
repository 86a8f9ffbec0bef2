#include "wavewright/plan/lower_bound.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace wavewright {

namespace {

__extension__ using Int = __int128;

// Work is kept in units of 1/(M·R) ms, so that dividing it by M or by R stays exact.
struct FluidJob {
  Int submit = 0;
  Int map = 0;     // A_i
  Int reduce = 0;  // B_i
  Int longest_map = 0;
  Int longest_reduce = 0;
};

struct FluidBatch {
  std::vector<FluidJob> jobs;
  Int scale = 1;

  FluidBatch(const Workload& workload, SlotPool pool) {
    const Int m = std::max<Count>(pool.map_slots, 1), r = std::max<Count>(pool.reduce_slots, 1);
    scale = m * r;
    for (const Job& job : workload.jobs) {
      FluidJob fluid;
      fluid.submit = to_ms(job.submit) * scale;
      for (const Duration map : job.maps) {
        fluid.map += to_ms(map) * r;
        fluid.longest_map = std::max(fluid.longest_map, to_ms(map) * scale);
      }
      for (std::size_t i = 0; i < job.reduces.size(); ++i) {
        const Int work = to_ms(job.reduces[i] + std::min(job.first_shuffle(i), job.later_shuffle(i)));
        fluid.reduce += work * m;
        fluid.longest_reduce = std::max(fluid.longest_reduce, work * scale);
      }
      jobs.push_back(fluid);
    }
  }

  [[nodiscard]] Duration duration(Int scaled) const {  // rounded up: schedules end at whole milliseconds
    return ms(static_cast<std::int64_t>((scaled + scale - 1) / scale));
  }
};

// Johnson's order of all jobs, once; the jobs submitted at or after t keep their relative order in it.
std::vector<std::size_t> fluid_order(const std::vector<FluidJob>& jobs) {
  std::vector<std::size_t> order(jobs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const bool a_early = jobs[a].map <= jobs[a].reduce, b_early = jobs[b].map <= jobs[b].reduce;
    if (a_early != b_early) return a_early;
    return a_early ? jobs[a].map < jobs[b].map : jobs[a].reduce > jobs[b].reduce;
  });
  return order;
}

Int fluid_from(const std::vector<FluidJob>& jobs, const std::vector<std::size_t>& order, Int from) {
  Int maps = from, reduces = from;
  for (const std::size_t i : order) {
    if (jobs[i].submit < from) continue;
    maps += jobs[i].map;
    reduces = std::max(maps, reduces) + jobs[i].reduce;
  }
  return reduces;
}

Int fluid(const std::vector<FluidJob>& jobs) {
  constexpr std::size_t most_instants = 256;
  std::vector<Int> instants;
  instants.reserve(jobs.size());
  for (const FluidJob& job : jobs) instants.push_back(job.submit);
  std::sort(instants.begin(), instants.end());
  instants.erase(std::unique(instants.begin(), instants.end()), instants.end());
  const std::size_t step = (instants.size() + most_instants - 1) / most_instants;
  const std::vector<std::size_t> order = fluid_order(jobs);
  Int best = 0;
  for (std::size_t i = 0; i < instants.size(); i += step)
    best = std::max(best, fluid_from(jobs, order, instants[i]));
  return best;
}

// The largest of (threshold + work of the jobs that reach it).
Int load(std::vector<std::pair<Int, Int>> threshold_and_work) {
  std::sort(threshold_and_work.rbegin(), threshold_and_work.rend());
  Int work = 0, best = 0;
  for (const auto& [threshold, own] : threshold_and_work) {
    work += own;
    best = std::max(best, threshold + work);
  }
  return best;
}

Int loads(const std::vector<FluidJob>& jobs) {
  std::vector<std::pair<Int, Int>> tails, heads;
  for (const FluidJob& job : jobs) {
    if (job.map > 0) tails.emplace_back(job.longest_reduce, job.map);
    if (job.reduce > 0) heads.emplace_back(job.submit + job.longest_map, job.reduce);
  }
  return std::max(load(std::move(tails)), load(std::move(heads)));
}

// Σ of completion times on one fluid machine, shortest work first: the least possible.
Int least_total(std::vector<Int> work) {
  std::sort(work.begin(), work.end());
  Int done = 0, total = 0;
  for (const Int own : work) total += done += own;
  return total;
}

}  // namespace

MakespanBounds makespan_bounds(const Workload& workload, SlotPool pool) {
  const FluidBatch batch(workload, pool);
  if (batch.jobs.empty()) return {};
  Int chain = 0;
  for (const FluidJob& job : batch.jobs)
    chain = std::max(chain, job.submit + job.longest_map + job.longest_reduce);
  return {batch.duration(fluid(batch.jobs)), batch.duration(chain), batch.duration(loads(batch.jobs))};
}

Duration total_completion_bound(const Workload& workload, SlotPool pool) {
  const FluidBatch batch(workload, pool);
  if (batch.jobs.empty()) return {};
  std::vector<Int> maps, reduces;
  Int submits = 0, tails = 0, chains = 0,
      least_head = batch.jobs.front().submit + batch.jobs.front().longest_map;
  for (const FluidJob& job : batch.jobs) {
    maps.push_back(job.map);
    reduces.push_back(job.reduce);
    submits += job.submit;
    tails += job.longest_reduce;
    chains += job.submit + job.longest_map + job.longest_reduce;
    least_head = std::min(least_head, job.submit + job.longest_map);
  }
  const Int heads = least_head * static_cast<Int>(batch.jobs.size());
  return batch.duration(std::max({least_total(maps) + tails, least_total(reduces) + heads, chains}) -
                        submits);
}

Duration lower_bound(const Workload& workload, SlotPool pool, Objective objective) {
  return objective == Objective::makespan ? makespan_bounds(workload, pool).best()
                                          : total_completion_bound(workload, pool);
}

}  // namespace wavewright
