// Search keys and identities of runs.
#pragma once

#include <string>
#include <string_view>

#include "wavewright/history/run.h"

namespace wavewright {

// The text with ASCII letters in lower case. A text of over 180 bytes becomes its beginning and a hash of all
// of it, so that it fits an index and stays distinct.
[[nodiscard]] std::string search_key(std::string_view text);

[[nodiscard]] std::string fold_case(std::string_view text);

// A 128-bit hash in 32 hexadecimal digits, equal on every machine. Not secure against attacks.
[[nodiscard]] std::string hash_text(std::string_view text);

// Does the whole text match the pattern, where `*` stands for any text? Case matters.
[[nodiscard]] bool matches(std::string_view text, std::string_view pattern);

// Converts a pattern with `*` for any text to a pattern for SQL's `like … escape '!'`.
[[nodiscard]] std::string like_pattern(std::string_view text);

// Identifies a run in any file: job id and submission. A hash of `content` replaces whichever is missing.
[[nodiscard]] std::string run_identity(const JobRun& run, std::string_view content);

}  // namespace wavewright
