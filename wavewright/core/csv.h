// A field of a comma-separated file.
#pragma once

#include <string>

namespace wavewright {

// As RFC 4180 writes it: quoted where it holds a comma, a quote or a line's end.
[[nodiscard]] std::string csv_field(const std::string& text);

}  // namespace wavewright
