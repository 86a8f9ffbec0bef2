// The policies by name, and the plan of each.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/rent/problem.h"

namespace wavewright {

struct RentPolicy {
  std::string name;         // `greedy-sizes`
  std::string description;  // half a sentence
  std::function<RentPlan(const RentProblem&)> plan;
};

// The paper's first, then ours.
[[nodiscard]] const std::vector<RentPolicy>& rent_policies();

// Throws UsageError with the nearest name.
[[nodiscard]] const RentPolicy& find_rent_policy(std::string_view name);

}  // namespace wavewright
