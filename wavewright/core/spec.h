// A name with arguments. Policies, distributions and the queue's rounds are written so: `fair(within=fifo,
// preempt=60s)`, `lognormal(9.95,1.68)`, `fifo`.
//
// Commas separate arguments; the first `=` separates a parameter's name from its value. Neither counts inside
// closed parentheses: `best(of(a, b), x=3)` has one argument and one parameter. Blanks around names and
// values are dropped; a trailing comma is allowed.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wavewright {

struct Spec {
  std::string name;
  std::vector<std::string> positional;                          // `night.json`
  std::vector<std::pair<std::string, std::string>> parameters;  // `occupancy` → `0.8`
};

// Throws UsageError if the text is not `name` or `name(argument, key=value, …)`. O(length).
[[nodiscard]] Spec parse_spec(std::string_view text);

// Splits at separators outside of closed parentheses and trims blanks; at least one part. O(length).
[[nodiscard]] std::vector<std::string> split_outside(std::string_view text, char separator);

// For errors: cuts a long text.
[[nodiscard]] std::string shortened(std::string_view text);

}  // namespace wavewright
