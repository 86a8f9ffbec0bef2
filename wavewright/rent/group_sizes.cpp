#include "wavewright/rent/group_sizes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/rent/group_cost.h"

namespace wavewright {

namespace {

// Of jobs `first` and later in groups of `size`.
double cost_of_rest(const GroupCosts& costs, std::size_t first, std::size_t size) {
  double cost = 0;
  for (; first < costs.jobs(); first += size) {
    cost += costs.of(first, std::min(size, costs.jobs() - first)).cost;
  }
  return cost;
}

std::size_t best_size(const GroupCosts& costs, std::size_t first) {
  std::size_t best = 1;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t size = 1; size <= std::min(costs.largest_group(), costs.jobs() - first); ++size) {
    const double cost = cost_of_rest(costs, first, size);
    if (cost < least) {
      least = cost;
      best = size;
    }
  }
  return best;
}

// Cuts the jobs into groups; `size_at(first)` is the size of the group that begins at `first`.
template <class SizeAt>
RentPlan cut(const RentProblem& problem, const GroupCosts& costs, SizeAt size_at) {
  std::vector<RentGroup> groups;
  for (std::size_t first = 0; first < costs.jobs();) {
    const std::size_t size = std::min(size_at(first), costs.jobs() - first);
    groups.push_back(equal_group(first, size, costs.of(first, size).machines));
    first += size;
  }
  return price_groups(problem, std::move(groups));
}

void refuse_long_search(const GroupCosts& costs, Count machines, GroupMachines choice) {
  const auto jobs = static_cast<double>(costs.jobs());
  const auto largest = static_cast<double>(costs.largest_group());
  const double steps = choice == GroupMachines::forced
                           ? jobs * largest
                           : jobs * static_cast<double>(machines) * (1 + std::log(largest));
  if (steps <= most_steps) return;
  throw UsageError(
      fmt::format("{} jobs on {} machines are too many for all group sizes", costs.jobs(), machines),
      "give fewer of either, or take one-size");
}

}  // namespace

RentPlan groups_of_size(const RentProblem& problem, std::size_t size, GroupMachines machines) {
  return cut(problem, GroupCosts(problem, machines), [size](std::size_t) { return size; });
}

RentPlan single_size(const RentProblem& problem, GroupMachines machines) {
  return groups_of_size(problem, best_size(GroupCosts(problem, machines), 0), machines);
}

RentPlan greedy_sizes(const RentProblem& problem, GroupMachines machines) {
  const GroupCosts costs(problem, machines);
  return cut(problem, costs, [&](std::size_t first) { return best_size(costs, first); });
}

RentPlan all_sizes(const RentProblem& problem, GroupMachines machines) {
  const GroupCosts costs(problem, machines);
  refuse_long_search(costs, problem.speeds.machines(), machines);
  const std::size_t jobs = costs.jobs();
  std::vector<double> least(jobs + 1, 0);     // of the jobs from here on
  std::vector<std::size_t> size_at(jobs, 1);  // of the group that begins here
  for (std::size_t first = jobs; first-- > 0;) {
    least[first] = std::numeric_limits<double>::infinity();
    for (std::size_t size = 1; size <= std::min(costs.largest_group(), jobs - first); ++size) {
      const double cost = costs.of(first, size).cost + least[first + size];
      if (cost < least[first]) {
        least[first] = cost;
        size_at[first] = size;
      }
    }
  }
  return cut(problem, costs, [&](std::size_t first) { return size_at[first]; });
}

}  // namespace wavewright
