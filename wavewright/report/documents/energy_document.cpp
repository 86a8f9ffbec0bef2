#include "wavewright/report/documents/energy_document.h"

#include <nlohmann/json.hpp>

#include "wavewright/sim/metrics/usage.h"

namespace wavewright {

namespace {

Json value_json(const EnergyValue& value, bool priced) {
  Json json = {{"energy_uj", value.energy.total()},
               {"idle_uj", value.energy.idle},
               {"work_uj", value.energy.work},
               {"off_uj", value.energy.off},
               {"wake_uj", value.energy.wake},
               {"makespan_ms", to_ms(value.makespan)},
               {"total_completion_ms", to_ms(value.total_completion)},
               {"total_tardiness_ms", to_ms(value.tardiness)},
               {"tardy_jobs", value.tardy}};
  if (priced) json["cost_usd"] = value.cost_usd;
  if (value.carbon_g) json["carbon_g"] = *value.carbon_g;
  return json;
}

Json exact_json(const ExactEnergy& exact, const EnergyProblem& problem) {
  Json schedule = Json::array();
  for (const ExactEnergy::Placed& each : exact.schedule) {
    schedule.push_back({{"id", problem.batch->jobs[each.job].id},
                        {"kind", each.kind == Kind::map ? "map" : "reduce"},
                        {"class", problem.cluster.nodes[each.row].node_class},
                        {"start_ms", to_ms(each.start)},
                        {"end_ms", to_ms(each.end)}});
  }
  return {{"energy_uj", exact.energy}, {"steps", exact.steps}, {"schedule", std::move(schedule)}};
}

// Each with its whole plan, ready for a file of its own.
Json frontier_json(const PlannedEnergy& planned, bool priced) {
  Json frontier = Json::array();
  for (const FrontierPlan& each : planned.frontier) {
    Json entry = {{"method", each.method}, {"this_plan", each.plan == planned.plan}};
    entry.update(value_json(each.value, priced));
    entry["plan"] = energy_plan_to_json(each.plan);
    frontier.push_back(std::move(entry));
  }
  return frontier;
}

}  // namespace

Json energy_plan_document(const PlannedEnergy& planned, const EnergyProblem& problem, double seconds) {
  const bool priced = knows_prices(problem.cluster);
  Json document = energy_plan_to_json(planned.plan);
  document["method"] = planned.method;
  document.update(value_json(planned.value, priced));
  const std::optional<MicroJoules> floor = planned.floor();
  document["lower_bound_uj"] = floor ? Json(*floor) : Json(nullptr);
  const std::optional<double> gap = planned.gap();
  document["gap"] = gap ? Json(*gap) : Json(nullptr);
  Json rivals = Json::array();
  for (const EnergyRival& rival : planned.rivals) {
    Json entry = {{"policy", rival.policy}, {"all_machines_on", rival.all_on}};
    if (rival.value) {
      entry.update(value_json(*rival.value, priced));
    } else {
      entry["reason"] = rival.reason;
    }
    rivals.push_back(std::move(entry));
  }
  document["rivals"] = std::move(rivals);
  document["proved_optimal"] = planned.proved_optimal();
  document["exact"] = planned.exact ? exact_json(*planned.exact, problem) : Json(nullptr);
  if (problem.most_cost) document["budget_usd"] = to_usd(*problem.most_cost);
  if (problem.frontier) document["frontier"] = frontier_json(planned, priced);
  document["evaluated"] = planned.evaluated;
  document["seconds"] = seconds;
  document["seed"] = problem.seed;
  if (planned.partial) document["partial"] = true;
  return document;
}

void add_map_energy(Json& document, const std::vector<JobEnergy>& jobs, const Workload& batch) {
  Json all = Json::array();
  for (const JobEnergy& job : jobs) {
    Json classes = Json::array(), nodes = Json::array();
    for (const MapsOnClass& on : job.classes) {
      classes.push_back({{"class", on.node_class},
                         {"mean_map_ms", on.mean_map_ms},
                         {"map_j", on.map_j ? Json(*on.map_j) : Json(nullptr)},
                         {"efficiency", on.efficiency ? Json(*on.efficiency) : Json(nullptr)}});
    }
    for (const NodeFitness& on : job.nodes) {
      nodes.push_back({{"node", on.node},
                       {"class", on.node_class},
                       {"blocks", on.blocks},
                       {"overlap", on.overlap},
                       {"fitness", on.fitness ? Json(*on.fitness) : Json(nullptr)}});
    }
    all.push_back(
        {{"id", batch.jobs[job.job].id}, {"classes", std::move(classes)}, {"nodes", std::move(nodes)}});
  }
  document["map_energy"] = std::move(all);
}

}  // namespace wavewright
