// Percent-encoding: a byte as `%` and two hexadecimal digits [RFC 3986 §2.1].
#pragma once

#include <string>
#include <string_view>

namespace wavewright {

// Letters, digits and `-_.~`.
[[nodiscard]] bool is_unreserved(char c);

// Encodes every byte for which `plain` is false: `%25` for `%`. O(length).
[[nodiscard]] std::string percent_encoded(std::string_view text, bool (*plain)(char));

// Undoes percent_encoded. A percent sign without two digits stays as it is. O(length).
[[nodiscard]] std::string percent_decoded(std::string_view text);

}  // namespace wavewright
