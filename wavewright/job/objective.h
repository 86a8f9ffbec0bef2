// The objective of a schedule, for planners and for the dispatching queue. Smaller is better.
//
//   makespan             max finish                     from the workload's time 0
//   total-completion     Σ (finish − submit)            the total flow time
//   weighted-completion  Σ weight · (finish − submit)   the weight is the job's cost of delay
//   max-lateness         max (finish − deadline)        over jobs with a deadline; negative if all are early
//   total-tardiness      Σ max(0, finish − deadline)    over jobs with a deadline
//   cost                 money paid for machines        USD
//   energy               energy used by machines        J
//
// To add one: a kind, a row of the table and a case of `value_of` in objective.cpp. A planner or queue that
// can optimise it lists it (`planned_objectives`, `queue_objectives` of dispatch/rules.h).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "wavewright/core/money.h"
#include "wavewright/core/time.h"

namespace wavewright {

struct Job;

struct Objective {
  enum class Kind : std::uint8_t { makespan, completion, lateness, tardiness, cost, energy };
  enum class Weights : std::uint8_t { equal, delay_cost };

  Kind kind = Kind::makespan;
  Weights weights = Weights::equal;  // of jobs, if the kind is a sum over jobs

  static const Objective makespan, total_completion, weighted_completion, max_lateness, total_tardiness, cost,
      energy;

  friend bool operator==(const Objective&, const Objective&) = default;
};

inline constexpr Objective Objective::makespan{};
inline constexpr Objective Objective::total_completion{Kind::completion, Weights::equal};
inline constexpr Objective Objective::weighted_completion{Kind::completion, Weights::delay_cost};
inline constexpr Objective Objective::max_lateness{Kind::lateness, Weights::equal};
inline constexpr Objective Objective::total_tardiness{Kind::tardiness, Weights::equal};
inline constexpr Objective Objective::cost{Kind::cost, Weights::equal};
inline constexpr Objective Objective::energy{Kind::energy, Weights::equal};

// Objectives that planners support and plan files may name.
inline constexpr std::array planned_objectives{Objective::makespan, Objective::total_completion};
[[nodiscard]] bool is_planned(Objective objective);
[[noreturn]] void refuse_unplanned(Objective objective);  // throws InternalError

// The value under a planned objective; throws InternalError for any other.
[[nodiscard]] inline Duration planned_value(Objective objective, Duration makespan,
                                            Duration total_completion) {
  if (objective == Objective::makespan) return makespan;
  if (objective == Objective::total_completion) return total_completion;
  refuse_unplanned(objective);
}

struct ObjectiveEntry {
  Objective objective;
  std::string name;         // as in `--objective`
  std::string description;  // one line of `--help`
  std::string unit;         // of the value
};
[[nodiscard]] std::span<const ObjectiveEntry> objectives();

// Throws InternalError if this combination of kind and weights has no name.
[[nodiscard]] const ObjectiveEntry& entry_of(Objective objective);
[[nodiscard]] std::string to_string(Objective objective);

// Throws UsageError with the nearest name unless `name` is one of `among`.
[[nodiscard]] Objective parse_objective(const std::string& name,
                                        std::span<const Objective> among = planned_objectives);

// A finished job as an objective sees it. All times are on one clock.
struct FinishedJob {
  Time submit{};
  Time finish{};
  std::optional<Time> deadline = std::nullopt;
  double weight = 1;  // cost of delay; above 0
};

struct ScheduleOutcome {
  std::span<const FinishedJob> jobs;
  Money cost{};
  double energy_j = 0;
};

// Times in ms. O(jobs).
[[nodiscard]] double value_of(Objective objective, const ScheduleOutcome& outcome);

// `delay_cost_per_s` of the job; 1 if it has none above 0.
[[nodiscard]] double delay_weight(const Job& job);

}  // namespace wavewright
