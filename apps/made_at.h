// When a page was made.
#pragma once

#include <string>

namespace wavewright::app {

// The time of SOURCE_DATE_EPOCH, so that a page can be made again byte by byte, or now; UTC. Throws
// UsageError where that variable is no number.
[[nodiscard]] std::string made_at();

}  // namespace wavewright::app
