#include "wavewright/dispatch/ordering_engine.h"

#include <numeric>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/dispatch/search.h"

namespace wavewright {

std::string to_string(OrderingMode mode) {
  return mode == OrderingMode::sim ? "sim" : "alg";
}

OrderingMode parse_ordering_mode(const std::string& text) {
  const std::vector<std::string> names = {"sim", "alg"};
  if (text == names[0]) return OrderingMode::sim;
  if (text == names[1]) return OrderingMode::alg;
  throw UsageError("unknown ordering engine '" + text + "'", suggestion(text, names));
}

void check(const OrderingEngine& engine) {
  const std::size_t most = most_jobs_searched(engine);
  if (engine.search_up_to <= most) return;
  throw UsageError(fmt::format("orders of {} jobs are too many to search for {}", engine.search_up_to,
                               engine.own ? "an objective of one's own" : to_string(engine.objective)),
                   fmt::format("search up to {} jobs at most", most));
}

EngineOrder order_by_engine(const OrderingEngine& engine, std::span<const WaitingJob> jobs, Time now,
                            const Stop& stop) {
  EngineOrder result;
  if (const OrderingRule rule = engine.own ? engine.own->rule : rule_of(engine.objective)) {
    result.order = rule(jobs, engine.pool);
  } else {
    result.order.resize(jobs.size());
    std::iota(result.order.begin(), result.order.end(), JobIndex{0});
  }
  if (engine.mode == OrderingMode::alg || jobs.size() > engine.search_up_to) return result;
  SearchedOrder best = search_orders(engine, jobs, now, result.order, stop);
  return {std::move(best.order), true, best.evaluated};
}

}  // namespace wavewright
