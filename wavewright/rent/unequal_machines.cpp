#include "wavewright/rent/unequal_machines.h"

#include <algorithm>
#include <limits>

#include "wavewright/rent/any_order.h"
#include "wavewright/rent/improve_groups.h"

namespace wavewright {

namespace {

constexpr double unreachable = std::numeric_limits<double>::infinity();

// Of one job on m machines, without waits.
double own_cost(const RentProblem& problem, std::size_t job, Count m) {
  const double rate = problem.prices.rent * static_cast<double>(m) + problem.prices.delay;
  return problem.jobs[job].work * rate / problem.speeds.at(m);
}

double length(const RentProblem& problem, std::size_t job, Count m) {
  return problem.jobs[job].work / problem.speeds.at(m);
}

struct Choice {
  double cost = unreachable;
  std::vector<Count> machines;
};

// The least cost of the jobs where unreachable takes longer than `most`.
Choice within(const RentProblem& problem, const std::vector<std::size_t>& jobs, double most) {
  const auto all = static_cast<std::size_t>(problem.speeds.machines());
  std::vector<double> least(all + 1, 0);  // of the jobs so far, on at most so many machines
  std::vector<std::vector<Count>> taken;  // by job, by machines left
  for (const std::size_t job : jobs) {
    std::vector<double> with(all + 1, unreachable);
    std::vector<Count>& each = taken.emplace_back(all + 1, 0);
    for (std::size_t m = 1; m <= all; ++m) {
      if (length(problem, job, static_cast<Count>(m)) > most) continue;
      const double cost = own_cost(problem, job, static_cast<Count>(m));
      for (std::size_t room = m; room <= all; ++room) {
        if (least[room - m] + cost >= with[room]) continue;
        with[room] = least[room - m] + cost;
        each[room] = static_cast<Count>(m);
      }
    }
    least = std::move(with);
  }
  Choice choice{least[all], std::vector<Count>(jobs.size(), 0)};
  if (choice.cost == unreachable) return choice;
  std::size_t room = all;
  for (std::size_t i = jobs.size(); i-- > 0;) {
    choice.machines[i] = taken[i][room];
    room -= static_cast<std::size_t>(choice.machines[i]);
  }
  return choice;
}

double cost_of(const RentProblem& problem, const std::vector<std::size_t>& jobs, std::size_t later,
               const std::vector<Count>& machines) {
  double cost = 0;
  double longest = 0;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    cost += own_cost(problem, jobs[i], machines[i]);
    longest = std::max(longest, length(problem, jobs[i], machines[i]));
  }
  return cost + problem.prices.delay * static_cast<double>(later) * longest;
}

}  // namespace

std::vector<Count> unequal_machines_exact(const RentProblem& problem, const std::vector<std::size_t>& jobs,
                                          std::size_t later) {
  std::vector<double> lengths;
  for (const std::size_t job : jobs) {
    for (Count m = 1; m <= problem.speeds.machines(); ++m) lengths.push_back(length(problem, job, m));
  }
  std::ranges::sort(lengths);
  lengths.erase(std::ranges::unique(lengths).begin(), lengths.end());
  Choice best;
  for (const double most : lengths) {
    Choice choice = within(problem, jobs, most);
    choice.cost += problem.prices.delay * static_cast<double>(later) * most;
    if (choice.cost < best.cost) best = std::move(choice);
  }
  return best.machines;
}

std::vector<Count> unequal_machines_descent(const RentProblem& problem, const std::vector<std::size_t>& jobs,
                                            std::size_t later, std::vector<Count> machines) {
  Count room = problem.speeds.machines();
  for (const Count each : machines) room -= each;
  double best = cost_of(problem, jobs, later, machines);
  // `from` and `to` may be one past the last job: the machines that nobody has.
  const auto pays = [&](std::size_t from, std::size_t to) {
    if (from == to || (from < jobs.size() ? machines[from] < 2 : room < 1)) return false;
    std::vector<Count> changed = machines;
    if (from < jobs.size()) --changed[from];
    if (to < jobs.size()) ++changed[to];
    const double cost = cost_of(problem, jobs, later, changed);
    if (!(cost < best * (1 - 1e-12))) return false;
    room += (to == jobs.size() ? 1 : 0) - (from == jobs.size() ? 1 : 0);
    machines = std::move(changed);
    best = cost;
    return true;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t from = 0; from <= jobs.size(); ++from) {
      for (std::size_t to = 0; to <= jobs.size(); ++to) changed = pays(from, to) || changed;
    }
  }
  return machines;
}

RentPlan unequal_machines(const RentProblem& problem) {
  const RentPlan equal = any_order(problem);
  std::vector<RentGroup> groups = equal.groups;
  std::size_t later = problem.jobs.size();
  for (RentGroup& group : groups) {
    later -= group.jobs.size();
    const auto g = static_cast<double>(group.jobs.size());
    const auto all = static_cast<double>(problem.speeds.machines());
    group.machines = g * g * all * all * all <= most_exact_steps
                         ? unequal_machines_exact(problem, group.jobs, later)
                         : unequal_machines_descent(problem, group.jobs, later, group.machines);
  }
  const RentPlan plan = smith_order(problem, std::move(groups));
  return plan.cost < equal.cost ? plan : equal;
}

}  // namespace wavewright
