#include "wavewright/plan/bounds/completion_bound.h"

#include <cmath>
#include <cstdint>
#include <numeric>
#include <queue>
#include <vector>

#include "wavewright/job/precedence.h"
#include "wavewright/plan/bounds/completion_vector.h"
#include "wavewright/plan/bounds/counting_bound.h"
#include "wavewright/plan/bounds/precedence_times.h"

namespace wavewright {

namespace {

__extension__ using Int = __int128;

// Times in ms; work in ms of slot time.
struct Stages {
  std::int64_t submit = 0, head = 0, tail = 0, map_work = 0, reduce_work = 0;
  double map_squares = 0, reduce_squares = 0;
};

std::int64_t work_of(const std::vector<CountedTask>& tasks) {
  std::int64_t work = 0;
  for (const CountedTask& task : tasks) work += task.length;
  return work;
}
double squares_of(const std::vector<CountedTask>& tasks, Count slots) {
  std::vector<double> lengths;
  lengths.reserve(tasks.size());
  for (const CountedTask& task : tasks) lengths.push_back(static_cast<double>(task.length));
  return least_squares(std::move(lengths), slots);
}

class Batch {
 public:
  Batch(const Workload& workload, SlotPool pool)
      : map_slots_(std::max<Count>(1, pool.map_slots)), reduce_slots_(std::max<Count>(1, pool.reduce_slots)) {
    for (const Job& job : workload.jobs) {
      const std::vector<CountedTask> maps = counted_maps(job), reduces = counted_reduces(job);
      Stages stages;
      stages.submit = to_ms(job.submit);
      stages.map_work = work_of(maps);
      stages.reduce_work = work_of(reduces);
      stages.head = stage_alone(maps, map_slots_);
      stages.tail = stage_alone(reduces, reduce_slots_);
      stages.map_squares = squares_of(maps, map_slots_);
      stages.reduce_squares = squares_of(reduces, reduce_slots_);
      jobs_.push_back(stages);
    }
  }

  [[nodiscard]] Duration chain() const {
    std::int64_t sum = 0;
    for (const Stages& job : jobs_) sum += job.head + job.tail;
    return ms(sum);
  }
  [[nodiscard]] double chain(std::span<const double> weights) const {
    double sum = 0;
    for (std::size_t i = 0; i < jobs_.size(); ++i)
      sum += weights[i] * static_cast<double>(jobs_[i].head + jobs_[i].tail);
    return sum;
  }

  // Lower bounds on the ends of map stages by position, in units of 1/(M·R) ms.
  [[nodiscard]] std::vector<Int> map_ends() const {
    std::vector<FluidPart<Int>> parts;
    std::vector<Int> alone;
    parts.reserve(jobs_.size());
    alone.reserve(jobs_.size());
    for (const Stages& job : jobs_) {
      parts.push_back({unit() * job.submit, Int{reduce_slots_} * job.map_work, 0});
      alone.push_back(unit() * (job.submit + job.head));
    }
    std::vector<Int> ends = shortest_remaining_ends(std::move(parts));
    std::sort(alone.begin(), alone.end());
    for (std::size_t place = 0; place < ends.size(); ++place)
      ends[place] = std::max(ends[place], alone[place]);
    return ends;
  }
  [[nodiscard]] Duration position() const {
    std::vector<FluidPart<Int>> parts;
    parts.reserve(jobs_.size());
    for (const Stages& job : jobs_)
      parts.push_back(
          {unit() * (job.submit + job.head), Int{map_slots_} * job.reduce_work, unit() * job.tail});
    Int sum = 0;
    for (const Int end : least_ends(map_ends(), parts)) sum += end;
    return of_sum(sum);
  }
  [[nodiscard]] Duration maps() const {
    Int sum = 0;
    for (const Int end : map_ends()) sum += end;
    for (const Stages& job : jobs_) sum += unit() * job.tail;
    return of_sum(sum);
  }

  // Σ weight · (end − submit) in ms: the larger bound of the two stages.
  [[nodiscard]] double mean_busy_time(std::span<const double> weights) const {
    std::vector<BusyPart> maps, reduces;
    double after_maps = 0, after_reduces = 0;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      const Stages& job = jobs_[i];
      const auto submit = static_cast<double>(job.submit), head = static_cast<double>(job.head);
      const auto tail = static_cast<double>(job.tail);
      const auto add = [&](std::vector<BusyPart>& parts, double ready, std::int64_t work, Count slots,
                           double squares) {
        if (work == 0) return ready;  // without work it ends when it is ready
        const auto slot_time = static_cast<double>(work);
        parts.push_back({ready, slot_time / static_cast<double>(slots), weights[i]});
        return squares / (2 * slot_time);
      };
      after_maps +=
          weights[i] * (add(maps, submit, job.map_work, map_slots_, job.map_squares) + tail - submit);
      after_reduces +=
          weights[i] *
          (add(reduces, submit + head, job.reduce_work, reduce_slots_, job.reduce_squares) - submit);
    }
    return std::max(least_mean_busy_time(maps) + after_maps, least_mean_busy_time(reduces) + after_reduces);
  }

 private:
  [[nodiscard]] Int unit() const { return Int{map_slots_} * reduce_slots_; }
  // Σ ends minus Σ submissions, rounded up because schedules end at whole milliseconds.
  [[nodiscard]] Duration of_sum(Int ends) const {
    for (const Stages& job : jobs_) ends -= unit() * job.submit;
    return ms(static_cast<std::int64_t>((ends + unit() - 1) / unit()));
  }

  Count map_slots_, reduce_slots_;
  std::vector<Stages> jobs_;
};

// Subtracts a margin for floating-point rounding.
double surely(double bound) {
  return std::max(0.0, bound - 1e-9 * std::abs(bound) - 1e-6);
}

}  // namespace

double least_squares(std::vector<double> lengths, std::int64_t slots) {
  std::sort(lengths.begin(), lengths.end(), std::greater<>());
  double rest = std::accumulate(lengths.begin(), lengths.end(), 0.0), sum = 0;
  for (const double length : lengths) {
    if (slots <= 1 || length * static_cast<double>(slots) < rest) break;
    sum += length * length;
    rest -= length;
    --slots;
  }
  rest = std::max(0.0, rest);
  return sum + rest * rest / static_cast<double>(std::max<std::int64_t>(1, slots));
}

double least_mean_busy_time(std::span<const BusyPart> parts) {
  std::vector<std::size_t> by_ready(parts.size());
  std::iota(by_ready.begin(), by_ready.end(), std::size_t{0});
  std::sort(by_ready.begin(), by_ready.end(),
            [&](std::size_t a, std::size_t b) { return parts[a].ready < parts[b].ready; });
  const auto later = [&](std::size_t a, std::size_t b) {
    return parts[a].weight * parts[b].work < parts[b].weight * parts[a].work;
  };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(later)> there(later);
  std::vector<double> left;
  left.reserve(parts.size());
  for (const BusyPart& part : parts) left.push_back(part.work);
  double clock = 0, sum = 0;
  for (std::size_t next = 0; next < parts.size() || !there.empty();) {
    if (there.empty()) clock = std::max(clock, parts[by_ready[next]].ready);
    for (; next < parts.size() && parts[by_ready[next]].ready <= clock; ++next) there.push(by_ready[next]);
    const std::size_t first = there.top();
    const BusyPart& part = parts[first];
    const bool interrupted = next < parts.size() && clock + left[first] > parts[by_ready[next]].ready;
    const double done = interrupted ? parts[by_ready[next]].ready - clock : left[first];
    sum += part.weight * (clock + done / 2) * (done / part.work);
    left[first] -= done;
    clock = interrupted ? parts[by_ready[next]].ready : clock + done;
    if (!interrupted) there.pop();
  }
  return sum;
}

CompletionBounds completion_bounds(const Workload& workload, SlotPool pool) {
  if (workload.jobs.empty()) return {};
  const Batch batch(workload, pool);
  const std::vector<double> weights(workload.jobs.size(), 1);
  return {batch.chain(), batch.position(), batch.maps(),
          ms(static_cast<std::int64_t>(std::ceil(surely(batch.mean_busy_time(weights)))))};
}

double weighted_completion_bound(const Workload& workload, SlotPool pool, std::span<const double> weights) {
  if (workload.jobs.empty()) return 0;
  if (has_precedence(workload)) {  // time before a job's head is waiting
    const PrecedenceTimes times = precedence_times(workload, pool);
    double waiting = 0;
    for (std::size_t job = 0; job < times.heads.size(); ++job)
      waiting += weights[job] * static_cast<double>(times.heads[job] - to_ms(workload.jobs[job].submit));
    return surely(waiting) + weighted_completion_bound(released(workload, times.heads), pool, weights);
  }
  const Batch batch(workload, pool);
  return surely(std::max(batch.mean_busy_time(weights), batch.chain(weights)));
}

}  // namespace wavewright
