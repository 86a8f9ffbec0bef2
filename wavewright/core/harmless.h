// Text from a file or a client, as it is shown on a terminal.
#pragma once

#include <string>

namespace wavewright {

// Replaces control characters, ends of line, and marks that turn the direction of writing by spaces: a name
// from a file must not control the terminal. UTF-8. O(bytes).
[[nodiscard]] std::string harmless(std::string text);

}  // namespace wavewright
