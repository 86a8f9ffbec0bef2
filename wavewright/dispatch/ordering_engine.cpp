#include "wavewright/dispatch/ordering_engine.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/core/parameters.h"
#include "wavewright/dispatch/planned_order.h"
#include "wavewright/dispatch/search.h"
#include "wavewright/plan/planner.h"

namespace wavewright {

namespace {

const std::vector<std::string>& ordering_modes() {
  static const std::vector<std::string> names = {to_string(OrderingMode::sim), to_string(OrderingMode::alg)};
  return names;
}

bool is_mode(const std::string& name) {
  return std::find(ordering_modes().begin(), ordering_modes().end(), name) != ordering_modes().end();
}

}  // namespace

std::string to_string(OrderingMode mode) {
  return mode == OrderingMode::sim ? "sim" : "alg";
}

OrderingMode parse_ordering_mode(const std::string& text) {
  if (!is_mode(text))
    throw UsageError("unknown ordering engine '" + text + "'", suggestion(text, ordering_modes()));
  return text == to_string(OrderingMode::sim) ? OrderingMode::sim : OrderingMode::alg;
}

std::vector<std::string> ordering_engines() {
  std::vector<std::string> names = ordering_modes();
  for (std::string& method : ordering_methods()) names.push_back(std::move(method));
  return names;
}

std::string engine_name(const OrderingEngine& engine) {
  return engine.planned ? engine.planned->method : to_string(engine.mode);
}

void set_engine(OrderingEngine& engine, const std::string& text) {
  const Spec spec = parse_spec(text);
  if (is_mode(spec.name)) {
    Parameters(spec, "engine '" + spec.name + "'", {}).finish();
    engine.mode = parse_ordering_mode(spec.name);
    engine.planned.reset();
    return;
  }
  const bool is_method = std::any_of(planners().begin(), planners().end(),
                                     [&](const auto& method) { return method->name() == spec.name; });
  if (!is_method)
    throw UsageError("unknown ordering engine '" + shortened(spec.name) + "'",
                     suggestion(spec.name, ordering_engines()));
  (void)planner(text);
  engine.planned = PlannedBy{.method = text};
}

void check(const OrderingEngine& engine) {
  if (engine.planned) check_planned(engine);
  const std::size_t most = most_jobs_searched(engine);
  if (engine.search_up_to <= most) return;
  throw UsageError(fmt::format("orders of {} jobs are too many to search for {}", engine.search_up_to,
                               engine.own ? "an objective of one's own" : to_string(engine.objective)),
                   fmt::format("search up to {} jobs at most", most));
}

EngineOrder order_by_engine(const OrderingEngine& engine, std::span<const WaitingJob> jobs, Time now,
                            const Stop& stop) {
  if (engine.planned) {
    if (std::optional<EngineOrder> planned = planned_order(engine, jobs, stop)) return std::move(*planned);
  }
  EngineOrder result;
  if (const OrderingRule rule = engine.own ? engine.own->rule : rule_of(engine.objective)) {
    result.order = rule(jobs, engine.pool);
  } else {
    result.order.resize(jobs.size());
    std::iota(result.order.begin(), result.order.end(), JobIndex{0});
  }
  const bool searches = !engine.planned && engine.mode == OrderingMode::sim;
  if (!searches || jobs.size() > engine.search_up_to) return result;
  SearchedOrder best = search_orders(engine, jobs, now, result.order, stop);
  return {std::move(best.order), true, best.evaluated};
}

}  // namespace wavewright
