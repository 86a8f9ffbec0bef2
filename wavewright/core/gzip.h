// gzip in memory.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace wavewright {

[[nodiscard]] bool is_gzip(std::string_view bytes);

// The largest size to which a file of `stored` bytes may inflate: texts of histories shrink to a thirtieth at
// best, a bomb to a thousandth. At least 64 MiB, at most `limit`.
[[nodiscard]] std::size_t inflated_limit(std::size_t stored, std::size_t limit);

// The inflated content (of all members, as gunzip gives it). Throws InputError at `source` when it is
// damaged, ends early or is larger than `limit`.
[[nodiscard]] std::string inflate(std::string_view bytes, std::size_t limit, const std::string& source);

}  // namespace wavewright
