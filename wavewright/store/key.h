// Texts to find runs by.
#pragma once

#include <string>
#include <string_view>

#include "wavewright/history/run.h"

namespace wavewright {

// ASCII letters in lower case; of a long text (over 180 bytes) its beginning and a hash of all of it, so that
// it fits an index and stays distinct.
[[nodiscard]] std::string search_key(std::string_view text);

// ASCII letters in lower case.
[[nodiscard]] std::string fold_case(std::string_view text);

// 128 bits of the text in 32 hexadecimal digits, equal on every machine. Against accidents, not attacks.
[[nodiscard]] std::string hash_text(std::string_view text);

// Whether the whole text matches a pattern in which `*` stands for any text; both are compared as they are.
[[nodiscard]] bool matches(std::string_view text, std::string_view pattern);

// A pattern for SQL's `like … escape '!'` from one in which `*` stands for any text.
[[nodiscard]] std::string like_pattern(std::string_view text);

// What makes a run the same run in another file: job id and time of submission, or a hash of `content` in
// place of the one it lacks.
[[nodiscard]] std::string run_identity(const JobRun& run, std::string_view content);

}  // namespace wavewright
