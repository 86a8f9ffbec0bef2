// The ordering engine: puts waiting jobs in the order in which they are to be dispatched [ORDER §4.3].
#pragma once

#include <span>
#include <string>
#include <vector>

#include "wavewright/plan/online/objective.h"
#include "wavewright/plan/online/search.h"

namespace wavewright {

enum class OrderingMode {
  sim,  // a search over all orders where the jobs are few, the objective's rule otherwise
  alg,  // always the rule
};
// `sim`, `alg`; the second throws UsageError with the nearest name.
[[nodiscard]] std::string to_string(OrderingMode mode);
[[nodiscard]] OrderingMode parse_ordering_mode(const std::string& text);

struct OrderingEngine {
  SlotPool pool;
  QueueObjective objective = queue_objective("total-completion");
  OrderingMode mode = OrderingMode::sim;
  std::size_t search_up_to = 7;  // jobs, of `sim` [ORDER §5.3]; above it the rule
};

// Throws UsageError where it is to search among more jobs than it can.
void check(const OrderingEngine& engine);

struct EngineOrder {
  std::vector<JobIndex> order;  // positions in `jobs`, first dispatched first
  bool searched = false;        // by simulation, not by the rule
  std::uint64_t evaluated = 0;  // orders simulated
};

// The waiting jobs as of `now`. The search is stopped when `stop` says so and gives its best so far.
[[nodiscard]] EngineOrder order_by_engine(const OrderingEngine& engine, std::span<const WaitingJob> jobs,
                                          Time now, const Stop& stop = Stop());

}  // namespace wavewright
