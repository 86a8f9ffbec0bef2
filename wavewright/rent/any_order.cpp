#include "wavewright/rent/any_order.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "wavewright/rent/improve_groups.h"

namespace wavewright {

namespace {

using Set = std::uint32_t;

std::vector<std::size_t> members(Set set) {
  std::vector<std::size_t> jobs;
  for (; set != 0; set &= set - 1) jobs.push_back(static_cast<std::size_t>(std::countr_zero(set)));
  return jobs;
}

// What a set of jobs costs as the next group.
class SetCosts {
 public:
  SetCosts(const RentProblem& problem, GroupMachines machines) : problem_(problem), choice_(machines) {
    work_.resize(std::size_t{1} << problem.jobs.size(), 0);
    for (Set set = 1; set < work_.size(); ++set) {
      const Set rest = set & (set - 1);
      work_[set] = work_[rest] + problem.jobs[static_cast<std::size_t>(std::countr_zero(set))].work;
    }
  }

  // `later` jobs wait for it.
  [[nodiscard]] std::pair<double, Count> of(Set group, int later) const {
    const auto largest = static_cast<std::size_t>(std::bit_width(group) - 1);  // jobs ascend by work
    const double waits = problem_.jobs[largest].work * later;
    const Count most = problem_.speeds.fastest(problem_.speeds.machines() / std::popcount(group));
    std::pair<double, Count> best{std::numeric_limits<double>::infinity(), 1};
    for (Count m = choice_ == GroupMachines::free ? 1 : most; m <= most; ++m) {
      const double rent = problem_.prices.rent * work_[group] * static_cast<double>(m);
      const double cost = (rent + problem_.prices.delay * (work_[group] + waits)) / problem_.speeds.at(m);
      if (cost < best.first) best = {cost, m};
    }
    return best;
  }

 private:
  const RentProblem& problem_;
  GroupMachines choice_;
  std::vector<double> work_;
};

RentPlan exact(const RentProblem& problem, GroupMachines machines) {
  const SetCosts costs(problem, machines);
  const Set all = (Set{1} << problem.jobs.size()) - 1;
  std::vector<double> least(std::size_t{all} + 1, 0);
  std::vector<Set> next(std::size_t{all} + 1, 0);
  for (Set left = 1; left <= all; ++left) {
    least[left] = std::numeric_limits<double>::infinity();
    for (Set group = left; group != 0; group = (group - 1) & left) {
      if (std::popcount(group) > problem.speeds.machines()) continue;
      const Set after = left & ~group;
      const double cost = costs.of(group, std::popcount(after)).first + least[after];
      if (cost < least[left]) {
        least[left] = cost;
        next[left] = group;
      }
    }
  }
  std::vector<RentGroup> groups;
  for (Set left = all; left != 0;) {
    const Set group = next[left];
    left &= ~group;
    std::vector<std::size_t> jobs = members(group);
    std::vector<Count> each(jobs.size(), costs.of(group, std::popcount(left)).second);
    groups.push_back({std::move(jobs), std::move(each)});
  }
  return price_groups(problem, std::move(groups));
}

}  // namespace

RentPlan any_order(const RentProblem& problem, GroupMachines machines) {
  if (problem.jobs.size() <= most_exact_jobs) return exact(problem, machines);
  return improve_groups(problem, all_sizes(problem, machines), machines);
}

}  // namespace wavewright
