#include "wavewright/plan/bounds/lower_bound.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "wavewright/job/precedence.h"
#include "wavewright/plan/bounds/completion_bound.h"
#include "wavewright/plan/bounds/counting_bound.h"
#include "wavewright/plan/bounds/demand_bound.h"
#include "wavewright/plan/bounds/precedence_times.h"

namespace wavewright {

namespace {

__extension__ using Int = __int128;

// Times in units of 1/(M·R) ms, so that division by M or by R is exact.
struct FluidJob {
  Int submit = 0;
  Int map = 0;     // A_i
  Int reduce = 0;  // B_i
  Int head = 0;    // least time of its maps alone
  Int tail = 0;    // least time of its reduces alone
};

// The least time of a stage alone on the slots, ms; if `quick`, its longest task.
std::int64_t stage_alone(const std::vector<CountedTask>& tasks, Count slots, Effort effort) {
  if (effort == Effort::thorough) return stage_alone(tasks, std::max<Count>(slots, 1));
  std::int64_t longest = 0;
  for (const CountedTask& task : tasks) longest = std::max(longest, task.length);
  return longest;
}

struct CountedStages {
  std::vector<CountedTask> maps, reduces;

  explicit CountedStages(const Job& job) : maps(counted_maps(job)), reduces(counted_reduces(job)) {}
};

struct FluidBatch {
  std::vector<FluidJob> jobs;
  Int scale = 1;

  FluidBatch(const Workload& workload, SlotPool pool, Effort effort) {
    const Int m = std::max<Count>(pool.map_slots, 1), r = std::max<Count>(pool.reduce_slots, 1);
    scale = m * r;
    for (const Job& job : workload.jobs) {
      FluidJob fluid;
      fluid.submit = to_ms(job.submit) * scale;
      const CountedStages stages(job);
      for (const CountedTask& map : stages.maps) fluid.map += map.length * r;
      for (const CountedTask& reduce : stages.reduces) fluid.reduce += reduce.length * m;
      fluid.head = stage_alone(stages.maps, pool.map_slots, effort) * scale;
      fluid.tail = stage_alone(stages.reduces, pool.reduce_slots, effort) * scale;
      jobs.push_back(fluid);
    }
  }

  // The counting bound of all maps before their jobs' reduces, and of all reduces after their jobs' maps.
  [[nodiscard]] std::int64_t counting(const Workload& workload, SlotPool pool) const {
    std::vector<CountedTask> maps, reduces;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const CountedStages stages(workload.jobs[i]);
      const auto in_ms = [&](Int scaled) { return static_cast<std::int64_t>(scaled / scale); };
      for (const CountedTask& map : stages.maps) maps.push_back({map.length, in_ms(jobs[i].tail)});
      for (const CountedTask& reduce : stages.reduces)
        reduces.push_back({reduce.length, in_ms(jobs[i].submit + jobs[i].head)});
    }
    return std::max(counting_bound(maps, std::max<Count>(pool.map_slots, 1)),
                    counting_bound(reduces, std::max<Count>(pool.reduce_slots, 1)));
  }

  [[nodiscard]] Duration duration(Int scaled) const {  // rounded up: schedules end at whole milliseconds
    return ms(static_cast<std::int64_t>((scaled + scale - 1) / scale));
  }
};

// Johnson's order of all jobs. It is also the order of every subset.
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

// The largest of (threshold + work of the jobs with at least that threshold).
Int load(std::vector<std::pair<Int, Int>> threshold_and_work) {
  std::sort(threshold_and_work.rbegin(), threshold_and_work.rend());
  Int work = 0, best = 0;
  for (const auto& [threshold, own] : threshold_and_work) {
    work += own;
    best = std::max(best, threshold + work);
  }
  return best;
}

Int head_tail_load(const std::vector<FluidJob>& jobs) {
  std::vector<std::pair<Int, Int>> tails, heads;
  for (const FluidJob& job : jobs) {
    if (job.map > 0) tails.emplace_back(job.tail, job.map);
    if (job.reduce > 0) heads.emplace_back(job.submit + job.head, job.reduce);
  }
  return std::max(load(std::move(tails)), load(std::move(heads)));
}

// The least Σ of completion times on one fluid machine: shortest work first.
Int least_total(std::vector<Int> work) {
  std::sort(work.begin(), work.end());
  Int done = 0, total = 0;
  for (const Int own : work) total += done += own;
  return total;
}

}  // namespace

MakespanBounds makespan_bounds(const Workload& workload, SlotPool pool, Effort effort) {
  if (has_precedence(workload)) {
    const PrecedenceTimes times = precedence_times(workload, pool, effort == Effort::thorough);
    MakespanBounds bounds = makespan_bounds(released(workload, times.heads), pool, effort);
    bounds.precedence = ms(times.makespan);
    return bounds;
  }
  const FluidBatch batch(workload, pool, effort);
  if (batch.jobs.empty()) return {};
  Int chain = 0;
  for (const FluidJob& job : batch.jobs) chain = std::max(chain, job.submit + job.head + job.tail);
  return {batch.duration(fluid(batch.jobs)), batch.duration(chain),
          batch.duration(head_tail_load(batch.jobs)),
          effort == Effort::thorough ? ms(batch.counting(workload, pool)) : Duration{}};
}

std::vector<DemandJob> demand_jobs(const Workload& workload, SlotPool pool) {
  std::vector<DemandJob> jobs;
  jobs.reserve(workload.jobs.size());
  const PrecedenceTimes times =
      has_precedence(workload) ? precedence_times(workload, pool) : PrecedenceTimes{};
  for (const Job& job : workload.jobs) {
    const CountedStages stages(job);
    DemandJob own;
    for (const CountedTask& map : stages.maps) own.maps.push_back(map.length);
    for (const CountedTask& reduce : stages.reduces) own.reduces.push_back(reduce.length);
    own.submit = times.heads.empty() ? to_ms(job.submit) : times.heads[jobs.size()];
    own.earliest = own.submit + stage_alone(stages.maps, pool.map_slots, Effort::thorough);
    own.tail = stage_alone(stages.reduces, pool.reduce_slots, Effort::thorough) +
               (times.tails.empty() ? 0 : times.tails[jobs.size()]);
    jobs.push_back(std::move(own));
  }
  return jobs;
}

Duration demand_bound(const Workload& workload, SlotPool pool, Duration known, const Stop& stop,
                      double multiplications) {
  return ms(demand_bound(demand_jobs(workload, pool), pool, to_ms(known), multiplications, stop).makespan);
}

Duration total_completion_bound(const Workload& workload, SlotPool pool, Effort effort) {
  if (has_precedence(workload)) {  // time before a job's head is waiting
    const PrecedenceTimes times = precedence_times(workload, pool, effort == Effort::thorough);
    Duration waiting{};
    for (std::size_t job = 0; job < times.heads.size(); ++job)
      waiting += at_ms(times.heads[job]) - workload.jobs[job].submit;
    return waiting + total_completion_bound(released(workload, times.heads), pool, effort);
  }
  const FluidBatch batch(workload, pool, effort);
  if (batch.jobs.empty()) return {};
  std::vector<Int> maps, reduces;
  Int submits = 0, tails = 0, chains = 0, least_head = batch.jobs.front().submit + batch.jobs.front().head;
  for (const FluidJob& job : batch.jobs) {
    maps.push_back(job.map);
    reduces.push_back(job.reduce);
    submits += job.submit;
    tails += job.tail;
    chains += job.submit + job.head + job.tail;
    least_head = std::min(least_head, job.submit + job.head);
  }
  const Int heads = least_head * static_cast<Int>(batch.jobs.size());
  const Duration quick =
      batch.duration(std::max({least_total(maps) + tails, least_total(reduces) + heads, chains}) - submits);
  return effort == Effort::quick ? quick : std::max(quick, completion_bounds(workload, pool).best());
}

Duration lower_bound(const Workload& workload, SlotPool pool, Objective objective, Effort effort) {
  return objective == Objective::makespan ? makespan_bounds(workload, pool, effort).best()
                                          : total_completion_bound(workload, pool, effort);
}

}  // namespace wavewright
