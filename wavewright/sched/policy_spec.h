// The string that names a policy: `fifo`, `plan(night.json)`, `mdasa(occupancy=0.8)`.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wavewright/sched/policy.h"

namespace wavewright {

struct PolicySpec {
  std::string name;
  std::vector<std::string> positional;                          // `night.json`
  std::vector<std::pair<std::string, std::string>> parameters;  // `occupancy` → `0.8`
};

// Throws UsageError on what is not `name` or `name(argument, key=value, …)`.
[[nodiscard]] PolicySpec parse_policy_spec(std::string_view text);

// One line of `--help`: how it is written and what it does.
struct PolicyEntry {
  std::string name;
  std::string usage;
  std::string description;
  std::unique_ptr<Allocator> (*make)(const PolicySpec& spec);
};

[[nodiscard]] const std::vector<PolicyEntry>& policy_entries();

// Throws UsageError with the nearest name, or what the policy's own factory throws.
[[nodiscard]] std::unique_ptr<Allocator> make_policy(std::string_view text);

}  // namespace wavewright
