#include "wavewright/live/outlook/continuation.h"

#include <algorithm>
#include <cmath>

namespace wavewright {

namespace {

Duration scaled(Duration length, double factor) {
  constexpr auto most = static_cast<double>(longest_duration.count()) / 1024;
  return ms(std::llround(std::clamp(static_cast<double>(length.count()) * factor, 0.0, most)));
}

Duration one_of(const std::vector<Duration>& sample, Random& random) {
  return sample.empty() ? Duration{} : sample[random.below(sample.size())];
}

double shift_of(const StageLengths& expected, const LengthUpdate& update, Random& random) {
  if (update.done == 0) return expected.draw_between(random);
  return update.shift + update.deviation * random.normal(0, 1);
}

// The remaining time of a task that has run for `age`. `draw` gives lengths of such tasks.
template <class Draw>
Duration rest_beyond(Duration age, Random& random, const Draw& draw) {
  constexpr int most_draws = 30;
  for (int i = 0; i < most_draws; ++i) {
    if (const Duration length = draw(); length > age) return length - age;
  }
  return scaled(age, 0.1 * random.exponential(1));  // longer than any that was seen
}

class Rest {
 public:
  Rest(const LiveJob& job, const KnownJob& known, Duration launch, Random& random)
      : model_(*known.lengths), launch_(launch), random_(random) {
    map_factor_ = job.map_drift.value_or(1) * std::exp(shift_of(model_.maps, known.maps, random));
    reduce_factor_ = job.reduce_drift.value_or(1) * std::exp(shift_of(model_.reduces, known.reduces, random));
    const bool usable = known.progress && !job.many_applications;
    const StageProgress all_maps{.total = job.maps.tasks}, all_reduces{.total = job.reduces.tasks};
    const StageProgress& maps = usable ? known.progress->maps : all_maps;
    const StageProgress& reduces = usable ? known.progress->reduces : all_reduces;
    take_maps(maps);
    take_reduces(reduces, maps.done == maps.total);
  }
  [[nodiscard]] Job take() { return std::move(job_); }

 private:
  Duration map() { return scaled(one_of(model_.map, random_), map_factor_); }
  Duration first_shuffle() { return scaled(one_of(model_.first_shuffle, random_), reduce_factor_); }
  Duration shuffle() { return scaled(one_of(model_.shuffle, random_), reduce_factor_); }
  Duration reduce() { return scaled(one_of(model_.reduce, random_), reduce_factor_); }

  // Takes as many running tasks as are counted. A task of unknown age has some part of a length left.
  template <class Draw>
  void take_running(const StageProgress& stage, std::vector<Duration>& into, const Draw& draw) {
    Count taken = 0;
    for (const SeenTask& task : stage.tasks) {
      if (task.done || taken == stage.running) continue;
      const Duration rest = rest_beyond(task.length, random_, [&] { return draw(task.later); });
      into.push_back(std::max(rest - launch_, Duration{}));
      ++taken;
    }
    for (; taken < stage.running; ++taken) into.push_back(scaled(draw(false), random_.unit()));
  }

  void take_maps(const StageProgress& stage) {
    take_running(stage, job_.maps, [&](bool) { return map(); });
    for (Count i = stage.done + stage.running; i < stage.total; ++i) job_.maps.push_back(map());
  }

  void take_reduces(const StageProgress& stage, bool maps_done) {
    Count begun = stage.done;
    if (maps_done) {
      take_running(stage, job_.reduces,
                   [&](bool later) { return (later ? shuffle() : first_shuffle()) + reduce(); });
      begun += stage.running;
      job_.first_shuffles.resize(job_.reduces.size());
      job_.shuffles.resize(job_.reduces.size());
    }
    for (Count i = begun; i < stage.total; ++i) {
      job_.reduces.push_back(reduce());
      job_.first_shuffles.push_back(first_shuffle());
      job_.shuffles.push_back(shuffle());
    }
  }

  const LengthModel& model_;
  Duration launch_;
  Random& random_;
  double map_factor_ = 1, reduce_factor_ = 1;
  Job job_;
};

}  // namespace

Job rest_of(const LiveJob& job, const KnownJob& known, Duration launch, Random& random) {
  return Rest(job, known, launch, random).take();
}

TaskCounts tasks_of(const LiveJob& job, const KnownJob& known) {
  const bool told = known.progress && !job.many_applications;
  if (!told) return {job.maps.tasks, job.reduces.tasks};
  return {known.progress->maps.total, known.progress->reduces.total};
}

bool has_tasks(const LiveJob& job, const KnownJob& known) {
  if (!known.lengths) return false;
  const auto [maps, reduces] = tasks_of(job, known);
  if (maps + reduces == 0 || maps + reduces > most_tasks_of_a_forecast) return false;
  return (maps == 0 || !known.lengths->map.empty()) && (reduces == 0 || !known.lengths->reduce.empty());
}

}  // namespace wavewright
