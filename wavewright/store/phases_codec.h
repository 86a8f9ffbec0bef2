// A run's durations by phase (profile/run_phases.h) as one short text, so that a profile of many runs need
// not unpack their tasks.
//
// They follow from the tasks. A text in another format (of a program whose RunPhases has other fields) is
// therefore no error: it is worked out again from the tasks.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "wavewright/profile/run_phases.h"

namespace wavewright {

// O(durations), some three bytes each.
[[nodiscard]] std::string pack_phases(const RunPhases& phases);

// Nothing where the text is in another format; std::runtime_error where it is damaged.
[[nodiscard]] std::optional<RunPhases> unpack_phases(std::string_view text);

}  // namespace wavewright
