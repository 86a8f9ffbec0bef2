// A planner as the ordering engine: the jobs of a round are a batch, and go in the order of its plan.
//
// The model is that of SIM (dispatch/search.h). A search tries so many schedules that they place
// `round_placements` tasks, so a round takes some milliseconds and its order does not depend on a clock. Of a
// round that is too large for that the first jobs by the objective's rule are planned, and the others follow
// by the rule: what starts soon is planned, and the later ones come into another round if jobs drift. A
// search never gives an order that is worse than Johnson's and shortest first. No bound is proved beyond a
// quick one. Methods that divide the slots into pools are refused. Where `best` does so, the jobs go in the
// order in which its plan starts them; caps and turns are left out.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wavewright/core/stop.h"
#include "wavewright/dispatch/ordering_engine.h"

namespace wavewright {

inline constexpr std::uint64_t round_placements = 200'000;
// Schedules of a search: at most so many unless others are asked for; for fewer the round is too large.
inline constexpr std::uint64_t usual_evaluations = 1'000, least_evaluations = 20;
// Tasks and jobs of the first part of a round that is too large: for a search, for a method that makes one
// order. Beside the rest of a decision with 10,000 waiting jobs its plan is to take little time.
inline constexpr std::uint64_t first_searched = 2'000, first_ordered = 20'000;

// The methods that can order a queue, by name, in the order of planners().
[[nodiscard]] std::vector<std::string> ordering_methods();

// Throws UsageError unless `engine.planned` names one of them, and the objective is one of
// `planned_objectives`.
void check_planned(const OrderingEngine& engine);

// The order of the planner that `engine.planned` names. Absent where the rule has to order the round:
// - it has no tasks, or tasks for which the pool has no slot;
// - `exhaustive` has more than `search_up_to` jobs;
// - it is too large (more than 10,000 tasks and jobs for a search, 200,000 for other methods), and of its
//   first jobs by the rule fewer than two are small enough for `first_searched` or `first_ordered`;
// - the planner refuses it.
// O(tasks) for a method that does not search; else O(evaluations · tasks).
[[nodiscard]] std::optional<EngineOrder> planned_order(const OrderingEngine& engine,
                                                       std::span<const WaitingJob> jobs, const Stop& stop);

}  // namespace wavewright
