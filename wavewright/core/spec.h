// A name with arguments, as policies, distributions and rounds of the dispatching queue are written:
// `fair(within=fifo, preempt=60s)`, `lognormal(9.95,1.68)`, `fifo`.
//
// Arguments are separated by commas, a parameter's name from its value by the first `=`. Neither counts
// inside of parentheses that are closed: `best(of(a, b), x=3)` has one argument and one parameter. Blanks
// around names and values are dropped; a comma may stand behind the last argument.
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

// Throws UsageError on what is not `name` or `name(argument, key=value, …)`. O(length).
[[nodiscard]] Spec parse_spec(std::string_view text);

// The parts between separators that stand outside of closed parentheses, blanks around them dropped; one part
// where there is none. O(length).
[[nodiscard]] std::vector<std::string> split_outside(std::string_view text, char separator);

// For errors: the text, cut where it is long.
[[nodiscard]] std::string shortened(std::string_view text);

}  // namespace wavewright
