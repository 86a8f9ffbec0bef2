#include "wavewright/report/documents/fewest_slots_document.h"

#include <nlohmann/json.hpp>

namespace wavewright {

namespace {

// The kind of slots that is counted.
std::string_view searched(const PoolWish& wish) {
  return wish.map_slots ? "reduce-slots" : wish.reduce_slots ? "map-slots" : "slots";
}

}  // namespace

Json fewest_slots_document(const FewestSlots& found, const PoolWish& wish, Duration deadline) {
  Json document = {{"deadline_ms", to_ms(deadline)},
                   {"searched", searched(wish)},
                   {"slots", found.slots},
                   {"at_least", found.at_least},
                   {"proved_fewest", found.proved()},
                   {"bound_with_one_less_ms", nullptr},
                   {"map_slots", found.pool.map_slots},
                   {"reduce_slots", found.pool.reduce_slots},
                   {"makespan_ms", to_ms(found.plan.makespan)},
                   {"pools_tried", found.pools_tried}};
  if (found.bound_with_one_less > Duration{})
    document["bound_with_one_less_ms"] = to_ms(found.bound_with_one_less);
  if (found.partial) document["partial"] = true;
  return document;
}

}  // namespace wavewright
