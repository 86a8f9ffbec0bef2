// All tasks that have not ended are placed anew: the slots as they are, with what runs on them, become the
// vectors before the queue's first job.
#include <algorithm>
#include <utility>

#include "wavewright/realtime/admission.h"

namespace wavewright {

namespace {

// Adds the ends by which running tasks are over to `times`; returns the last of them, or 0.
std::int64_t add_ends(std::span<const Time> starts, std::int64_t length, Time now,
                      std::vector<std::int64_t>& times) {
  std::int64_t last = 0;
  for (const Time start : starts) {
    times.push_back(std::max(to_ms(start) + length, to_ms(now)));
    last = std::max(last, times.back());
  }
  return last;
}

SlotTimes with_free(std::vector<std::int64_t> busy, Count slots, Time now, bool last_to_end) {
  const auto size = static_cast<std::size_t>(std::max<Count>(0, slots));
  if (busy.size() > size) {
    std::sort(busy.begin(), busy.end());
    if (last_to_end) busy.erase(busy.begin(), busy.end() - static_cast<std::ptrdiff_t>(size));
    busy.resize(size);
  }
  const SlotTimes free(static_cast<Count>(size - busy.size()), to_ms(now));
  SlotTimes times(std::move(busy));
  times.put_back(free);
  return times;
}

}  // namespace

void AdmissionController::replan(SlotPool slots, const std::function<TasksLeft(JobIndex)>& left, Time now) {
  const auto waiting = queue_.begin() + static_cast<std::ptrdiff_t>(started_);
  started_ -= static_cast<std::size_t>(
      std::count_if(queue_.begin(), waiting, [](const auto& entry) { return entry->ended; }));
  std::erase_if(queue_, [](const auto& entry) { return entry->ended; });
  number_all();
  dirty_ = none;
  bound_holds_ = false;
  std::vector<std::int64_t> busy_maps, busy_reduces;
  for (const auto& each : queue_) {
    Entry& entry = *each;
    entry.limit = no_limit;
    if (!entry.start) continue;
    const TasksLeft its = left(entry.job.job);
    entry.maps_left = its.maps;
    entry.reduces_left = its.reduces;
    entry.near_left = its.near_maps;
    entry.maps_end = std::max(add_ends(its.running_maps, to_ms(map_of(entry.job)), now, busy_maps),
                              add_ends(its.running_near, to_ms(near_map_of(entry.job)), now, busy_maps));
    if (its.ready) entry.maps_end = std::max(entry.maps_end, to_ms(*its.ready));
    entry.reduces_end = add_ends(its.running_reduces, to_ms(reduce_of(entry.job)), now, busy_reduces);
  }
  first_ = {with_free(std::move(busy_maps), slots.map_slots, now, options_.last_to_end),
            with_free(std::move(busy_reduces), slots.reduce_slots, now, options_.last_to_end)};
  set_blocks(now);
  set_from(0, now);
  if (!leaves_estimates_) return evaluate_from(0);
  make_coarse();
  defer_from(0);
}

void AdmissionController::forget_near() {
  for (const auto& entry : queue_) entry->near_left = 0;
}

}  // namespace wavewright
