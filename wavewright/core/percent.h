// Bytes as a percent sign and two hexadecimal digits [RFC 3986 §2.1].
#pragma once

#include <string>
#include <string_view>

namespace wavewright {

// Letters, digits and `-_.~`.
[[nodiscard]] bool is_unreserved(char c);

// `%25` for `%`: every byte for which `plain` does not hold. O(length).
[[nodiscard]] std::string percent_encoded(std::string_view text, bool (*plain)(char));

// What percent_encoded was given; a percent sign without two digits stands for itself. O(length).
[[nodiscard]] std::string percent_decoded(std::string_view text);

}  // namespace wavewright
