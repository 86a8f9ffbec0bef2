// Pools of growing size for a curve over slots.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/core/quantity.h"

namespace wavewright {

enum class SlotAxis : std::uint8_t { slots, map_slots, reduce_slots };
[[nodiscard]] std::string_view name_of(SlotAxis axis);  // `slots`, …

inline constexpr Count most_curve_slots = 10'000'000;
inline constexpr std::size_t usual_curve_points = 40, most_curve_points = 2000;

struct SlotRange {
  SlotAxis axis = SlotAxis::slots;
  Count from = 1;
  Count to = 1;
  Count step = 1;

  // from, from + step, …, and always `to`.
  [[nodiscard]] std::vector<Count> counts() const;
};

// Parses `slots=20..200`, `map-slots=20..200:5`, `reduce-slots=…`. The default step is the least that gives
// at most `usual_curve_points`. Throws UsageError for other text and for a range that is empty, begins below
// 1 (2 for `slots`: one of each kind), ends above `most_curve_slots`, or has more than `most_curve_points`.
[[nodiscard]] SlotRange parse_slot_range(std::string_view text);

// A pool of `count` slots in the proportion of `like`, rounded to whole slots, with at least one slot of each
// kind that `like` has. Neither kind shrinks as `count` grows.
[[nodiscard]] SlotPool pool_like(SlotPool like, Count count);

// The pool at `count` on the axis; `like` gives the other kind, or the proportion.
[[nodiscard]] SlotPool pool_at(SlotAxis axis, SlotPool like, Count count);

}  // namespace wavewright
