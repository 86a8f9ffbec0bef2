// The counters of a Hadoop 0.20 / 1.x log: `{(group)(display)[(name)(display)(value)][…]}{…}`, and those of
// logs before 0.20, by what pages showed: `Map-Reduce Framework.Map output bytes:123,File Systems.HDFS bytes
// read:4`.
//
// In the first, a backslash stands before `( ) [ ] { }` and itself; the log's own escapes are already gone.
// Of the second, Hadoop's own groups are given the names that later versions have for the same counters.
// Notations as Hadoop's Counters.makeEscapedCompactString and makeCompactString write them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace wavewright::hadoop1 {

// Calls `each` for every counter (internal names); false when `text` is in neither notation, after the
// counters before the fault. O(length).
using CounterSink =
    std::function<void(const std::string& group, const std::string& name, std::int64_t value)>;
[[nodiscard]] bool parse_counters(std::string_view text, const CounterSink& each);

}  // namespace wavewright::hadoop1
