// Formats numbers for readers of the report.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/core/time.h"

namespace wavewright::report {

[[nodiscard]] std::string duration_text(Duration duration);  // `0`, `8min`, `1h30m`
[[nodiscard]] std::string change_text(Duration change);      // `−19min`, `+250ms`, `0`
[[nodiscard]] std::string percent_text(double ratio);        // 0.031 → `3.1 %`, 0.23 → `23 %`
[[nodiscard]] std::string probability_text(double share);  // 0.9234 → `92.3 %`; 0 % and 100 % only of 0 and 1
[[nodiscard]] std::string percent_above_text(double ratio);             // likewise, rounded up: for `at most`
[[nodiscard]] std::string percent_change_text(double ratio);            // `−23 %`, `+4.0 %`, `0 %`
[[nodiscard]] std::string count_text(Count count);                      // `233,920`
[[nodiscard]] std::string counted(Count count, std::string_view noun);  // `1 job`, `1,000 jobs`
// `1 failed, 2 rejected`: the counts that are not 0, each before its word.
[[nodiscard]] std::string list_counts(const std::vector<std::pair<Count, std::string_view>>& counts);
// Three digits, thousands separated: `0.0123`, `4.56`, `12,346`.
[[nodiscard]] std::string mean_count_text(double mean);  // of whole numbers: `4`, `4.7`
[[nodiscard]] std::string decimal_text(double value);
inline constexpr double joules_per_kwh = 3'600'000;
[[nodiscard]] std::string energy_text(double joules);          // `4.56 kWh`
[[nodiscard]] std::string money_text(double usd);              // `0.0123 USD`
[[nodiscard]] std::string capitalised(std::string_view text);  // the first letter, if it is ASCII

// (value − base) / base; 0 if base is 0.
[[nodiscard]] double relative(Duration value, Duration base);

}  // namespace wavewright::report
