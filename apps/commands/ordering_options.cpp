#include "apps/commands/ordering_options.h"

#include <algorithm>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/choices.h"
#include "apps/whole_number.h"
#include "wavewright/core/error.h"
#include "wavewright/dispatch/planned_order.h"
#include "wavewright/dispatch/reorder_policy.h"
#include "wavewright/dispatch/search.h"
#include "wavewright/plan/methods/exhaustive.h"
#include "wavewright/plan/planner.h"

namespace wavewright::app {

namespace {

// The pool in the engine's model: the cluster's slots, or for each kind the containers that its memory holds.
SlotPool pool_for_ordering(const Cluster& cluster) {
  if (cluster.mode.kind == ClusterMode::Kind::slots) return cluster.total_slots();
  const Count memory = cluster.total_memory().count;
  return {memory / std::max<Count>(1, cluster.containers.map.memory.count),
          memory / std::max<Count>(1, cluster.containers.reduce.memory.count)};
}

std::string when_help(const std::string& when_default) {
  std::string text =
      fmt::format("when the waiting jobs are ordered and dispatched (default {}):", when_default);
  for (const ReorderPolicyEntry& entry : reorder_policies())
    text += "\n  " + entry.usage() + ": " + entry.description;
  return text;
}

std::string objective_help() {
  std::string text = "what they are ordered for (default total-completion):";
  for (const Objective objective : queue_objectives) {
    const ObjectiveEntry& entry = entry_of(objective);
    text += "\n  " + entry.name + ": " + entry.description;
  }
  return text;
}

std::string engine_help() {
  return fmt::format(
      "what orders them:"
      "\n  sim (default): every order of a few jobs is simulated; a rule for many"
      "\n  alg: always the rule"
      "\n  a method of 'wavewright plan --method', such as 'genetic(population=20)', which plans the first"
      " jobs of a large round: {}",
      fmt::join(ordering_methods(), ", "));
}

}  // namespace

void OrderingOptions::declare(CLI::App& command, const std::string& when_default) {
  offer_names(command.add_option("--when", when, when_help(when_default))->type_name("SPEC"),
              reorder_policies());
  std::vector<std::string> objectives;
  objectives.reserve(std::size(queue_objectives));
  for (const Objective each : queue_objectives) objectives.push_back(to_string(each));
  offer(command.add_option("--objective", objective, objective_help())->type_name("NAME"), objectives);
  offer(command.add_option("--engine", engine, engine_help())->type_name("NAME"), ordering_engines());
  command
      .add_option(
          "--search-up-to", search_up_to,
          fmt::format("jobs that sim and exhaustive take for a few (default 7; 0 to {})", most_searched))
      ->type_name("N")
      ->check(whole_number(0, most_searched));
  constexpr std::uint64_t most_of_a_round = 1'000'000;
  command
      .add_option("--evaluations", evaluations,
                  fmt::format("schedules that a method that searches may try for a round (default {}, fewer "
                              "where they would place more than {} tasks)",
                              usual_evaluations, round_placements))
      ->type_name("N")
      ->check(whole_number(1, most_of_a_round));
}

OrderingEngine OrderingOptions::engine_for(const Cluster& cluster, std::uint64_t seed) const {
  OrderingEngine made{.pool = pool_for_ordering(cluster),
                      .objective = parse_objective(objective, queue_objectives)};
  set_engine(made, engine);
  const std::shared_ptr<const Planner> method = made.planned ? planner(made.planned->method) : nullptr;
  const bool searches = method != nullptr && method->searches();
  if (evaluations > 0 && !searches)
    throw UsageError(
        fmt::format("--engine {} is no method that searches: --evaluations has no meaning with it", engine),
        "leave one of them out");
  if (made.planned) {
    made.planned->evaluations = evaluations;
    made.planned->seed = seed;
  }
  if (search_up_to < 0) return made;
  const bool to_the_end =
      method ? method->name() == make_exhaustive()->name() : made.mode == OrderingMode::sim;
  if (!to_the_end) {
    throw UsageError(
        fmt::format("--engine {} does not search all orders: --search-up-to has no meaning with it", engine),
        "leave one of them out");
  }
  made.search_up_to = static_cast<std::size_t>(search_up_to);
  return made;
}

}  // namespace wavewright::app
