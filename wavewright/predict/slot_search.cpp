#include "wavewright/predict/slot_search.h"

#include <tuple>

namespace wavewright {

namespace {

// The least value in [low, high] for which `holds`, which must be monotone and true at `high`.
template <class Predicate>
Count least(Count low, Count high, Predicate holds) {
  while (low < high) {
    const Count middle = low + (high - low) / 2;
    if (holds(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// Searches ranges of reduce slots, the most promising half first.
class FewestSearch {
 public:
  explicit FewestSearch(const SlotSearch& search) : search_(search) {}

  SlotChoice best() {
    const Count low = search_.reduces_beside(search_.most.map_slots, search_.most.reduce_slots);
    const Count high = search_.most.reduce_slots;
    const Count maps_at_low = take(low, search_.most.map_slots);
    const Count maps_at_high = take(high, maps_at_low);
    if (low < high) search(low, high, maps_at_low, maps_at_high);
    return best_;
  }

 private:
  // `enough` map slots must do.
  Count take(Count reduces, Count enough) {
    const Count maps = search_.maps_beside(reduces, enough).value_or(enough);
    const SlotChoice found = search_.choice({maps, reduces});
    if (!found_ || order_of_choices(found) < order_of_choices(best_)) best_ = found;
    found_ = true;
    return maps;
  }

  // Both ends were taken already; the numbers of maps belong to them.
  void search(Count low, Count high, Count maps_at_low, Count maps_at_high) {
    if (high - low < 2 || low + 1 + maps_at_high > best_.total()) return;
    const Count middle = low + (high - low) / 2;
    const Count maps_at_middle = take(middle, maps_at_low);
    if (middle + maps_at_high < low + maps_at_middle) {
      search(middle, high, maps_at_middle, maps_at_high);
      search(low, middle, maps_at_low, maps_at_middle);
    } else {
      search(low, middle, maps_at_low, maps_at_middle);
      search(middle, high, maps_at_middle, maps_at_high);
    }
  }

  const SlotSearch& search_;
  bool found_ = false;
  SlotChoice best_;
};

}  // namespace

std::optional<Count> SlotSearch::maps_beside(Count reduce_slots, Count enough) const {
  if (!meets({enough, reduce_slots})) return std::nullopt;
  return least(fewest.map_slots, enough, [&](Count maps) { return meets({maps, reduce_slots}); });
}

Count SlotSearch::reduces_beside(Count map_slots, Count enough) const {
  return least(fewest.reduce_slots, enough, [&](Count reduces) { return meets({map_slots, reduces}); });
}

SlotChoice fewest_in(const SlotSearch& search) {
  return FewestSearch(search).best();
}

std::vector<SlotChoice> curve_in(const SlotSearch& search) {
  std::vector<SlotChoice> curve;
  Count reduces = search.most.reduce_slots;
  for (;;) {
    const std::optional<Count> maps = search.maps_beside(reduces, search.most.map_slots);
    if (!maps) break;
    reduces = search.reduces_beside(*maps, reduces);
    curve.push_back(search.choice({*maps, reduces}));
    if (reduces <= search.fewest.reduce_slots) break;
    --reduces;
  }
  return curve;
}

}  // namespace wavewright
