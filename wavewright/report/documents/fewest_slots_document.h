// The document of the fewest slots that meet a deadline (docs/formats/schemas/plan-slots.schema.json),
// without their plan.
#pragma once

#include "wavewright/plan/analysis/fewest_slots.h"
#include "wavewright/report/documents/json.h"

namespace wavewright {

[[nodiscard]] Json fewest_slots_document(const FewestSlots& found, const PoolWish& wish, Duration deadline);

}  // namespace wavewright
