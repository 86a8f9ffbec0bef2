// Job names that differ only in dates, numbers and ids: `etl-2026-11-20` is a run of `etl-*`.
#pragma once

#include <string>
#include <string_view>

namespace wavewright {

// The name with dates, UUIDs, long hexadecimal ids and numbers replaced by `*`, neighbours of which become
// one with the `-`, `_`, `:`, `.` between them. Numbers of one or two digits within a word (`word2vec`) stay.
// Unchanged where there is nothing to replace. O(size).
[[nodiscard]] std::string name_pattern(std::string_view name);

// Whether `*` in the pattern, standing for any text, makes it the name; ASCII case is ignored.
// O(|pattern|·|name|) at worst.
[[nodiscard]] bool matches_pattern(std::string_view pattern, std::string_view name);

}  // namespace wavewright
