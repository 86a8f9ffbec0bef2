// Pools of growing size: what a curve over slots tries.
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

  // from, from + step, … and always `to`.
  [[nodiscard]] std::vector<Count> counts() const;
};

// Reads `slots=20..200`, `map-slots=20..200:5`, `reduce-slots=…`; without a step the least that needs no more
// than `usual_curve_points`. Throws UsageError: on anything else, on ranges that are empty, begin below 1 (2
// of `slots`, of which each kind gets one), end above `most_curve_slots` or have more than
// `most_curve_points`.
[[nodiscard]] SlotRange parse_slot_range(std::string_view text);

// `count` slots of both kinds together, in the proportion of `like` as near as whole slots come, at least one
// of each kind of which `like` has any. Neither kind shrinks as `count` grows.
[[nodiscard]] SlotPool pool_like(SlotPool like, Count count);

// The pool at `count` of the axis; what the axis does not name is as in `like`.
[[nodiscard]] SlotPool pool_at(SlotAxis axis, SlotPool like, Count count);

}  // namespace wavewright
