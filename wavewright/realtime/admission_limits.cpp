// Malleable admission: a job gets the fewest slots with which it is in time, and leaves the others to jobs
// that come later.
#include <algorithm>

#include "wavewright/realtime/admission.h"

namespace wavewright {

namespace {

// The least number up to `most` for which it holds, if it holds for all from some number on.
template <class Holds>
Count least(Count most, Holds holds) {
  Count low = 0;
  while (most - low > 1) {
    const Count middle = low + (most - low) / 2;
    (holds(middle) ? most : low) = middle;
  }
  return most;
}

}  // namespace

// With more slots it ends no later, for its tasks are equally long or, with blocks near, go first. Of both
// kinds in proportion first, so that no kind takes all the time that is left.
SlotPool AdmissionController::fewest_slots(const Entry& entry, Time from, const Vectors& vectors) const {
  const auto in_time = [&](SlotPool limit) {
    Vectors with = vectors;
    return place_within(limit, entry, from, with) <= entry.job.deadline;
  };
  if (entry.job.deadline == Time::max() || !in_time(no_limit)) return no_limit;
  const SlotPool all{std::max<Count>(1, std::min(entry.maps_left, vectors.maps.slots())),
                     std::max<Count>(1, std::min(entry.reduces_left, vectors.reduces.slots()))};
  const Count steps = std::max(all.map_slots, all.reduce_slots);
  const auto part = [&](Count step) {
    return SlotPool{(all.map_slots * step + steps - 1) / steps,
                    (all.reduce_slots * step + steps - 1) / steps};
  };
  SlotPool limit = part(least(steps, [&](Count step) { return in_time(part(step)); }));
  limit.map_slots = least(limit.map_slots, [&](Count maps) { return in_time({maps, limit.reduce_slots}); });
  limit.reduce_slots =
      least(limit.reduce_slots, [&](Count reduces) { return in_time({limit.map_slots, reduces}); });
  return limit;
}

SlotPool AdmissionController::limit_behind(const Entry& entry, Time from, const Vectors& vectors) const {
  Vectors with = vectors;
  const bool in_time = place_within(entry.limit, entry, from, with) <= entry.job.deadline;
  return in_time ? entry.limit : fewest_slots(entry, from, vectors);
}

std::vector<SlotPool> AdmissionController::limits() const {
  std::vector<SlotPool> limits;
  for (const auto& entry : queue_)
    if (!entry->ended) limits.push_back(entry->limit);
  return limits;
}

}  // namespace wavewright
