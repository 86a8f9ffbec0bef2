#include "wavewright/predict/bounds.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"

namespace wavewright {

namespace {

double real(Count count) {
  return static_cast<double>(count);
}

// ⌈tasks / slots⌉
double waves(Count tasks, Count slots) {
  return real((tasks + slots - 1) / slots);
}

void require_slots(const JobStatistics& job, SlotPool slots) {
  const auto refuse = [](Count tasks, const char* kind) {
    throw Infeasible(fmt::format("{} {} tasks and no {} slots: the job never ends", tasks, kind, kind),
                     fmt::format("give it at least one {} slot", kind));
  };
  if (job.maps > 0 && slots.map_slots <= 0) refuse(job.maps, "map");
  if (job.reduces > 0 && slots.reduce_slots <= 0) refuse(job.reduces, "reduce");
}

// The two shuffle terms and the reduces; `waves` may be fractional.
double reduces_in_waves(const JobStatistics& job, double wave_count) {
  return job.first_shuffle.avg_ms + (wave_count - 1) * job.shuffle.mid_ms() +
         wave_count * job.reduce.mid_ms();
}

}  // namespace

std::string to_string(TimeModel model) {
  switch (model) {
    case TimeModel::wave:
      return "wave";
    case TimeModel::low:
      return "low";
    case TimeModel::bounds:
      return "bounds";
    case TimeModel::up:
      return "up";
    case TimeModel::simple:
      break;
  }
  return "simple";
}

TimeModel parse_time_model(const std::string& name) {
  std::vector<std::string> names;
  for (const TimeModel model : time_models) {
    if (to_string(model) == name) return model;
    names.push_back(to_string(model));
  }
  throw UsageError("unknown model '" + name + "'", suggestion(name, names));
}

Bounds stage_bounds(Count tasks, const PhaseStatistics& task, Count slots) {
  if (tasks == 0) return {};
  const double k = real(std::min(slots, tasks));
  const double n = real(tasks);
  return {std::max(n * task.avg_ms / k, task.certain_max_ms()), (n - 1) * task.avg_ms / k + task.max_ms};
}

Bounds reduce_stage_bounds(const JobStatistics& job, Count slots) {
  if (job.reduces == 0) return {};
  const double n = real(job.reduces);
  const double k = real(std::min(slots, job.reduces));
  const bool later_waves = job.reduces > slots;
  const PhaseStatistics& first = job.first_shuffle;
  const PhaseStatistics& later = job.shuffle;
  // The shorter of both shuffles, even without later waves, or the bound could grow with the last slot.
  const double shortest = std::min(first.min_ms, later.min_ms);
  Bounds bounds;
  bounds.low_ms = std::max(first.avg_ms + (n / k - 1) * later.avg_ms + n * job.reduce.avg_ms / k,
                           job.reduce.certain_max_ms() + shortest);
  bounds.up_ms = first.max_ms + (n - 1) * job.reduce.avg_ms / k + job.reduce.max_ms;
  if (later_waves) bounds.up_ms += std::max(0.0, ((n - 1) / k - 1) * later.avg_ms + later.max_ms);
  return bounds;
}

Bounds job_bounds(const JobStatistics& job, SlotPool slots) {
  require_slots(job, slots);
  return stage_bounds(job.maps, job.map, slots.map_slots) + reduce_stage_bounds(job, slots.reduce_slots) +
         Bounds{job.overhead_ms, job.overhead_ms};
}

SimpleForm simple_form(const JobStatistics& job) {
  SimpleForm form;
  form.a = real(job.maps) * job.map.mid_ms();
  form.b = real(job.reduces) * (job.shuffle.mid_ms() + job.reduce.mid_ms());
  form.c = job.overhead_ms + (job.reduces > 0 ? job.first_shuffle.avg_ms - job.shuffle.mid_ms() : 0);
  return form;
}

namespace {

double one_of(Bounds bounds, TimeModel model) {
  if (model == TimeModel::low) return bounds.low_ms;
  return model == TimeModel::up ? bounds.up_ms : bounds.avg_ms();
}

}  // namespace

double map_stage_ms(const JobStatistics& job, Count slots, TimeModel model) {
  if (job.maps == 0) return 0;
  switch (model) {
    case TimeModel::wave:
      return waves(job.maps, slots) * job.map.mid_ms();
    case TimeModel::simple:
      return real(job.maps) / real(std::min(slots, job.maps)) * job.map.mid_ms();
    case TimeModel::low:
    case TimeModel::bounds:
    case TimeModel::up:
      break;
  }
  return one_of(stage_bounds(job.maps, job.map, slots), model);
}

double reduce_stage_ms(const JobStatistics& job, Count slots, TimeModel model) {
  if (job.reduces == 0) return 0;
  switch (model) {
    case TimeModel::wave:
      return reduces_in_waves(job, waves(job.reduces, slots));
    case TimeModel::simple:
      return reduces_in_waves(job, real(job.reduces) / real(std::min(slots, job.reduces)));
    case TimeModel::low:
    case TimeModel::bounds:
    case TimeModel::up:
      break;
  }
  return one_of(reduce_stage_bounds(job, slots), model);
}

double completion_ms(const JobStatistics& job, SlotPool slots, TimeModel model) {
  require_slots(job, slots);
  return map_stage_ms(job, slots.map_slots, model) + reduce_stage_ms(job, slots.reduce_slots, model) +
         job.overhead_ms;
}

}  // namespace wavewright
