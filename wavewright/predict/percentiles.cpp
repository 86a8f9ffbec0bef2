#include "wavewright/predict/percentiles.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/random.h"
#include "wavewright/predict/single_job.h"
#include "wavewright/profile/waits.h"

namespace wavewright {

namespace {

constexpr Count draws_at_most = 12'000'000;  // over all replications

struct Moments {
  double mean = 0;
  double variance = 0;
};
Moments moments(std::span<const Duration> sample) {
  Moments result;
  if (sample.empty()) return result;
  const auto count = static_cast<double>(sample.size());
  for (const Duration value : sample) result.mean += static_cast<double>(value.count()) / count;
  for (const Duration value : sample) {
    const double off = static_cast<double>(value.count()) - result.mean;
    result.variance += off * off / count;
  }
  return result;
}
Moments operator+(Moments a, Moments b) {
  return {a.mean + b.mean, a.variance + b.variance};
}

// Tasks of a kind: the last ones are simulated one by one (`tail`), those before as a sum (`head`).
struct Cut {
  Count head = 0;
  Count tail = 0;
};

Cut cut(Count tasks, Count slots, const char* kind) {
  if (tasks <= tasks_at_once) return {0, tasks};
  const Count waves = std::min<Count>(20, tasks_at_once / std::max<Count>(1, slots));
  if (waves < 4 || tasks / slots < waves) {
    throw UsageError(fmt::format("{} {}s on {} slots are too many to simulate", tasks, kind, slots),
                     fmt::format("at most {} slots, or {} tasks", tasks_at_once / 4, tasks_at_once));
  }
  return {tasks - waves * slots, waves * slots};
}

// The time for which the head keeps all slots busy.
Duration head_time(Count head, Count slots, const Moments& task, Random& random) {
  const auto tasks = static_cast<double>(head);
  const double work = tasks * task.mean + std::sqrt(tasks * task.variance) * random.normal(0, 1);
  return ms(std::llround(std::max(0.0, work / static_cast<double>(slots))));
}

class Replications {
 public:
  Replications(const RunModel& model, const JobShape& shape)
      : model_(model),
        shape_(shape),
        maps_(cut(shape.maps, shape.slots.map_slots, "map")),
        reduces_(cut(shape.reduces, shape.slots.reduce_slots, "reduce")),
        map_(size(maps_)),
        map_wait_(size(maps_)),
        reduce_(size(reduces_)),
        first_(size(reduces_)),
        later_(size(reduces_)),
        reduce_wait_(size(reduces_)) {}

  [[nodiscard]] Count draws() const { return std::max<Count>(1, 2 * maps_.tail + 4 * reduces_.tail); }

  RunStages once(Random& random) {
    const std::size_t run = model_.runs.empty() ? 0 : random.below(model_.runs.size());
    const auto from = [&](std::vector<Duration> Samples::* phase) -> const std::vector<Duration>& {
      if (model_.runs.empty() || (model_.runs[run].*phase).empty()) return model_.pooled.*phase;
      return model_.runs[run].*phase;
    };
    draw(from(&Samples::map), random, map_);
    draw(from(&Samples::reduce), random, reduce_);
    draw(from(&Samples::first_shuffle), random, first_);
    draw(from(&Samples::shuffle), random, later_);
    draw(from(&Samples::map_wait), random, map_wait_);
    draw(from(&Samples::reduce_wait), random, reduce_wait_);
    ramp_up(from(&Samples::map_ramp));
    SingleJob job = {map_, reduce_, first_, later_, map_wait_, reduce_wait_};
    const Count needed = slowstart_maps(model_.slowstart, shape_.maps);
    job.shuffle_has_length = model_.shuffle_has_length;
    if (maps_.head > 0) {
      const Moments task = moments(from(&Samples::map)) + moments(from(&Samples::map_wait));
      job.maps_from = head_time(maps_.head, shape_.slots.map_slots, task, random);
    }
    if (reduces_.head > 0) {
      const Moments task = moments(from(&Samples::reduce)) + moments(from(&Samples::shuffle)) +
                           moments(from(&Samples::reduce_wait));
      job.reduces_from = head_time(reduces_.head, shape_.slots.reduce_slots, task, random);
    }
    job.maps_before_reduces = needed;
    if (maps_.head > 0) {
      job.maps_before_reduces = std::max<Count>(0, needed - maps_.head);
      if (needed <= maps_.head) {
        const double share = static_cast<double>(needed) / static_cast<double>(maps_.head);
        job.reduces_ready = ms(std::llround(share * static_cast<double>(job.maps_from.count())));
      }
    }
    const SingleJobTimes times = run_alone(job, shape_.slots);
    const RunModel::Ends ends = model_.ends.empty() ? RunModel::Ends{} : model_.ends[run];
    const auto whole = [](Duration duration) { return static_cast<double>(duration.count()); };
    return {whole(ends.startup), whole(times.maps_done), whole(times.finish - times.maps_done),
            whole(ends.commit)};
  }

 private:
  static std::size_t size(const Cut& kind) { return static_cast<std::size_t>(kind.tail); }

  // The first task of each slot waits as in the runs when their slots began.
  void ramp_up(const std::vector<Duration>& ramp) {
    if (maps_.head > 0) return;
    const std::size_t firsts = std::min(map_wait_.size(), static_cast<std::size_t>(shape_.slots.map_slots));
    for (std::size_t i = 0; i < firsts; ++i) {
      map_wait_[i] = ramp.empty() ? Duration{} : ramp[i * ramp.size() / firsts];
    }
  }

  const RunModel& model_;
  JobShape shape_;
  Cut maps_, reduces_;
  std::vector<Duration> map_, map_wait_, reduce_, first_, later_, reduce_wait_;
};

void check(const JobShape& shape) {
  if (shape.maps > 0 && shape.slots.map_slots <= 0) throw Infeasible("no map slots for the job's maps");
  if (shape.reduces > 0 && shape.slots.reduce_slots <= 0)
    throw Infeasible("no reduce slots for the job's reduces");
}

}  // namespace

double quantile_of(const std::vector<double>& ascending, double q) {
  if (ascending.empty()) return 0;
  const double place = std::clamp(q, 0.0, 1.0) * static_cast<double>(ascending.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, ascending.size() - 1);
  return ascending[below] + (ascending[above] - ascending[below]) * (place - static_cast<double>(below));
}

double Percentiles::at(double share) const {
  if (share == 0.5) return p50_ms;
  const double time = quantile_of(totals_ms, share);
  return share < 0.5 ? std::min(p50_ms, time) : std::max(p50_ms, time);
}

double SimulatedRuns::log_deviation() const {
  if (totals_ms.size() < 2 || totals_ms.front() <= 0) return 0;
  const auto count = static_cast<double>(totals_ms.size());
  double mean = 0;
  double squares = 0;
  for (const double total : totals_ms) mean += std::log(total) / count;
  for (const double total : totals_ms) squares += (std::log(total) - mean) * (std::log(total) - mean);
  return std::sqrt(squares / (count - 1));
}

SimulatedRuns simulate_runs(const RunModel& model, const JobShape& shape, std::uint64_t seed,
                            Count replications) {
  check(shape);
  Replications replication(model, shape);
  const Count affordable =
      std::max<Count>(std::min(least_replications, replications), draws_at_most / replication.draws());
  const Count times = std::min(replications, affordable);
  SimulatedRuns runs;
  runs.totals_ms.reserve(static_cast<std::size_t>(times));
  const double share = 1 / static_cast<double>(std::max<Count>(1, times));
  for (Count i = 0; i < times; ++i) {
    Random random(seed, "predict", static_cast<std::uint64_t>(i));
    const RunStages one = replication.once(random);
    runs.totals_ms.push_back(one.total_ms());
    runs.stages.startup_ms += share * one.startup_ms;
    runs.stages.map_ms += share * one.map_ms;
    runs.stages.reduce_ms += share * one.reduce_ms;
    runs.stages.commit_ms += share * one.commit_ms;
  }
  std::sort(runs.totals_ms.begin(), runs.totals_ms.end());
  return runs;
}

}  // namespace wavewright
