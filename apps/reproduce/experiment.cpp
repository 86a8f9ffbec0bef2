#include "apps/reproduce/experiment.h"

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"

namespace wavewright::app {

namespace {

// Wraps a kind that takes only seconds.
auto quick(Measurements (*measure)(const Json& inputs, std::uint64_t seed)) {
  return [measure](const Json& inputs, const ExperimentRun& run) { return measure(inputs, run.seed); };
}

}  // namespace

const std::vector<ExperimentKind>& experiment_kinds() {
  static const std::vector<ExperimentKind> kinds = {
      {"orders", "makespans of orders of jobs on one pool, simulated", quick(measure_orders)},
      {"pools", "makespans of jobs in two pools, simulated", quick(measure_pools)},
      {"deadline", "slots that a job needs to meet a deadline, in closed form", quick(measure_deadline)},
      {"machine-shares", "jobs on all machines in turn or side by side on parts, simulated",
       quick(measure_machine_shares)},
      {"rent-speedup", "a job on 1 to M machines, by a curve or measured runs", quick(measure_rent_speedup)},
      {"rent-policies", "batches on rented machines under several policies", quick(measure_rent_policies)},
      {"online-interval", "streams through the queue at every interval of a sweep, simulated",
       measure_online_interval},
      {"online-engines", "orders by an algorithm and by search, simulated and timed", measure_online_engines},
      {"online-improvement", "streams through the queue against first come, first served, simulated",
       measure_online_improvement},
      {"batch-methods", "batches planned by methods, simulated", measure_batch_methods},
      {"cloud-worlds", "jobs with deadlines on machines for rent, simulated", measure_cloud_worlds},
      {"locality", "maps near their blocks under several placers, simulated", measure_locality},
      {"energy-profile", "what measured energies and factors allow, by arithmetic",
       quick(measure_energy_profile)},
      {"energy-worlds", "CPU and GPU servers under several policies, simulated", measure_energy_worlds},
      {"energy-plans", "plans for little energy on CPU and GPU servers, beside a bound, simulated",
       measure_energy_plans},
      {"paired-runs", "paired t-tests and intervals of given runs", quick(measure_paired_runs)},
      {"admission", "jobs with deadlines, accepted or not under several policies, simulated",
       measure_admission},
  };
  return kinds;
}

Measurements run_experiment(const Entry& entry, const ExperimentRun& run) {
  const std::string file = "reproduce/" + entry.id + ".json";
  std::vector<std::string> names;
  for (const ExperimentKind& kind : experiment_kinds()) {
    names.push_back(kind.name);
    if (kind.name != entry.kind) continue;
    Measurements measured;
    try {
      measured = kind.run(entry.inputs, run);
    } catch (const Json::exception& error) {
      throw InputError({file}, std::string("inputs: ") + error.what(), "see docs/use/reproduce.md");
    }
    if (run.stop.now()) return measured;
    for (const EntryRow& row : entry.rows) {
      if (measured.contains(row.key)) continue;
      std::vector<std::string> keys;
      for (const auto& [key, value] : measured) keys.push_back(key);
      throw InputError({file}, "no experiment measures '" + row.key + "'", suggestion(row.key, keys));
    }
    return measured;
  }
  throw InputError({file}, "unknown kind '" + entry.kind + "'", suggestion(entry.kind, names));
}

}  // namespace wavewright::app
