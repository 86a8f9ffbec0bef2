#include "wavewright/cloud/deadline/look_ahead.h"

#include <algorithm>
#include <numeric>

namespace wavewright {

namespace {

Time end_of(const StageAhead& stage, FreeSlots& slots, Time release, Count& stuck) {
  if (stage.tasks == 0) return std::max(release, stage.running_until);
  const Time last = slots.place(stage.tasks, stage.task, release);
  if (last == Time::max()) {
    ++stuck;
    return release;
  }
  return std::max(last + stage.tail, stage.running_until);
}

}  // namespace

Lateness LookAhead::lateness(Time now, Time from, Count map_slots, Count reduce_slots) {
  Lateness late;
  const auto changed = [from](FreeSlots& left, const FreeSlots& all, Count more) {
    left = all;
    left.add(from, more);
    if (more < 0) left.take_out(-more);
  };
  changed(map_slots_, maps, map_slots);
  changed(reduce_slots_, reduces, reduce_slots);
  maps_end_.assign(jobs.size(), now);
  ends_.assign(jobs.size(), now);
  for (std::size_t i = 0; i < jobs.size(); ++i)
    maps_end_[i] = end_of(jobs[i].maps, map_slots_, now, late.stuck);
  by_maps_end_.resize(jobs.size());
  std::iota(by_maps_end_.begin(), by_maps_end_.end(), std::size_t{0});
  std::ranges::stable_sort(by_maps_end_, {}, [this](std::size_t i) { return maps_end_[i]; });
  for (const std::size_t i : by_maps_end_)
    ends_[i] = end_of(jobs[i].reduces, reduce_slots_, maps_end_[i], late.stuck);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (!jobs[i].deadline || ends_[i] <= *jobs[i].deadline) continue;
    late.seconds += static_cast<double>((ends_[i] - *jobs[i].deadline).count()) / 1000;
    ++late.jobs;
  }
  return late;
}

}  // namespace wavewright
