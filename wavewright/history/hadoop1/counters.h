// The counters of a Hadoop 0.20 / 1.x log: `{(group)(display)[(name)(display)(value)][…]}{…}`.
//
// Inside a name, a backslash stands before `( ) [ ] { }` and itself; the log's own escapes are already gone.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace wavewright::hadoop1 {

// Calls `each` for every counter (internal names); false when `text` is not in this notation, after the
// counters before the fault. O(length).
using CounterSink =
    std::function<void(const std::string& group, const std::string& name, std::int64_t value)>;
[[nodiscard]] bool parse_counters(std::string_view text, const CounterSink& each);

}  // namespace wavewright::hadoop1
