// Several users of one pool: what each waits beside having the pool alone [CLOUD future work], and plans that
// weigh them or keep each from waiting too long.
//
// A user's time is, for the makespan, when the last of the user's jobs ends, from the workload's time 0; for
// total completion time Σ(finish − submit) over the user's jobs. Alone: of the best plan found for the user's
// jobs, and those that they wait for (`after`), with the whole pool and nobody else, or this one without the
// others. Slowdown = time / time alone, 1
// where that is 0.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/core/stop.h"
#include "wavewright/plan/planner.h"

namespace wavewright {

struct UserSettings {
  std::map<std::string, double> weights;  // by user, above 0; others have 1. Empty = not asked for
  std::optional<double> fair;             // most by which a time may be above that alone: 0.25 = 25 %

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
  Duration shared{};  // in the plan

  [[nodiscard]] double slowdown() const;
};

struct UserAnswer {
  Plan plan;                     // its method is `users`
  std::vector<UserTime> users;   // by name
  double weighted_ms = 0;        // Σ weight · (finish − submit)
  double weighted_bound_ms = 0;  // no plan has less; 0 where weights were not asked for
  // Of those who wait for longer than is fair, the one with the largest slowdown.
  std::optional<std::size_t> violated;
  // That no plan at all is fair (users whose jobs together cannot end in time); empty where nobody knows.
  std::string impossible;
};

// Users' times under a plan, and the sum with their weights. O(simulation).
[[nodiscard]] std::vector<UserTime> times_by_user(const Plan& plan, const PlanningProblem& problem,
                                                  const UserSettings& settings,
                                                  const std::map<std::string, Duration>& alone);

// By user. Plans each user's jobs with `best`, with a share of the evaluations. The batch's order counts.
[[nodiscard]] std::map<std::string, Duration> times_alone(const PlanningProblem& problem, const Stop& stop);

// Σ weight · (finish − submit).
[[nodiscard]] double weighted_completion(const Plan& plan, const PlanningProblem& problem,
                                         const UserSettings& settings);

// Why no plan can be fair, by the bounds: of the users who must be done by some instant all jobs take longer.
// Empty where they do not say so. O(users · bound).
[[nodiscard]] std::string fair_is_impossible(const PlanningProblem& problem, double fair,
                                             const std::map<std::string, Duration>& alone);

// Why it has no answer; empty = it has one.
[[nodiscard]] std::string refuses_users(const PlanningProblem& problem);

// Searches two orders (methods/late_acceptance.h) for the objective of `problem`, weighted where weights are
// given (total completion time only; UsageError otherwise, and naming a user that has no job), where every
// share of a time above what is fair costs more than the objective can gain. `plans` are known ones to begin
// with.
[[nodiscard]] UserAnswer make_user_plan(const PlanningProblem& problem, const UserSettings& settings,
                                        const std::vector<Plan>& plans, const Stop& stop);

}  // namespace wavewright
