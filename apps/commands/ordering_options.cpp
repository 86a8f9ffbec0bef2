#include "apps/commands/ordering_options.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "apps/choices.h"
#include "apps/whole_number.h"
#include "wavewright/core/error.h"
#include "wavewright/dispatch/reorder_policy.h"
#include "wavewright/dispatch/search.h"

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

}  // namespace

void OrderingOptions::declare(CLI::App& command, const std::string& when_default) {
  offer_names(command.add_option("--when", when, when_help(when_default))->type_name("SPEC"),
              reorder_policies());
  std::vector<std::string> objectives;
  objectives.reserve(std::size(queue_objectives));
  for (const Objective each : queue_objectives) objectives.push_back(to_string(each));
  offer(command.add_option("--objective", objective, objective_help())->type_name("NAME"), objectives);
  auto* option = command.add_option(
      "--engine", engine,
      "sim (default): simulate every order of a few jobs, a rule for many; alg: always the rule");
  offer(option->type_name("NAME"), {"sim", "alg"});
  command
      .add_option("--search-up-to", search_up_to,
                  fmt::format("jobs that sim takes for a few (default 7; 0 to {})", most_searched))
      ->type_name("N")
      ->check(whole_number(0, most_searched));
}

OrderingEngine OrderingOptions::engine_for(const Cluster& cluster) const {
  OrderingEngine made{.pool = pool_for_ordering(cluster),
                      .objective = parse_objective(objective, queue_objectives),
                      .mode = parse_ordering_mode(engine)};
  if (search_up_to < 0) return made;
  if (made.mode == OrderingMode::alg) {
    throw UsageError("--engine alg searches nothing: --search-up-to has no meaning with it",
                     "leave one of them out");
  }
  made.search_up_to = static_cast<std::size_t>(search_up_to);
  return made;
}

}  // namespace wavewright::app
