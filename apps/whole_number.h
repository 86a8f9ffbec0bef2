// Checks the value of a flag that counts something.
#pragma once

#include <cstdint>
#include <optional>

#include <CLI/App.hpp>

namespace wavewright::app {

// Accepts digits of a number from `least` to `most`; else `'1e6' is not a whole number from 1 to 100`.
[[nodiscard]] CLI::Validator whole_number(std::uint64_t least,
                                          std::optional<std::uint64_t> most = std::nullopt);

}  // namespace wavewright::app
