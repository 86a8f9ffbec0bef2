// Simulated annealing [Kirkpatrick et al. 1983] over priority rules of a batch
// (plan/schedule/priority_rule.h).
//
// It cools as slowly as evaluations or time allow. With more than about 10⁴ evaluations a job it runs several
// times, each from the best rule so far and most of them warmer. A move changes one or two due times of one
// stage, or a job's position in both stages; sometimes a job's steps; rarely a cap, a job's pool, the slots
// of two pools, or the number of pools. Rare moves make schedules slower to evaluate, so they are kept only
// if they improve at once. For the makespan a quarter of the moves change a job that ends late. A schedule is
// given up as soon as it is sure that it will not be accepted.
//
// One order for both stages is not enough: on nine jobs, the best two orders are 2.3 % better than the best
// one. Two orders are not enough either: if the tasks of a job differ much, jobs that yield in the middle are
// better by another 1 to 3 %.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "wavewright/core/random.h"
#include "wavewright/core/stop.h"
#include "wavewright/plan/schedule/priority_schedule.h"

namespace wavewright {

struct SearchLimits {
  std::uint64_t evaluations = 0;
  Duration target{};                           // the search ends at this value
  std::optional<Duration> other_at_most = {};  // of the other objective; some start must be within it
};

class Annealing {
 public:
  // Caps and pools make schedules slower to evaluate and are seldom better; steps matter if there are few
  // jobs. For the makespan, `due_times` mostly moves a job to another job's position in both stages, which is
  // better for small jobs; `all` mostly changes due times of maps.
  enum class Moves { due_times, all };

  // `schedule` must outlive the search. Equal seeds give equal searches.
  Annealing(PrioritySchedule& schedule, Objective objective, std::uint64_t seed, Moves moves = Moves::all);

  // Starts from the best of `starts` (one or more, for the batch of the schedule) and runs until a limit or
  // `stop`. Returns the best rule found.
  const PriorityRule& run(std::span<const PriorityRule> starts, const SearchLimits& limits, const Stop& stop);

  [[nodiscard]] const PriorityRule& best() const { return best_; }
  [[nodiscard]] PlanValue value() const { return best_value_; }
  [[nodiscard]] std::uint64_t evaluations() const { return evaluations_; }
  [[nodiscard]] bool stopped() const { return stopped_; }

 private:
  [[nodiscard]] double cost(PlanValue value) const;  // for the schedule evaluated last
  // The cost; if it is above `most`, any number above `most`.
  double evaluate(const PriorityRule& rule, double most = std::numeric_limits<double>::infinity());
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> limits_of(double most) const;
  [[nodiscard]] bool going_on(const SearchLimits& limits) const;
  void anneal(double warm, std::uint64_t until, const SearchLimits& limits, const Stop& stop);
  void find_late();
  [[nodiscard]] bool change(PriorityRule& rule);  // true: the new rule is slower to evaluate
  void change_place(PriorityRule& rule, std::size_t job);
  void change_due(PriorityRule::Stage& stage, std::size_t job);
  void change_steps(PriorityRule& rule, JobIndex job);
  [[nodiscard]] bool change_cap(PriorityRule& rule);
  void change_pools(PriorityRule& rule);
  void split(PriorityRule& rule);
  void shift_slots(PriorityRule& rule);
  void join_last(PriorityRule& rule);

  PrioritySchedule& schedule_;
  const Objective objective_;
  const Moves moves_;
  Random random_;
  double target_ = 1;  // ms: unit of costs
  double span_ = 1;    // ms: unit of changes of due times
  PriorityRule best_;
  PlanValue best_value_;
  bool has_best_ = false;
  std::int64_t other_at_most_ = no_time;
  std::uint64_t evaluations_ = 0;
  bool stopped_ = false;
  bool others_changed_ = true;     // the last change was not only of due times
  std::vector<std::size_t> late_;  // jobs that count in the cost of the makespan, in the current schedule
};

// The rule with due times from its own schedule: a job's map end for its maps; one due time for all reduces,
// so that the longest reduces go first. O(one schedule).
[[nodiscard]] PriorityRule with_slack(const PriorityRule& rule, PrioritySchedule& schedule);

// The rule without caps that do not improve its value. O(one schedule a cap), at most 10⁸ placed tasks.
[[nodiscard]] PriorityRule without_needless_caps(const PriorityRule& rule, PrioritySchedule& schedule,
                                                 Objective objective);

}  // namespace wavewright
