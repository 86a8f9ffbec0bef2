// Suggests the known word that a mistyped word probably means.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wavewright {

// The candidate of smallest edit distance (insertions, deletions, substitutions and swaps of neighbours). The
// distance must be at most a third of the word's length; one edit is always allowed. O(|word|·Σ|candidate|).
[[nodiscard]] std::optional<std::string> nearest(std::string_view word,
                                                 std::span<const std::string> candidates);

// Candidates within that distance, each once, the closest first, at most `most`; equally close ones in the
// order given.
[[nodiscard]] std::vector<std::string> near_matches(std::string_view word,
                                                    std::span<const std::string> candidates,
                                                    std::size_t most);

// `did you mean 'johnson'?` or `one of: a b c`; of very many candidates only some.
[[nodiscard]] std::string suggestion(std::string_view word, std::span<const std::string> candidates);

}  // namespace wavewright
