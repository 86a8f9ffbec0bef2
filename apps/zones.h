// Headings of columns of local times.
#pragma once

#include <string>
#include <vector>

#include "wavewright/core/time.h"

namespace wavewright::app {

// `submitted (CET)`; with times on both sides of a change of the clock, `submitted (CET, CEST)`.
[[nodiscard]] std::string with_zones(const std::string& title, const std::vector<Time>& instants);

}  // namespace wavewright::app
