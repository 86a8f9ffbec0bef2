// Makes worlds to compare policies in: jobs of a trace with drawn deadlines, machines for rent, and a drawn
// history of their spot price [CLOUD §4.4].
//
// The same options and seed give the same world. Worlds of one seed share the factors of deadlines by job,
// and the spot price, whatever else differs: results of policies, and of other assumptions, are paired by
// seed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "wavewright/cloud/prices/price_model.h"
#include "wavewright/cloud/worlds/draw_deadlines.h"
#include "wavewright/job/selection.h"
#include "wavewright/sched/registry.h"
#include "wavewright/sim/metrics/promises.h"

namespace wavewright {

struct WorldOptions {
  JobSelection jobs;        // of the trace
  double least_factor = 1;  // of T_min, for deadlines (DeadlineDraw)
  double most_factor = 3;
  bool boot_in_shortest = true;                   // T_min holds the machine's time to boot
  NodeGroup machine;                              // for rent; its spot prices are drawn
  std::optional<PriceModel> spot = std::nullopt;  // none = on demand only
  Duration prices_after = ms(24 * 3'600'000LL);   // prices are drawn until so long after the last submission
  Faults faults;
};

struct World {
  Workload workload;
  Cluster cluster;
  std::uint64_t seed = 1;
};

// Throws as select_jobs, draw_deadlines and generate_prices do. O(tasks + price changes).
[[nodiscard]] World make_world(const Workload& trace, const WorldOptions& options, std::uint64_t seed);

struct WorldOutcome {
  Tardiness tardiness;
  LeaseTotals leases;
  Duration makespan{};

  [[nodiscard]] double tardy_percent() const;  // of the jobs with a deadline
};

// One run under a policy by name, of the registry. Jobs that wait in vain at the end, as for a spot price
// that stays above the bid, are not done, and so tardy. Throws as make_policy_on and simulate_cluster do.
[[nodiscard]] WorldOutcome run_in(const World& world, const std::string& policy,
                                  const PolicyRegistry& registry);

}  // namespace wavewright
