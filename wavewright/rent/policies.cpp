#include "wavewright/rent/policies.h"

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/rent/any_order.h"
#include "wavewright/rent/group_sizes.h"
#include "wavewright/rent/two_policies.h"
#include "wavewright/rent/unequal_machines.h"

namespace wavewright {

namespace {

using Sizes = RentPlan (*)(const RentProblem&, GroupMachines);

auto with(Sizes sizes, GroupMachines machines) {
  return [sizes, machines](const RentProblem& problem) { return sizes(problem, machines); };
}

}  // namespace

const std::vector<RentPolicy>& rent_policies() {
  static const std::vector<RentPolicy> policies = {
      {"dominance", "all machines for one job after another", dominance},
      {"shared", "all jobs at once", shared},
      {"time-first", "the faster of these two", time_first},
      {"price-first", "the one with the lower rent", price_first},
      {"cheapest-first", "the cheapest machines for each job", cheapest_first},
      {"policy-shifting", "the one with the lower cost", policy_shifting},
      {"one-size", "groups of one size", with(single_size, GroupMachines::forced)},
      {"greedy-sizes", "a size for each group in turn", with(greedy_sizes, GroupMachines::forced)},
      {"all-sizes", "the best sizes", with(all_sizes, GroupMachines::forced)},
      {"one-size-free", "one size, machines free", with(single_size, GroupMachines::free)},
      {"greedy-sizes-free", "greedy, machines free", with(greedy_sizes, GroupMachines::free)},
      {"ascending", "best sizes, machines free", with(all_sizes, GroupMachines::free)},
      {"any-order", "the same in any order", with(any_order, GroupMachines::free)},
      {"unequal", "and unequal machines in a group", unequal_machines},
  };
  return policies;
}

const RentPolicy& find_rent_policy(std::string_view name) {
  std::vector<std::string> names;
  for (const RentPolicy& policy : rent_policies()) {
    if (policy.name == name) return policy;
    names.push_back(policy.name);
  }
  throw UsageError(fmt::format("unknown policy '{}'", name), suggestion(name, names));
}

}  // namespace wavewright
