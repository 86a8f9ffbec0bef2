#include "wavewright/cloud/deadline/needed_slots.h"

#include <algorithm>
#include <cmath>

#include "wavewright/predict/slots.h"

namespace wavewright {

namespace {

PhaseStatistics lengths(const View& view, JobIndex job, Kind kind, ClassId node_class,
                        const SlotEstimator& by) {
  if (by.percentile) {
    const auto all = static_cast<double>(to_ms(view.quantile(job, kind, node_class, *by.percentile)));
    return {all, all, all};
  }
  const Estimate task = view.estimate(job, kind, node_class);
  const auto mean = static_cast<double>(to_ms(task.mean));
  if (by.bound == TimeModel::wave || by.bound == TimeModel::simple) return {mean, mean, mean};
  return {0, mean, std::max(mean, static_cast<double>(to_ms(task.max)))};
}

Duration up_to_ms(double value) {
  return ms(static_cast<std::int64_t>(std::ceil(value)));
}

Count within(Count tasks, Count most) {
  return std::min(tasks, std::max<Count>(1, most));
}

}  // namespace

NeededSlots needed_slots(const View& view, JobIndex job, ClassId node_class, Duration left, SlotPool most,
                         const SlotEstimator& by) {
  const JobFacts facts = view.facts(job);
  JobStatistics of;
  of.maps = facts.maps;
  of.reduces = facts.reduces;
  of.map = lengths(view, job, Kind::map, node_class, by);
  of.reduce = lengths(view, job, Kind::reduce, node_class, by);
  const TimeModel model = by.percentile ? TimeModel::wave : by.bound;
  const SlotPool all{within(of.maps, most.map_slots), within(of.reduces, most.reduce_slots)};
  NeededSlots needed{.slots = all};
  const double shortest = completion_ms(of, all, model);
  needed.shortest = up_to_ms(shortest);
  needed.in_time = left > Duration{} && shortest <= static_cast<double>(to_ms(left));
  if (needed.in_time) needed.slots = fewest_slots(of, left, model, {all.map_slots, all.reduce_slots}).slots;
  needed.reduce_stage =
      of.reduces == 0 ? Duration{} : up_to_ms(reduce_stage_ms(of, needed.slots.reduce_slots, model));
  return needed;
}

}  // namespace wavewright
