// Recognises job names that differ only in dates, numbers and ids: `etl-2026-11-20` is a run of `etl-*`.
#pragma once

#include <string>
#include <string_view>

namespace wavewright {

// Replaces dates, UUIDs, long hexadecimal ids and numbers by `*`; merges neighbours with the `-`, `_`, `:`,
// `.` between them. Numbers of one or two digits within a word (`word2vec`) stay. O(size).
[[nodiscard]] std::string name_pattern(std::string_view name);

// Does the pattern (`*` = any text) match the name? Ignores ASCII case. O(|pattern|·|name|) at worst.
[[nodiscard]] bool matches_pattern(std::string_view pattern, std::string_view name);

}  // namespace wavewright
