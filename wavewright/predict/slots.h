// The slots that a job needs to meet a deadline, by closed forms [CLOUD §3.5]; by simulated runs:
// predict/predicted_slots.h.
//
// Each function uses the given model (predict/bounds.h). It throws Infeasible with the shortest possible time
// if even one slot per task misses the deadline, UsageError if the deadline or slots are not positive. The
// deadline is a duration from submission.
#pragma once

#include <optional>
#include <vector>

#include "wavewright/core/time.h"
#include "wavewright/predict/bounds.h"
#include "wavewright/predict/slot_search.h"

namespace wavewright {

// Available slots of each kind; absent = as many as there are tasks.
struct SlotLimit {
  std::optional<Count> map_slots = std::nullopt;
  std::optional<Count> reduce_slots = std::nullopt;
};

// The pair with the fewest slots in total, exact (predict/slot_search.h).
[[nodiscard]] SlotChoice fewest_slots(const JobStatistics& job, Duration deadline, TimeModel model,
                                      const SlotLimit& limit = {});

// The allocation curve: pairs in which neither number can be lowered, by map slots. O(pairs · log tasks).
[[nodiscard]] std::vector<SlotChoice> allocation_curve(const JobStatistics& job, Duration deadline,
                                                       TimeModel model, const SlotLimit& limit = {});

// Fewest map slots for the given reduce slots; exact, in whole slots.
[[nodiscard]] SlotChoice slots_beside(const JobStatistics& job, Duration deadline, Count reduce_slots,
                                      TimeModel model);

// (3.16) as printed, in real numbers, simple model: A / (T − C − B/r). Throws Infeasible if T ≤ C + B/r.
[[nodiscard]] double map_slots_beside(const JobStatistics& job, Duration deadline, Count reduce_slots);

// (3.17)–(3.18), in the simple model. The real pair rounded up is feasible, but not always minimal. The best
// feasible corner of floor and ceiling is minimal if no cap applies.
struct LagrangeSlots {
  double map_slots = 0;  // real; not above the number of tasks
  double reduce_slots = 0;
  bool capped = false;  // a number of tasks capped the solution; the other number was then solved again
  SlotChoice ceiled;
  SlotChoice corner;
};
[[nodiscard]] LagrangeSlots lagrange_slots(const JobStatistics& job, Duration deadline);

}  // namespace wavewright
