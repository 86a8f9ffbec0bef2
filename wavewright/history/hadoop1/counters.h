// Parses the counters of a Hadoop 0.20 / 1.x log: `{(group)(display)[(name)(display)(value)][…]}{…}`. Logs
// before 0.20 use displayed names: `Map-Reduce Framework.Map output bytes:123,File Systems.HDFS bytes
// read:4`.
//
// In the first notation a backslash precedes `( ) [ ] { }` and itself; the log's own escapes are already
// removed. In the second one, Hadoop's own counters get the names of later versions. The notations are those
// of Hadoop's Counters.makeEscapedCompactString and makeCompactString.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace wavewright::hadoop1 {

// Calls `each` for every counter (internal names). False if `text` is in neither notation; counters before
// the fault have been reported. O(length).
using CounterSink =
    std::function<void(const std::string& group, const std::string& name, std::int64_t value)>;
[[nodiscard]] bool parse_counters(std::string_view text, const CounterSink& each);

}  // namespace wavewright::hadoop1
