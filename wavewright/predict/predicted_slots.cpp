#include "wavewright/predict/predicted_slots.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

// 1, 2, 3, 4, 6, 8, 12, … and n.
std::vector<Count> steps_to(Count n) {
  std::vector<Count> steps;
  for (Count step = 1; step < n; step *= 2) {
    steps.push_back(step);
    if (step > 1 && step + step / 2 < n) steps.push_back(step + step / 2);
  }
  steps.push_back(n);
  return steps;
}

}  // namespace

PredictedSlots::PredictedSlots(const PreparedPrediction& prediction, const SlotDeadline& asked)
    : prediction_(prediction), asked_(asked) {
  if (asked.deadline <= Duration{})
    throw UsageError("the deadline is not a positive length of time", "like 8min");
  const Count maps = prediction.maps();
  const Count reduces = prediction.reduces();
  if (asked.reduce_slots && *asked.reduce_slots <= 0 && reduces > 0) {
    throw UsageError("no slots to choose from", "allow at least one");
  }
  search_.time_ms = [this](SlotPool slots) { return time_ms(slots); };
  search_.deadline_ms = static_cast<double>(asked.deadline.count());
  search_.fewest = {std::min<Count>(1, maps), std::min<Count>(1, reduces)};
  search_.most = {maps, reduces};
  if (asked.reduce_slots) search_.fewest.reduce_slots = search_.most.reduce_slots = *asked.reduce_slots;
  if (!few_pairs()) find_most();
}

double PredictedSlots::time_ms(SlotPool slots) {
  const auto [place, is_new] = known_.try_emplace({slots.map_slots, slots.reduce_slots}, 0);
  if (is_new) {
    place->second = asked_.model ? prediction_.formula_at(slots, *asked_.model)
                                 : prediction_.percentiles_at(slots).at(asked_.confidence);
  }
  return place->second;
}

bool PredictedSlots::few_pairs() const {
  const Count maps = search_.most.map_slots - search_.fewest.map_slots + 1;
  const Count reduces = search_.most.reduce_slots - search_.fewest.reduce_slots + 1;
  return maps <= pairs_tried && reduces <= pairs_tried && maps * reduces <= pairs_tried;
}

// Beyond the fastest number more slots only slow the job down.
void PredictedSlots::find_most() {
  for (Count SlotPool::* const kind : {&SlotPool::map_slots, &SlotPool::reduce_slots}) {
    SlotPool best = search_.most;
    for (const Count step : steps_to(search_.most.*kind)) {
      SlotPool tried = search_.most;
      tried.*kind = std::max(step, search_.fewest.*kind);
      if (time_ms(tried) < time_ms(best)) best = tried;
    }
    search_.most = best;
  }
}

void PredictedSlots::refuse() const {
  auto fastest = known_.begin();
  for (auto each = known_.begin(); each != known_.end(); ++each) {
    if (each->second < fastest->second) fastest = each;
  }
  const std::string how = asked_.model ? "by the " + to_string(*asked_.model) + " model"
                                       : fmt::format("in {:g} % of runs", 100 * asked_.confidence);
  const std::string of = asked_.model ? "" : fmt::format(" (p{:g})", 100 * asked_.confidence);
  throw Infeasible(
      fmt::format("no slots meet {} {}: the fastest, {} map and {} reduce slots, take {}{}",
                  format_duration(asked_.deadline), how, fastest->first.first, fastest->first.second,
                  format_duration(ms(static_cast<std::int64_t>(std::ceil(fastest->second)))), of),
      asked_.reduce_slots ? "allow more reduce slots or a later deadline" : "allow a later deadline");
}

// Of at most that many slots in total; if there are few pairs.
std::vector<SlotChoice> PredictedSlots::all_that_meet(Count most_slots) {
  std::vector<SlotChoice> found;
  for (Count maps = search_.fewest.map_slots; maps <= search_.most.map_slots; ++maps) {
    for (Count reduces = search_.fewest.reduce_slots; reduces <= search_.most.reduce_slots; ++reduces) {
      const SlotPool slots = {maps, reduces};
      if (maps + reduces <= most_slots && search_.meets(slots)) found.push_back(search_.choice(slots));
    }
  }
  return found;
}

SlotChoice PredictedSlots::fewest() {
  const Count most = search_.most.map_slots + search_.most.reduce_slots;
  if (few_pairs()) {
    for (Count slots = search_.fewest.map_slots + search_.fewest.reduce_slots; slots <= most; ++slots) {
      const std::vector<SlotChoice> meeting = all_that_meet(slots);
      if (meeting.empty()) continue;
      return *std::min_element(meeting.begin(), meeting.end(), [](const SlotChoice& a, const SlotChoice& b) {
        return order_of_choices(a) < order_of_choices(b);
      });
    }
    refuse();
  }
  if (!search_.meets(search_.most)) refuse();
  SlotChoice best = fewest_in(search_);
  // The time of one pair more or less may be out of order: no neighbour with a slot fewer may meet it.
  for (bool lower = true; lower;) {
    lower = false;
    for (Count SlotPool::* const kind : {&SlotPool::map_slots, &SlotPool::reduce_slots}) {
      SlotPool fewer = best.slots;
      if (--(fewer.*kind) < search_.fewest.*kind || !search_.meets(fewer)) continue;
      best = search_.choice(fewer);
      lower = true;
    }
  }
  return best;
}

std::vector<SlotChoice> PredictedSlots::curve() {
  if (!few_pairs()) {
    if (!search_.meets(search_.most)) refuse();
    return curve_in(search_);
  }
  const std::vector<SlotChoice> all = all_that_meet(search_.most.map_slots + search_.most.reduce_slots);
  if (all.empty()) refuse();
  std::vector<SlotChoice> minimal;
  for (const SlotChoice& choice : all) {
    const bool beaten = std::any_of(all.begin(), all.end(), [&](const SlotChoice& other) {
      return other.slots != choice.slots && other.slots.map_slots <= choice.slots.map_slots &&
             other.slots.reduce_slots <= choice.slots.reduce_slots;
    });
    if (!beaten) minimal.push_back(choice);
  }
  return minimal;
}

}  // namespace wavewright
