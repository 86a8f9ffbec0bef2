#include "wavewright/plan/tardiness/tardiness_bound.h"

#include <algorithm>

#include "wavewright/plan/bounds/completion_bound.h"
#include "wavewright/plan/bounds/completion_vector.h"
#include "wavewright/plan/bounds/counting_bound.h"
#include "wavewright/plan/bounds/precedence_times.h"

namespace wavewright {

namespace {

std::int64_t share_of(const std::vector<CountedTask>& tasks, Count slots) {
  std::int64_t work = 0;
  for (const CountedTask& task : tasks) work += task.length;
  return work / std::max<Count>(1, slots);
}

double late_by(std::int64_t end, const Job& job) {
  return job.deadline ? static_cast<double>(std::max<std::int64_t>(0, end - to_ms(*job.deadline))) : 0;
}

}  // namespace

TardinessBound::TardinessBound(const Workload& batch, SlotPool pool, std::vector<double> weights)
    : batch_(batch), pool_(pool), weights_(std::move(weights)), heads_(precedence_times(batch, pool).heads) {
  for (const Job& job : batch.jobs) {
    const std::vector<CountedTask> maps = counted_maps(job), reduces = counted_reduces(job);
    alone_.push_back({share_of(maps, pool.map_slots), share_of(reduces, pool.reduce_slots),
                      stage_alone(maps, std::max<Count>(1, pool.map_slots)),
                      stage_alone(reduces, std::max<Count>(1, pool.reduce_slots))});
  }
}

double TardinessBound::chain() const {
  double sum = 0;
  for (std::size_t job = 0; job < batch_.jobs.size(); ++job)
    sum += weights_[job] *
           late_by(heads_[job] + alone_[job].map_least + alone_[job].reduce_least, batch_.jobs[job]);
  return sum;
}

double TardinessBound::position() const {
  using Part = FluidPart<std::int64_t>;
  std::vector<Part> maps, reduces;
  std::vector<std::int64_t> map_alone, deadlines;
  double least_weight = 0;
  for (std::size_t job = 0; job < batch_.jobs.size(); ++job) {
    if (!batch_.jobs[job].deadline) continue;
    const Alone& alone = alone_[job];
    least_weight = deadlines.empty() ? weights_[job] : std::min(least_weight, weights_[job]);
    deadlines.push_back(to_ms(*batch_.jobs[job].deadline));
    maps.push_back({heads_[job], alone.map_work, alone.map_least});
    map_alone.push_back(heads_[job] + alone.map_least);
    reduces.push_back({heads_[job] + alone.map_least, alone.reduce_work, alone.reduce_least});
  }
  std::vector<std::int64_t> map_ends = shortest_remaining_ends(std::move(maps));
  std::sort(map_alone.begin(), map_alone.end());
  std::sort(deadlines.begin(), deadlines.end());
  for (std::size_t place = 0; place < map_ends.size(); ++place)
    map_ends[place] = std::max(map_ends[place], map_alone[place]);
  const std::vector<std::int64_t> ends = least_ends(map_ends, reduces);
  double sum = 0;
  for (std::size_t place = 0; place < ends.size(); ++place)
    sum += static_cast<double>(std::max<std::int64_t>(0, ends[place] - deadlines[place]));
  return least_weight * sum;
}

double TardinessBound::completion(std::span<const std::int64_t> ends) const {
  std::vector<double> lateness;
  for (std::size_t job = 0; job < batch_.jobs.size(); ++job) {
    if (batch_.jobs[job].deadline)
      lateness.push_back(static_cast<double>(ends[job] - to_ms(*batch_.jobs[job].deadline)));
  }
  std::sort(lateness.begin(), lateness.end());
  constexpr std::size_t limits = 12;
  double best = 0;
  for (std::size_t i = 0; i <= limits && !lateness.empty(); ++i) {
    // The first limit is 0: all tardy jobs. The others are quantiles.
    const double limit = i == 0 ? 0 : lateness[(i - 1) * (lateness.size() - 1) / limits] - 0.5;
    std::vector<double> counted(batch_.jobs.size(), 0.0);
    double due = 0;
    for (std::size_t job = 0; job < batch_.jobs.size(); ++job) {
      const Job& each = batch_.jobs[job];
      if (!each.deadline || static_cast<double>(ends[job] - to_ms(*each.deadline)) <= limit) continue;
      counted[job] = weights_[job];
      due += weights_[job] * static_cast<double>(to_ms(*each.deadline - each.submit));
    }
    best = std::max(best, weighted_completion_bound(batch_, pool_, counted) - due);
  }
  return best;
}

double TardinessBound::best(std::span<const std::int64_t> ends) const {
  return std::max({0.0, chain(), position(), completion(ends)});
}

}  // namespace wavewright
