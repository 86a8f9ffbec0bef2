// Packs a run's durations by phase (profile/run_phases.h) into one short text, so that a profile of many runs
// need not unpack their tasks.
//
// They follow from the tasks. So a text in another format (of a program whose RunPhases has other fields) is
// no error: the phases are computed again from the tasks.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "wavewright/profile/run_phases.h"

namespace wavewright {

// O(durations), about three bytes each.
[[nodiscard]] std::string pack_phases(const RunPhases& phases);

// Nothing if the text is in another format; throws std::runtime_error if it is damaged.
[[nodiscard]] std::optional<RunPhases> unpack_phases(std::string_view text);

}  // namespace wavewright
