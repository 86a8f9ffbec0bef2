// The creation time of a page.
#pragma once

#include <string>

#include "wavewright/core/time.h"

namespace wavewright::app {

// SOURCE_DATE_EPOCH if set, so that output can be reproduced byte by byte, else now. Throws UsageError if
// that variable is not a number.
[[nodiscard]] Time now_or_epoch();

// The same as text, in the local zone: `2026-11-20 10:00:00 UTC`.
[[nodiscard]] std::string made_at();

}  // namespace wavewright::app
