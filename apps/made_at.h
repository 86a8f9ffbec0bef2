// The creation time of a page.
#pragma once

#include <string>

namespace wavewright::app {

// SOURCE_DATE_EPOCH if set, so that a page can be reproduced byte by byte, else now; UTC. Throws UsageError
// if that variable is not a number.
[[nodiscard]] std::string made_at();

}  // namespace wavewright::app
