#include "wavewright/plan/analysis/slot_range.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

constexpr const char* forms =
    "give slots=20..200, map-slots=20..200 or reduce-slots=20..200, with :STEP behind";

[[noreturn]] void refuse(std::string_view text, const std::string& what) {
  throw UsageError(fmt::format("the range '{}' {}", text, what), forms);
}

std::optional<SlotAxis> axis_of(std::string_view name) {
  for (const SlotAxis axis : {SlotAxis::slots, SlotAxis::map_slots, SlotAxis::reduce_slots}) {
    if (name == name_of(axis)) return axis;
  }
  return std::nullopt;
}

Count number(std::string_view text, std::string_view digits) {
  Count value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range || value > most_curve_slots)
    refuse(text, fmt::format("goes beyond {} slots", most_curve_slots));
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size() || digits[0] == '-')
    refuse(text, fmt::format("has '{}' where a number of slots belongs", digits));
  return value;
}

}  // namespace

std::string_view name_of(SlotAxis axis) {
  return axis == SlotAxis::slots ? "slots" : axis == SlotAxis::map_slots ? "map-slots" : "reduce-slots";
}

std::vector<Count> SlotRange::counts() const {
  std::vector<Count> all;
  for (Count count = from; count < to; count += step) all.push_back(count);
  all.push_back(to);
  return all;
}

SlotRange parse_slot_range(std::string_view text) {
  const std::size_t equals = text.find('='), dots = text.find("..");
  if (equals == std::string_view::npos || dots == std::string_view::npos || dots < equals)
    refuse(text, "is none");
  SlotRange range;
  const auto axis = axis_of(text.substr(0, equals));
  if (!axis) refuse(text, fmt::format("is of '{}'", text.substr(0, equals)));
  range.axis = *axis;
  const std::size_t colon = text.find(':', dots);
  range.from = number(text, text.substr(equals + 1, dots - equals - 1));
  const std::string_view last = text.substr(dots + 2);
  range.to = number(text, colon == std::string_view::npos ? last : last.substr(0, colon - dots - 2));
  if (range.from < (range.axis == SlotAxis::slots ? 2 : 1)) {
    refuse(text,
           range.axis == SlotAxis::slots ? "begins below 2: a map and a reduce slot" : "begins below 1");
  }
  if (range.to < range.from) refuse(text, "ends before it begins");
  const Count wide = range.to - range.from, usual = static_cast<Count>(usual_curve_points) - 1;
  range.step = colon == std::string_view::npos ? std::max<Count>(1, (wide + usual - 1) / usual)
                                               : number(text, text.substr(colon + 1));
  if (range.step < 1) refuse(text, "has a step below 1");
  if (wide / range.step >= static_cast<Count>(most_curve_points))
    refuse(text, fmt::format("has more than {} points", most_curve_points));
  return range;
}

SlotPool pool_like(SlotPool like, Count count) {
  if (like.map_slots <= 0) return {0, count};
  if (like.reduce_slots <= 0) return {count, 0};
  const double share = static_cast<double>(like.map_slots) /
                       (static_cast<double>(like.map_slots) + static_cast<double>(like.reduce_slots));
  const auto maps = static_cast<Count>(std::llround(share * static_cast<double>(count)));
  const Count held = std::clamp<Count>(maps, 1, std::max<Count>(1, count - 1));
  return {held, count - held};
}

SlotPool pool_at(SlotAxis axis, SlotPool like, Count count) {
  if (axis == SlotAxis::map_slots) return {count, like.reduce_slots};
  if (axis == SlotAxis::reduce_slots) return {like.map_slots, count};
  return pool_like(like, count);
}

}  // namespace wavewright
