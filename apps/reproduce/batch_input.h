// A small batch inside an entry: jobs of equal tasks on a pool.
//
//     "unit_ms": 1000, "pool": {"map_slots": 30, "reduce_slots": 30},
//     "jobs": [{"id": "J1", "maps": 30, "map": 4, "reduces": 30, "reduce": 5}, …]
#pragma once

#include <span>
#include <string>
#include <vector>

#include "apps/reproduce/experiment.h"
#include "wavewright/cluster/cluster.h"
#include "wavewright/job/job.h"
#include "wavewright/sched/policy.h"

namespace wavewright::app {

struct BatchInput {
  Workload workload;
  SlotPool pool;
  double unit_ms = 1;

  [[nodiscard]] double in_units(Duration duration) const {
    return static_cast<double>(to_ms(duration)) / unit_ms;
  }
  // Throws InputError on an unknown id.
  [[nodiscard]] std::vector<JobIndex> indices(const Json& ids) const;
  [[nodiscard]] std::string names(std::span<const std::string> ids) const;  // `J2 J5 J1`
};

[[nodiscard]] BatchInput read_batch(const Json& inputs);

// `inputs.orders` and `inputs.planners`; see experiment.h.
void measure_given_orders(const BatchInput& batch, const Json& inputs, std::uint64_t seed,
                          Measurements& measured);

}  // namespace wavewright::app
