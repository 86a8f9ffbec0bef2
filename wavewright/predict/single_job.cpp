#include "wavewright/predict/single_job.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace wavewright {

namespace {

// The instants at which slots become free; a heap with the earliest on top.
class FreeSlots {
 public:
  FreeSlots(Count slots, std::size_t tasks, Duration from)
      : free_at_(std::min(static_cast<std::size_t>(slots), tasks), from), last_(from) {}

  // Calls `end` with the instant at which the task's slot is free; it returns the task's end.
  template <class End>
  void take(End end) {
    std::pop_heap(free_at_.begin(), free_at_.end(), std::greater<>());
    Duration& slot = free_at_.back();
    slot = end(slot);
    last_ = std::max(last_, slot);
    std::push_heap(free_at_.begin(), free_at_.end(), std::greater<>());
  }
  [[nodiscard]] Duration last_end() const { return last_; }

 private:
  std::vector<Duration> free_at_;
  Duration last_;
};

Duration wait_of(std::span<const Duration> waits, std::size_t task) {
  return waits.empty() ? Duration{} : waits[task];
}

struct MapTimes {
  Duration done{};
  Duration reduces_ready{};
};

MapTimes run_maps(const SingleJob& job, Count slots) {
  FreeSlots free(slots, job.maps.size(), job.maps_from);
  const auto needed = static_cast<std::size_t>(job.maps_before_reduces.value_or(0));
  const bool all = !job.maps_before_reduces || needed >= job.maps.size();
  std::vector<Duration> ends;
  if (!all) ends.reserve(job.maps.size());
  for (std::size_t i = 0; i < job.maps.size(); ++i) {
    free.take([&](Duration at) {
      const Duration end = at + wait_of(job.map_waits, i) + job.maps[i];
      if (!all) ends.push_back(end);
      return end;
    });
  }
  if (job.reduces_ready) return {free.last_end(), *job.reduces_ready};
  if (all) return {free.last_end(), free.last_end()};
  if (needed == 0) return {free.last_end(), job.maps_from};
  const auto nth = ends.begin() + static_cast<std::ptrdiff_t>(needed - 1);
  std::nth_element(ends.begin(), nth, ends.end());
  return {free.last_end(), *nth};
}

Duration merged(const SingleJob& job, std::size_t reduce, Duration start, Duration maps_done) {
  const Duration alone = start + job.later_shuffles[reduce];
  if (start > maps_done) return alone;
  const Duration after_maps = maps_done + job.first_shuffles[reduce];
  return job.shuffle_has_length ? std::max(alone, after_maps) : after_maps;
}

}  // namespace

SingleJobTimes run_alone(const SingleJob& job, SlotPool slots) {
  const MapTimes maps = run_maps(job, slots.map_slots);
  FreeSlots free(slots.reduce_slots, job.reduces.size(), maps.reduces_ready + job.reduces_from);
  for (std::size_t i = 0; i < job.reduces.size(); ++i) {
    free.take([&](Duration at) {
      return merged(job, i, at + wait_of(job.reduce_waits, i), maps.done) + job.reduces[i];
    });
  }
  return {maps.done, job.reduces.empty() ? maps.done : std::max(maps.done, free.last_end())};
}

}  // namespace wavewright
