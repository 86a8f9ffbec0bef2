// A field of a comma-separated file.
#pragma once

#include <string>

namespace wavewright {

// Quotes the text as RFC 4180 does if it holds a comma, a quote or a line break.
[[nodiscard]] std::string csv_field(const std::string& text);

}  // namespace wavewright
