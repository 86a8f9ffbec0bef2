// Several users of one pool: each user's waiting time compared with having the pool alone [CLOUD future
// work], and plans with weights or a limit on that waiting time.
//
// A user's time is the end of the user's last job (makespan, from the workload's time 0), or Σ(finish −
// submit) over the user's jobs (total completion time). The time alone comes from the best plan found for the
// user's jobs and their predecessors (`after`) on the whole pool; it is at most the time in the shared plan.
// Slowdown = time / time alone, 1 if the latter is 0.
#pragma once

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/core/stop.h"
#include "wavewright/plan/planner.h"

namespace wavewright {

struct UserSettings {
  std::map<std::string, double> weights;  // by user, above 0; 1 for others. Empty = no weights
  std::optional<double> fair;             // limit of slowdown − 1: 0.25 = 25 %

  [[nodiscard]] double weight_of(const std::string& user) const {
    const auto found = weights.find(user);
    return found == weights.end() ? 1 : found->second;
  }
};

struct UserTime {
  std::string user;  // empty = jobs without one
  Count jobs = 0;
  double weight = 1;
  Duration alone{};
  Duration shared{};  // time in the plan

  [[nodiscard]] double slowdown() const;
};

struct UserAnswer {
  Plan plan;                     // its method is `users`
  std::vector<UserTime> users;   // by name
  double weighted_ms = 0;        // Σ weight · (finish − submit)
  double weighted_bound_ms = 0;  // lower bound, at most weighted_ms; 0 without weights
  // The user with the largest slowdown above the limit; empty = the plan is fair.
  std::optional<std::size_t> violated;
  // Proof that no plan is fair: users whose jobs together cannot end in time. Empty if there is no proof.
  std::string impossible;

  // True if the plan is proved to have the least weighted completion time.
  [[nodiscard]] bool weighted_is_optimal() const {
    return weighted_ms > 0 && weighted_bound_ms >= weighted_ms;
  }
  // The bound in whole ms: rounded down, or as weighted_ms is rounded if they are equal.
  [[nodiscard]] Duration shown_weighted_bound() const {
    return ms(weighted_is_optimal() ? std::llround(weighted_ms)
                                    : static_cast<std::int64_t>(weighted_bound_ms));
  }
};

// Each user's time under a plan. O(simulation).
[[nodiscard]] std::vector<UserTime> times_by_user(const Plan& plan, const PlanningProblem& problem,
                                                  const UserSettings& settings,
                                                  const std::map<std::string, Duration>& alone);

// Time alone by user: plans each user's jobs with `best`, 2,000 evaluations or the problem's, at most 20,000.
[[nodiscard]] std::map<std::string, Duration> times_alone(const PlanningProblem& problem, const Stop& stop);

// Σ weight · (finish − submit).
[[nodiscard]] double weighted_completion(const Plan& plan, const PlanningProblem& problem,
                                         const UserSettings& settings);

// The reason why no plan can be fair, by lower bounds: the users with the tightest limits need longer
// together. Empty if the bounds do not prove it. O(users · bound).
[[nodiscard]] std::string fair_is_impossible(const PlanningProblem& problem, double fair,
                                             const std::map<std::string, Duration>& alone);

// Searches two orders (methods/late_acceptance.h) and, for up to 20 jobs, priority rules (rule_search.h) for
// the objective of `problem`, weighted if weights are given. A large penalty is added for time above the fair
// limit. With weights, the search takes three tenths of a time limit; the rest is for the bound: the
// time-window bound for up to 10 jobs without `after` (bounds/time_window/window_bound.h), otherwise the one
// of bounds/completion_bound.h. Throws UsageError for weights without total completion time, and for a user
// without jobs. `plans`: known plans to start from.
[[nodiscard]] UserAnswer make_user_plan(const PlanningProblem& problem, const UserSettings& settings,
                                        const std::vector<Plan>& plans, const Stop& stop);

}  // namespace wavewright
