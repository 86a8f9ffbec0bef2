// The slots that a job needs to meet a deadline [CLOUD §3.5].
//
// Every function answers in the model that it is asked for (predict/bounds.h) and throws Infeasible, saying
// the shortest possible time, when not even a slot for every task meets the deadline. The deadline is a
// length of time from submission. UsageError for a deadline or slots that are not positive.
#pragma once

#include <optional>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/core/time.h"
#include "wavewright/predict/bounds.h"

namespace wavewright {

struct SlotChoice {
  SlotPool slots;
  double completion_ms = 0;  // in the model of the question

  [[nodiscard]] Count total() const { return slots.map_slots + slots.reduce_slots; }
};

// At most so many slots of each kind are to be had; absent = as many as there are tasks.
struct SlotLimit {
  std::optional<Count> map_slots = std::nullopt;
  std::optional<Count> reduce_slots = std::nullopt;
};

// The pair of fewest slots in all, exactly; of several the one that finishes first, then that of fewest map
// slots. Branch and bound over ranges of reduce slots: r … s reduce slots need at least r + (map slots that
// s leave) in all. About √tasks · log tasks evaluations where the curve is smooth; never more than
// O(reduces · log maps).
[[nodiscard]] SlotChoice fewest_slots(const JobStatistics& job, Duration deadline, TimeModel model,
                                      const SlotLimit& limit = {});

// The allocation curve: every pair of which neither number can be lowered, by ascending map slots.
// O(pairs · log tasks).
[[nodiscard]] std::vector<SlotChoice> allocation_curve(const JobStatistics& job, Duration deadline,
                                                       TimeModel model, const SlotLimit& limit = {});

// Fewest map slots beside the given reduce slots: exactly, in whole slots.
[[nodiscard]] SlotChoice slots_beside(const JobStatistics& job, Duration deadline, Count reduce_slots,
                                      TimeModel model);

// (3.16) as printed: A / (T − C − B/r) in real numbers, in the simple model; infeasible when T ≤ C + B/r.
[[nodiscard]] double map_slots_beside(const JobStatistics& job, Duration deadline, Count reduce_slots);

// (3.17)–(3.18), in the simple model. Rounding the real pair up is feasible but not always minimal; the best
// feasible corner of floor and ceiling is, where no cap binds.
struct LagrangeSlots {
  double map_slots = 0;  // real; not above the number of tasks
  double reduce_slots = 0;
  bool capped = false;  // a number of tasks cut off the printed solution; the other was solved for anew
  SlotChoice ceiled;
  SlotChoice corner;
};
[[nodiscard]] LagrangeSlots lagrange_slots(const JobStatistics& job, Duration deadline);

}  // namespace wavewright
