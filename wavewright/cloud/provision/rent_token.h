// Tokens that nobody else makes.
#pragma once

#include <string>

namespace wavewright {

// 128 random bits in hexadecimal, from the operating system. Throws ExternalError if it has none.
[[nodiscard]] std::string rent_token();

}  // namespace wavewright
