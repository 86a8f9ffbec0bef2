#include "wavewright/cloud/worlds/draw_deadlines.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "wavewright/core/error.h"
#include "wavewright/core/random.h"
#include "wavewright/predict/single_job.h"

namespace wavewright {

namespace {

Count at_most(Count slots, std::size_t tasks) {
  const auto most = static_cast<Count>(tasks);
  return slots > 0 ? std::min(slots, most) : most;
}

Duration simulated(const Job& job, SlotPool slots) {
  const std::vector<Duration> none(job.reduces.size());
  return run_alone({.maps = job.maps,
                    .reduces = job.reduces,
                    .first_shuffles = job.first_shuffles.empty() ? none : job.first_shuffles,
                    .later_shuffles = job.shuffles.empty() ? none : job.shuffles},
                   slots)
      .finish;
}

void check(const DeadlineDraw& draw) {
  if (!std::isfinite(draw.most) || !(0 <= draw.least && draw.least <= draw.most))
    throw UsageError("the factors of a deadline are no range", "give two like 1..3");
  if (draw.slots.map_slots < 0 || draw.slots.reduce_slots < 0)
    throw UsageError("a negative number of slots", "count them from 1");
}

}  // namespace

Duration shortest_time(const Job& job, SlotPool slots, std::optional<TimeModel> estimator) {
  const SlotPool pool{at_most(slots.map_slots, job.maps.size()),
                      at_most(slots.reduce_slots, job.reduces.size())};
  if (!estimator) return simulated(job, pool);
  return ms(static_cast<std::int64_t>(std::ceil(completion_ms(statistics_of(job), pool, *estimator))));
}

void draw_deadlines(Workload& workload, const DeadlineDraw& draw) {
  check(draw);
  for (Job& job : workload.jobs) {
    const Duration shortest = draw.boot + shortest_time(job, draw.slots, draw.estimator);
    const double factor = Random(draw.seed, job.id + "\ndeadline").uniform(draw.least, draw.most);
    const double length = std::ceil(factor * static_cast<double>(to_ms(shortest)));
    if (length > static_cast<double>(to_ms(longest_duration)))
      throw UsageError("the deadline of job '" + job.id + "' is too late", "give a smaller factor");
    job.deadline = job.submit + ms(static_cast<std::int64_t>(length));
  }
}

}  // namespace wavewright
