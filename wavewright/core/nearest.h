// Suggests the known word that a mistyped word probably means.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace wavewright {

// The candidate of smallest edit distance (insertions, deletions, substitutions and swaps of neighbours). The
// distance must be at most a third of the word's length; one edit is always allowed. O(|word|·Σ|candidate|).
[[nodiscard]] std::optional<std::string> nearest(std::string_view word,
                                                 std::span<const std::string> candidates);

// `did you mean 'johnson'?` or `one of: a, b, c`.
[[nodiscard]] std::string suggestion(std::string_view word, std::span<const std::string> candidates);

}  // namespace wavewright
