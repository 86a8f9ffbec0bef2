// gzip in memory.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace wavewright {

[[nodiscard]] bool is_gzip(std::string_view bytes);

// Bytes to which a file of `stored` bytes may inflate: 200 times as many, at least 64 MiB, at most `limit`.
// Histories inflate at most 30-fold, a zip bomb about 1000-fold.
[[nodiscard]] std::size_t inflated_limit(std::size_t stored, std::size_t limit);

// Inflates all members, as gunzip does. Throws InputError at `source` if the content is damaged, ends early
// or is larger than `limit` bytes.
[[nodiscard]] std::string inflate(std::string_view bytes, std::size_t limit, const std::string& source);

}  // namespace wavewright
