#include "wavewright/rent/group_cost.h"

#include <algorithm>
#include <limits>

namespace wavewright {

GroupCosts::GroupCosts(const RentProblem& problem, GroupMachines machines)
    : problem_(problem),
      choice_(machines),
      largest_(std::min(problem.jobs.size(), static_cast<std::size_t>(problem.speeds.machines()))),
      work_{0} {
  for (const RentJob& job : problem.jobs) work_.push_back(work_.back() + job.work);
}

GroupCost GroupCosts::of(std::size_t first, std::size_t size) const {
  const Speeds& speeds = problem_.speeds;
  const std::size_t end = first + size;
  const auto later = static_cast<double>(jobs() - end);
  const double group_work = work_[end] - work_[first];
  const double rent = problem_.prices.rent * group_work;  // per machine
  const double delay = problem_.prices.delay * (group_work + problem_.jobs[end - 1].work * later);
  const auto cost = [&](Count m) { return (rent * static_cast<double>(m) + delay) / speeds.at(m); };
  const Count most = speeds.fastest(speeds.machines() / static_cast<Count>(size));
  if (choice_ == GroupMachines::forced) return {cost(most), most};
  GroupCost best{std::numeric_limits<double>::infinity(), 1};
  // More machines than the fastest number cost more and take longer.
  for (Count m = 1; m <= most; ++m) {
    const double each = cost(m);
    if (each < best.cost) best = {each, m};
  }
  return best;
}

}  // namespace wavewright
