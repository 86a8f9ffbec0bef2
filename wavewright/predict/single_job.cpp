#include "wavewright/predict/single_job.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace wavewright {

namespace {

// When each slot becomes free; the earliest on top.
class FreeSlots {
 public:
  FreeSlots(Count slots, std::size_t tasks, Duration from)
      : free_at_(std::min(static_cast<std::size_t>(slots), tasks), from), last_(from) {}

  // `length` is asked with the start of the task.
  template <class Length>
  void take(Length length) {
    std::pop_heap(free_at_.begin(), free_at_.end(), std::greater<>());
    Duration& slot = free_at_.back();
    slot += length(slot);
    last_ = std::max(last_, slot);
    std::push_heap(free_at_.begin(), free_at_.end(), std::greater<>());
  }
  [[nodiscard]] Duration last_end() const { return last_; }

 private:
  std::vector<Duration> free_at_;
  Duration last_;
};

}  // namespace

SingleJobTimes run_alone(const SingleJob& job, SlotPool slots) {
  FreeSlots for_maps(slots.map_slots, job.maps.size(), {});
  for (const Duration map : job.maps) for_maps.take([&](Duration) { return map; });
  const Duration maps_done = for_maps.last_end();
  FreeSlots for_reduces(slots.reduce_slots, job.reduces.size(), maps_done);
  for (std::size_t i = 0; i < job.reduces.size(); ++i) {
    for_reduces.take([&](Duration start) {
      return (start <= maps_done ? job.first_shuffles[i] : job.later_shuffles[i]) + job.reduces[i];
    });
  }
  return {maps_done, for_reduces.last_end()};
}

}  // namespace wavewright
