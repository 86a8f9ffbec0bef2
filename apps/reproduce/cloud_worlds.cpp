// The kind `cloud-worlds`.
#include <algorithm>

#include "apps/policies.h"
#include "apps/reproduce/cloud_inputs.h"
#include "apps/reproduce/online.h"

namespace wavewright::app {

namespace {

// The values of one run are listed in this order.
enum Value : std::size_t { tardy, late_hours, cost, machine_hours, revoked, values };

std::vector<double> values_of(const WorldOutcome& outcome) {
  constexpr double hour_ms = 3'600'000;
  std::vector<double> all(values);
  all[tardy] = outcome.tardy_percent();
  all[late_hours] = static_cast<double>(to_ms(outcome.tardiness.total)) / hour_ms;
  all[cost] = to_usd(outcome.leases.cost);
  all[machine_hours] = static_cast<double>(to_ms(outcome.leases.machine_time)) / hour_ms;
  all[revoked] = static_cast<double>(outcome.leases.revoked);
  return all;
}

double minus(double a, double b) {
  return a - b;
}
// Percent; 0 if nothing is paid at all.
double above(double a, double b) {
  return b > 0 ? 100 * (a / b - 1) : 0;
}

// By workload and policy, by value, by replication.
using Samples = std::map<std::pair<std::string, std::string>, std::vector<std::vector<double>>>;

void compare(const CloudInputs& inputs, const Samples& samples, Measurements& measured) {
  for (const auto& [workload, options] : inputs.workloads) {
    for (const auto& [policy, text] : inputs.policies) {
      const auto& own = samples.at({workload, policy});
      for (const auto& [other, other_text] : inputs.policies) {
        if (other == policy) continue;
        const auto& others = samples.at({workload, other});
        const std::string key = workload + "." + policy;
        measured[key + ".tardy-above." + other] = mean_of(joined(own[tardy], others[tardy], minus));
        measured[key + ".late-above." + other] = mean_of(joined(own[late_hours], others[late_hours], minus));
        measured[key + ".usd-above." + other] = mean_of(joined(own[cost], others[cost], minus));
        measured[key + ".cost-above." + other] = mean_of(joined(own[cost], others[cost], above));
      }
    }
  }
  for (const auto& [first, options] : inputs.workloads) {
    for (const auto& [second, other_options] : inputs.workloads) {
      if (first == second) continue;
      for (const auto& [policy, text] : inputs.policies) {
        measured[fmt::format("{}-{}.{}.tardy", second, first, policy)] =
            mean_of(joined(samples.at({second, policy})[tardy], samples.at({first, policy})[tardy], minus));
      }
    }
  }
}

void record(const std::string& key, const std::vector<std::vector<double>>& own, Measurements& measured) {
  measured[key + ".tardy"] = mean_of(own[tardy]);
  measured[key + ".late"] = mean_of(own[late_hours]);
  measured[key + ".cost"] = mean_of(own[cost]);
  measured[key + ".hours"] = mean_of(own[machine_hours]);
  measured[key + ".revoked"] = mean_of(own[revoked]);
  const auto [least, most] = std::minmax_element(own[cost].begin(), own[cost].end());
  measured[key + ".cost.least"] = {*least};
  measured[key + ".cost.most"] = {*most};
}

void count_jobs(const CloudInputs& inputs, Measurements& measured) {
  for (const auto& [name, options] : inputs.workloads) {
    const Workload workload = select_jobs(inputs.trace, options.jobs);
    Count maps = 0, reduces = 0;
    for (const Job& job : workload.jobs) {
      maps += static_cast<Count>(job.maps.size());
      reduces += static_cast<Count>(job.reduces.size());
    }
    measured[name + ".jobs"] = {static_cast<Count>(workload.jobs.size())};
    measured[name + ".maps"] = {maps};
    measured[name + ".reduces"] = {reduces};
  }
}

Measurements measure(const Json& inputs_json, const ExperimentRun& run) {
  const CloudInputs inputs = read_cloud_inputs(inputs_json);
  const std::uint64_t replications = read_replications(inputs_json);
  const PolicyRegistry registry = command_policies();
  Measurements measured;
  count_jobs(inputs, measured);
  const auto rows = replicate(run, replications, "worlds", [&](std::uint64_t seed) {
    std::vector<double> row;
    for (const auto& [name, options] : inputs.workloads) {
      const World world = make_world(inputs.trace, options, seed);
      for (const auto& [policy, text] : inputs.policies) {
        if (run.stop.now()) return row;
        const std::vector<double> own = values_of(run_in(world, text, registry));
        row.insert(row.end(), own.begin(), own.end());
      }
    }
    return row;
  });
  if (run.stop.now()) return measured;
  Samples samples;
  std::size_t at = 0;
  for (const auto& [name, options] : inputs.workloads) {
    for (const auto& [policy, text] : inputs.policies) {
      auto& own = samples[{name, policy}];
      for (std::size_t value = 0; value < values; ++value) own.push_back(column(rows, at++));
      record(name + "." + policy, own, measured);
    }
  }
  compare(inputs, samples, measured);
  return measured;
}

}  // namespace

// Two tables of the paper are of the same runs.
Measurements measure_cloud_worlds(const Json& inputs, const ExperimentRun& run) {
  return measured_once(inputs, run, measure);
}

}  // namespace wavewright::app
