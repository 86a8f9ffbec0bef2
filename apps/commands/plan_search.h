// The search of `wavewright plan` for one plan: of one method or of all, with the tasks in the better order.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/plan/planner.h"

namespace wavewright::app {

struct PlanSearch {
  std::shared_ptr<const Workload> listed;  // the batch, with tasks as listed
  SlotCluster cluster;
  Objective objective = Objective::makespan;
  std::string method;  // empty = all
  double within = 0;
  std::uint64_t evaluations = 0;  // 0 = some seconds' worth
  TaskOrder task_order = TaskOrder::longest_first;
  bool choose_order = false;                 // try the tasks as listed, too
  std::optional<Duration> limit = {};        // --time-limit
  std::optional<Duration> for_methods = {};  // the part of it that methods get
};

// The planning problem with the search's task order, and with tasks as listed for answers that name tasks.
[[nodiscard]] PlanningProblem problem_of(const PlanSearch& search, std::uint64_t seed);
[[nodiscard]] PlanningProblem listed_problem_of(const PlanSearch& search, const PlanningProblem& problem);

struct SearchWatch {
  const std::atomic<bool>* interrupted = nullptr;
  std::function<void(const std::string&)> progress = {};
};

// The plans of `search.method`, or of every method, with shared bounds; or the given plans, `made`. Equal
// searches and seeds give equal plans, unless there is a limit.
[[nodiscard]] std::vector<Plan> searched_plans(const PlanSearch& search, const PlanningProblem& problem,
                                               const SearchWatch& watch,
                                               std::optional<Plan> made = std::nullopt);

// The best plan of each seed, from `seed` on.
[[nodiscard]] std::vector<Plan> plans_of_seeds(const PlanSearch& search, std::uint64_t seed, Count searches,
                                               const SearchWatch& watch);

}  // namespace wavewright::app
