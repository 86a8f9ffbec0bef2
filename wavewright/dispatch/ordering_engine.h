// The ordering engine: decides the order in which waiting jobs are dispatched [ORDER §4.3].
#pragma once

#include <functional>
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

struct OrderingEngine {
  SlotPool pool;
  Objective objective = Objective::total_completion;  // one of `queue_objectives`
  OrderingMode mode = OrderingMode::sim;
  std::size_t search_up_to = 7;          // most jobs that `sim` searches [ORDER §5.3]; for more, the rule
  std::optional<OwnObjective> own = {};  // instead of `objective`
};

// Throws UsageError if `search_up_to` is more than the engine can search.
void check(const OrderingEngine& engine);

struct EngineOrder {
  std::vector<JobIndex> order;  // positions in `jobs`, first dispatched first
  bool searched = false;        // by simulation, not by the rule
  std::uint64_t evaluated = 0;  // orders simulated
};

// The order of the jobs that wait at `now`. A stopped search gives its best order so far.
[[nodiscard]] EngineOrder order_by_engine(const OrderingEngine& engine, std::span<const WaitingJob> jobs,
                                          Time now, const Stop& stop = Stop());

}  // namespace wavewright
