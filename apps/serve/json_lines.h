// Jobs in the body of a request: JSON Lines, one JSON object over several lines, or an array of objects.
#pragma once

#include <string>
#include <string_view>

namespace wavewright::app {

// The same as JSON Lines. What is no JSON within an object stays so. Throws InputError where an array does
// not end, something follows it, or a comma is too many. O(bytes).
[[nodiscard]] std::string json_lines(std::string_view body);

}  // namespace wavewright::app
