// A field of a comma-separated file.
#pragma once

#include <string>

namespace wavewright {

// Quotes the text as RFC 4180 does if it holds a comma, a quote or a line break. A text that begins with `=`,
// `+`, `-`, `@`, a tab or a carriage return gets a `'` in front: a spreadsheet would run it as a formula. Not
// for numbers.
[[nodiscard]] std::string csv_field(const std::string& told);

}  // namespace wavewright
