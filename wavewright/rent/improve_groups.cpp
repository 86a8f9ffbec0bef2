#include "wavewright/rent/improve_groups.h"

#include <algorithm>
#include <utility>

#include "wavewright/rent/any_order.h"

namespace wavewright {

namespace {

double length_of(const RentProblem& problem, const RentGroup& group) {
  double length = 0;
  for (std::size_t i = 0; i < group.jobs.size(); ++i) {
    length = std::max(length, problem.jobs[group.jobs[i]].work / problem.speeds.at(group.machines[i]));
  }
  return length;
}

class Improvement {
 public:
  Improvement(const RentProblem& problem, RentPlan plan, GroupMachines machines)
      : problem_(problem),
        best_(std::move(plan)),
        choice_(machines),
        most_tries_(most_priced_jobs / problem.jobs.size()) {}

  RentPlan run() {
    take(best_.groups);
    while (tries_ < most_tries_ && (other_machines() || merge() || split() || move_job())) {
    }
    return std::move(best_);
  }

 private:
  // Keeps the groups if they cost less.
  bool take(std::vector<RentGroup> groups) {
    ++tries_;
    std::erase_if(groups, [](const RentGroup& group) { return group.jobs.empty(); });
    RentPlan plan = smith_order(problem_, std::move(groups));
    if (plan.cost >= best_.cost * (1 - 1e-12)) return false;
    best_ = std::move(plan);
    return true;
  }

  void set_machines(RentGroup& group, Count wanted) const {
    const Count room = problem_.speeds.machines() / static_cast<Count>(group.jobs.size());
    const Count most = problem_.speeds.fastest(room);
    group.machines.assign(group.jobs.size(),
                          choice_ == GroupMachines::forced ? most : std::min(wanted, most));
  }

  bool other_machines() {
    if (choice_ == GroupMachines::forced) return false;
    for (std::size_t g = 0; g < best_.groups.size() && tries_ < most_tries_; ++g) {
      const Count now = best_.groups[g].machines.front();
      for (const Count wanted : {now - 1, now + 1, now / 2, now * 2}) {
        if (wanted < 1) continue;
        std::vector<RentGroup> groups = best_.groups;
        set_machines(groups[g], wanted);
        if (take(std::move(groups))) return true;
      }
    }
    return false;
  }

  bool merge() {
    const auto all = static_cast<std::size_t>(problem_.speeds.machines());
    for (std::size_t g = 0; g + 1 < best_.groups.size() && tries_ < most_tries_; ++g) {
      std::vector<RentGroup> groups = best_.groups;
      RentGroup& one = groups[g];
      RentGroup& other = groups[g + 1];
      if (one.jobs.size() + other.jobs.size() > all) continue;
      one.jobs.insert(one.jobs.end(), other.jobs.begin(), other.jobs.end());
      other.jobs.clear();
      set_machines(one, one.machines.front());
      if (take(std::move(groups))) return true;
    }
    return false;
  }

  // Into its larger and its smaller jobs.
  bool split() {
    for (std::size_t g = 0; g < best_.groups.size() && tries_ < most_tries_; ++g) {
      const std::size_t size = best_.groups[g].jobs.size();
      for (std::size_t cut = 1; cut < size && tries_ < most_tries_; ++cut) {
        std::vector<RentGroup> groups = best_.groups;
        RentGroup& small = groups[g];
        std::ranges::sort(small.jobs);
        const auto at = small.jobs.begin() + static_cast<std::ptrdiff_t>(cut);
        RentGroup large{{at, small.jobs.end()}, {}};
        small.jobs.erase(at, small.jobs.end());
        const Count machines = small.machines.front() * 2;
        set_machines(small, machines);
        set_machines(large, machines);
        groups.push_back(std::move(large));
        if (take(std::move(groups))) return true;
      }
    }
    return false;
  }

  bool move_job() {
    const auto all = static_cast<std::size_t>(problem_.speeds.machines());
    for (std::size_t from = 0; from < best_.groups.size(); ++from) {
      for (std::size_t to = 0; to < best_.groups.size(); ++to) {
        if (to == from || best_.groups[to].jobs.size() == all) continue;
        for (std::size_t i = 0; i < best_.groups[from].jobs.size(); ++i) {
          if (tries_ >= most_tries_) return false;
          std::vector<RentGroup> groups = best_.groups;
          groups[to].jobs.push_back(groups[from].jobs[i]);
          groups[from].jobs.erase(groups[from].jobs.begin() + static_cast<std::ptrdiff_t>(i));
          set_machines(groups[to], groups[to].machines.front());
          if (!groups[from].jobs.empty()) set_machines(groups[from], groups[from].machines.front());
          if (take(std::move(groups))) return true;
        }
      }
    }
    return false;
  }

  const RentProblem& problem_;
  RentPlan best_;
  GroupMachines choice_;
  std::size_t most_tries_;
  std::size_t tries_ = 0;
};

}  // namespace

RentPlan smith_order(const RentProblem& problem, std::vector<RentGroup> groups) {
  std::vector<std::pair<double, std::size_t>> order;
  order.reserve(groups.size());
  for (const RentGroup& group : groups) {
    order.emplace_back(length_of(problem, group) / static_cast<double>(group.jobs.size()), order.size());
  }
  std::ranges::sort(order);
  std::vector<RentGroup> sorted;
  sorted.reserve(groups.size());
  for (const auto& [ratio, g] : order) sorted.push_back(std::move(groups[g]));
  return price_groups(problem, std::move(sorted));
}

RentPlan improve_groups(const RentProblem& problem, RentPlan plan, GroupMachines machines) {
  return Improvement(problem, std::move(plan), machines).run();
}

}  // namespace wavewright
