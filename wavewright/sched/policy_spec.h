// The string that names a policy: `fifo`, `plan(night.json)`, `fair(within=fifo)`, and, where slots have
// places, the placer that completes it: `fair+delay(3s)`.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

struct PolicySpec {
  std::string name;
  std::vector<std::string> positional;                          // `night.json`
  std::vector<std::pair<std::string, std::string>> parameters;  // `occupancy` → `0.8`
};

// Throws UsageError on what is not `name` or `name(argument, key=value, …)`.
[[nodiscard]] PolicySpec parse_policy_spec(std::string_view text);

// What a policy may know of the cluster before it starts.
struct PolicyContext {
  std::vector<Queue> queues;
  bool containers = false;  // jobs have application masters
};

// One line of `--help`: how it is written and what it does. Either an allocator or a placer.
struct PolicyEntry {
  std::string name;
  std::string usage;
  std::string description;
  std::unique_ptr<Allocator> (*allocator)(const PolicySpec& spec, const PolicyContext& context) = nullptr;
  std::unique_ptr<Placer> (*placer)(const PolicySpec& spec) = nullptr;
};

[[nodiscard]] const std::vector<PolicyEntry>& policy_entries();

// Throws UsageError with the nearest name, or what the policy's own factory throws.
[[nodiscard]] Policy make_policy(std::string_view text, const PolicyContext& context = {});

// Likewise for that cluster; UsageError where a placer needs places of blocks, which the cluster has not.
[[nodiscard]] Policy make_policy_on(std::string_view text, const Cluster& cluster);

}  // namespace wavewright
