// Search over rankings of a batch (plan/schedule/priority_rule.h): simulated annealing [Kirkpatrick et al.
// 1983] as slow as the evaluations or the time allowed let it be; where they allow more than some 10⁴ a job,
// several times, each from the best so far and most of them warmer. A move changes one or two due times of
// one stage, or a job's place in both, now and then a job's steps, and rarely a cap, a job's pool, the slots
// of two pools, or the number of pools; of these last only those that are better at once are kept, for they
// make schedules slower to value.
//
// One order for both stages is not enough: on nine jobs the best two are 2.3 % better than the best one. Nor
// are two: where a job's tasks differ much, jobs that give way in the middle are 1 to 3 % better again.
#pragma once

#include <cstdint>
#include <span>

#include "wavewright/core/random.h"
#include "wavewright/core/stop.h"
#include "wavewright/plan/schedule/priority_schedule.h"

namespace wavewright {

struct SearchLimits {
  std::uint64_t evaluations = 0;  // at most so many
  Duration target{};              // enough: nothing is below it
};

class Annealing {
 public:
  // What it changes. Caps and pools make schedules slower to value, and seldom better; steps matter where
  // jobs are few. For the makespan due times alone are mostly changed in both stages at once, to another
  // job's: better where jobs are small; with all moves mostly those of maps.
  enum class Moves { due_times, all };

  // `schedule` must outlive it. Equal seeds give equal searches.
  Annealing(PrioritySchedule& schedule, Objective objective, std::uint64_t seed, Moves moves = Moves::all);

  // From the best of `starts` (one or more, of the batch of the schedule), until a limit is met or `stop`
  // says so: the best that it has found.
  const PriorityRule& run(std::span<const PriorityRule> starts, const SearchLimits& limits, const Stop& stop);

  [[nodiscard]] const PriorityRule& best() const { return best_; }
  [[nodiscard]] Value value() const { return best_value_; }
  [[nodiscard]] std::uint64_t evaluations() const { return evaluations_; }
  [[nodiscard]] bool stopped() const { return stopped_; }

 private:
  [[nodiscard]] double cost(Value value) const;  // of the schedule that was looked at last
  double evaluate(const PriorityRule& rule);
  [[nodiscard]] bool going_on(const SearchLimits& limits) const;
  void anneal(double warm, std::uint64_t until, const SearchLimits& limits, const Stop& stop);
  [[nodiscard]] bool change(PriorityRule& rule);  // whether to one that is slower to value
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
  double target_ = 1;  // ms: what costs are measured in
  double span_ = 1;    // ms: of the makespan, what due times are moved by
  PriorityRule best_;
  Value best_value_;
  std::uint64_t evaluations_ = 0;
  bool stopped_ = false;
};

// The same jobs with due times from the schedule of `ranking`: the end of a job's maps where it was, and one
// for all reduces, so that the longest go first. O(one schedule).
[[nodiscard]] PriorityRule with_slack(const PriorityRule& rule, PrioritySchedule& schedule);

// Without the caps that its value does not need. O(one schedule a cap); nothing is tried for more than some
// seconds' worth of tasks.
[[nodiscard]] PriorityRule without_needless_caps(const PriorityRule& rule, PrioritySchedule& schedule,
                                                 Objective objective);

}  // namespace wavewright
