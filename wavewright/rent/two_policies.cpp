#include "wavewright/rent/two_policies.h"

#include <algorithm>
#include <tuple>

#include "wavewright/rent/group_sizes.h"

namespace wavewright {

namespace {

template <class Measure>
RentPlan lesser(const RentProblem& problem, Measure measure) {
  const RentPlan one = dominance(problem);
  const RentPlan other = shared(problem);
  return measure(other) < measure(one) ? other : one;
}

}  // namespace

RentPlan dominance(const RentProblem& problem) {
  return groups_of_size(problem, 1);
}

RentPlan shared(const RentProblem& problem) {
  const auto machines = static_cast<std::size_t>(problem.speeds.machines());
  return groups_of_size(problem, std::min(problem.jobs.size(), machines));
}

RentPlan time_first(const RentProblem& problem) {
  return lesser(problem, [](const RentPlan& plan) { return std::tuple(plan.total_time, plan.machine_time); });
}

RentPlan price_first(const RentProblem& problem) {
  return lesser(problem, [](const RentPlan& plan) { return std::tuple(plan.machine_time, plan.total_time); });
}

RentPlan cheapest_first(const RentProblem& problem) {
  const Count all = problem.speeds.machines();
  const Count each = problem.speeds.cheapest(all);
  const auto size = static_cast<std::size_t>(all / each);
  std::vector<RentGroup> groups;
  for (std::size_t first = 0; first < problem.jobs.size(); first += size) {
    groups.push_back(equal_group(first, std::min(size, problem.jobs.size() - first), each));
  }
  return price_groups(problem, std::move(groups));
}

RentPlan policy_shifting(const RentProblem& problem) {
  return lesser(problem, [](const RentPlan& plan) { return plan.cost; });
}

}  // namespace wavewright
