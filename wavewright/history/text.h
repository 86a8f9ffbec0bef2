// Cleans texts of histories: the results are valid UTF-8, whatever the bytes were.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/core/time.h"
#include "wavewright/history/run.h"

namespace wavewright {

// Replaces invalid UTF-8 by U+FFFD and control characters by spaces; Lines::keep spares newlines and tabs.
// O(n).
enum class Lines { join, keep };
[[nodiscard]] std::string clean_text(std::string_view text, Lines lines = Lines::join);

// The whole text as a decimal number; absent if it is none or overflows.
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text);

// `/default-rack/host1`, `host1:8041`, `tracker_host1:localhost/127.0.0.1:4711` and `host1` give host1.
// `UNKNOWN` (a container that never ran) and an empty text give an empty host.
[[nodiscard]] std::string host_of(std::string_view name);

// `/default-rack` of `/default-rack/host1`; empty without a rack and for `/UNKNOWN/…`.
[[nodiscard]] std::string rack_of(std::string_view name);

// The hosts of a comma-separated list, each by host_of.
[[nodiscard]] std::vector<std::string> hosts_of(std::string_view names);

// Knows `MAP`, `REDUCE`, `SETUP`, `JOB_SETUP`, `CLEANUP`, `JOB_CLEANUP`, `TASK_CLEANUP`. For an empty or
// unknown type the letter in the task's id decides.
[[nodiscard]] TaskKind task_kind(std::string_view type, std::string_view task_id);

// The number after the last `_` of a task's or attempt's id; 0 if there is none.
[[nodiscard]] std::int32_t trailing_number(std::string_view id);

// `job_1_0001` of `task_1_0001_m_000000` or `attempt_1_0001_m_000000_0`; empty if it is neither.
[[nodiscard]] std::string job_of(std::string_view id);

}  // namespace wavewright
