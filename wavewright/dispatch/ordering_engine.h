// The ordering engine: decides the order in which waiting jobs are dispatched [ORDER §4.3]. It is one of the
// paper's two, or any planner (dispatch/planned_order.h).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wavewright/core/stop.h"
#include "wavewright/dispatch/rules.h"
#include "wavewright/job/objective.h"

namespace wavewright {

enum class OrderingMode {
  sim,  // a search over all orders for a few jobs, the objective's rule for many
  alg,  // always the rule
};
// `sim`, `alg`; the second throws UsageError with the nearest name.
[[nodiscard]] std::string to_string(OrderingMode mode);
[[nodiscard]] OrderingMode parse_ordering_mode(const std::string& text);

// A program's own objective ("user's job ordering algorithms"). Smaller is better.
struct OwnObjective {
  std::function<double(std::span<const FinishedJob>)> value;
  OrderingRule rule = nullptr;  // null = order of arrival
};

// A planner orders the jobs; where it cannot, the objective's rule does (dispatch/planned_order.h).
struct PlannedBy {
  std::string method;             // as in `wavewright plan --method`: `genetic(population=20)`
  std::uint64_t evaluations = 0;  // schedules that a search may try for a round; 0 = as many as are quick
  std::uint64_t seed = 1;         // of each round

  friend bool operator==(const PlannedBy&, const PlannedBy&) = default;
};

struct OrderingEngine {
  SlotPool pool;
  Objective objective = Objective::total_completion;  // one of `queue_objectives`
  OrderingMode mode = OrderingMode::sim;
  // Most jobs that `sim` and the planner `exhaustive` search [ORDER §5.3]; the rule orders more.
  std::size_t search_up_to = 7;
  std::optional<OwnObjective> own = {};   // instead of `objective`
  std::optional<PlannedBy> planned = {};  // instead of `mode`
};

// Every engine by name: `sim`, `alg` and the planners that can order a queue.
[[nodiscard]] std::vector<std::string> ordering_engines();

// The engine as it is asked for: `sim`, `genetic(population=20)`.
[[nodiscard]] std::string engine_name(const OrderingEngine& engine);

// Sets `mode` or `planned` from such a text. Throws UsageError, with the nearest name where there is no such
// engine, or if its parameters are wrong.
void set_engine(OrderingEngine& engine, const std::string& text);

// Throws UsageError if `search_up_to` is more than the engine can search, or if the planner cannot order a
// queue for this objective.
void check(const OrderingEngine& engine);

struct EngineOrder {
  std::vector<JobIndex> order;  // positions in `jobs`, first dispatched first
  bool searched = false;        // by simulation or by a planner, not by the rule
  std::uint64_t evaluated = 0;  // orders simulated
};

// The order of the jobs that wait at `now`. A stopped search gives its best order so far.
[[nodiscard]] EngineOrder order_by_engine(const OrderingEngine& engine, std::span<const WaitingJob> jobs,
                                          Time now, const Stop& stop = Stop());

}  // namespace wavewright
