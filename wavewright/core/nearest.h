// The known word that a mistyped one was probably meant to be.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace wavewright {

// The candidate of smallest edit distance (insertions, deletions, substitutions and swaps of neighbours),
// if it is at most a third of the word's length, and at least one edit is allowed. O(|word|·Σ|candidate|).
[[nodiscard]] std::optional<std::string> nearest(std::string_view word,
                                                 std::span<const std::string> candidates);

// `did you mean 'johnson'?` or `one of: a, b, c`.
[[nodiscard]] std::string suggestion(std::string_view word, std::span<const std::string> candidates);

}  // namespace wavewright
