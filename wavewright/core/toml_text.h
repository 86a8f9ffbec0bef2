// A text as a TOML string.
#pragma once

#include <string>
#include <string_view>

namespace wavewright {

// In quotes, with what must be escaped. O(length).
[[nodiscard]] std::string toml_text(std::string_view text);

}  // namespace wavewright
