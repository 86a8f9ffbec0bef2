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
  return json;
}

}  // namespace

Json energy_plan_document(const PlannedEnergy& planned, const EnergyProblem& problem, double seconds) {
  const bool priced = knows_prices(problem.cluster);
  Json document = energy_plan_to_json(planned.plan);
  document["method"] = planned.method;
  document.update(value_json(planned.value, priced));
  document["lower_bound_uj"] = planned.bound ? Json(planned.bound->energy) : Json(nullptr);
  const std::optional<double> gap = planned.gap();
  document["gap"] = gap ? Json(*gap) : Json(nullptr);
  Json rivals = Json::array();
  for (const EnergyRival& rival : planned.rivals) {
    Json entry = {{"policy", rival.policy}, {"all_machines_on", rival.all_on}};
    if (rival.value) entry.update(value_json(*rival.value, priced));
    rivals.push_back(std::move(entry));
  }
  document["rivals"] = std::move(rivals);
  document["evaluated"] = planned.evaluated;
  document["seconds"] = seconds;
  document["seed"] = problem.seed;
  if (planned.partial) document["partial"] = true;
  return document;
}

}  // namespace wavewright
