// Searches pairs of map and reduce slots for the fewest that meet a deadline, for any model of time.
#pragma once

#include <functional>
#include <optional>
#include <tuple>
#include <vector>

#include "wavewright/cluster/cluster.h"

namespace wavewright {

struct SlotChoice {
  SlotPool slots;
  double completion_ms = 0;  // in the model asked

  [[nodiscard]] Count total() const { return slots.map_slots + slots.reduce_slots; }
};

// Fewer slots in total come first; ties: the earliest finish, then the fewest map slots.
[[nodiscard]] inline auto order_of_choices(const SlotChoice& choice) {
  return std::tuple(choice.total(), choice.completion_ms, choice.slots.map_slots);
}

// `time_ms` must not grow with slots between `fewest` and `most`, and `most` must meet the deadline.
struct SlotSearch {
  std::function<double(SlotPool)> time_ms;
  double deadline_ms = 0;
  SlotPool fewest;
  SlotPool most;

  [[nodiscard]] bool meets(SlotPool slots) const { return time_ms(slots) <= deadline_ms; }
  [[nodiscard]] SlotChoice choice(SlotPool slots) const { return {slots, time_ms(slots)}; }
  // Fewest map slots for `reduce_slots`, at most `enough`; absent if no number is enough.
  [[nodiscard]] std::optional<Count> maps_beside(Count reduce_slots, Count enough) const;
  // Fewest reduce slots for `map_slots`; `enough` of them must do.
  [[nodiscard]] Count reduces_beside(Count map_slots, Count enough) const;
};

// The pair with the fewest slots in total, exact. Ties: the earliest finish, then the fewest map slots.
// Branch and bound over ranges of reduce slots: r … s reduce slots need at least r + (map slots needed with
// s) in total. About √tasks · log tasks evaluations on smooth curves, never more than O(reduces · log maps).
[[nodiscard]] SlotChoice fewest_in(const SlotSearch& search);

// Pairs in which neither number can be lowered, by map slots. O(pairs · log tasks).
[[nodiscard]] std::vector<SlotChoice> curve_in(const SlotSearch& search);

}  // namespace wavewright
