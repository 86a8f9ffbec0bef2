// The script that a rented machine runs when it boots: first of all it sets the clock that ends it.
#pragma once

#include <string>

#include "wavewright/core/time.h"

namespace wavewright {

// A shell script that shuts the machine down after `lifetime` (whole minutes, rounded up), whatever becomes
// of whoever rented it, and then runs `own`, if that is not empty. A machine that is set to end with its
// shutdown costs nothing from then on.
[[nodiscard]] std::string self_ending_script(Duration lifetime, const std::string& own);

[[nodiscard]] std::string base64_text(const std::string& bytes);

}  // namespace wavewright
