// What rented machines cost at least, whoever schedules: a clairvoyant bound, proved.
//
// Claim. Take any schedule, by a policy that knows all jobs, lengths and prices in advance, that finishes the
// jobs asked for: by their deadlines, or at some time where they have none. Its leases cost no less than the
// bound; bills are rounded, which may save half a micro-dollar for each lease and change of price.
//
// Model. That of sim/simulate_cluster.h with slots. Nodes that are not rented are free, and so is booting.
// Machines can be rented without a limit, at any instant, for any time, in any fraction; a bid may be any
// amount. Work can be split and moved. Each of these makes schedules cheaper, so the bound holds all the more
// for real ones: also where a least time or the boot is paid for, where attempts fail, straggle, read from
// afar or run twice. An hour that a revocation cuts short is free, as in the bills of cluster/presence.h; a
// bid just below a rise of the price gets such hours, so that they are worth nothing here, and the bound is
// near zero where prices rise often; not where such hours are charged. Nothing is known about clusters of
// containers.
//
// Proof. Give each ms of work a worth, by kind and instant, so that no lease is worth more than its bill
// (time_cells.h). The leases cost at least the worth of the work done on them. That is the worth of all work
// less that of the work done on free nodes. All work needed is worth no less than in the cheapest instants of
// its stage's window, as fast as all tasks of the stage at once can go; free nodes do no more than their
// slots allow. So each fair choice of worths w proves
//
//   cost ≥ Σ over stages (cheapest worth of the work in its window) − Σ over cells w · free slot time
//
// This is the Lagrangian dual of the fractional problem. The worths are found by multiplicative steps along
// its subgradient [Arora, Hazan & Kale 2012], and the largest value found counts.
//
// Worked example: one job of 4 maps of 30 s, no reduces, submitted at 0 with its deadline at 60 s, and
// machines of 2 map slots for 3.6 USD an hour. 120 s of work on 2 slots take a machine for 60 s: 0.06 USD by
// second. By started hour a fraction of a machine is rented for an hour, and one is enough: 3.6 USD.
#pragma once

#include <optional>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/core/money.h"
#include "wavewright/job/job.h"
#include "wavewright/sim/result.h"

namespace wavewright {

struct CostBounds {
  // Of any schedule in which every job with a deadline is in time and the others are done; none if a deadline
  // cannot be met (cloud/bound/stage_windows.h).
  std::optional<Money> all_in_time;
  // Of any schedule in which the jobs of the run that were done, and in time where they have a deadline, are
  // so.
  Money as_the_run;
};

// Of any schedule that finishes these jobs (by index) in time; each must be able to be. None on a cluster of
// containers or without machines for rent. About 4 · 10^7 steps or fewer; O(jobs + cells) memory.
[[nodiscard]] std::optional<Money> cost_bound(const Workload& workload, const Cluster& cluster,
                                              const std::vector<bool>& in_time);
// The jobs that were done, and in time where they have a deadline, by index.
[[nodiscard]] std::vector<bool> jobs_in_time(const Workload& workload, const SimulationResult& result);
[[nodiscard]] std::optional<CostBounds> cost_bounds(const Workload& workload, const Cluster& cluster,
                                                    const SimulationResult& result);

}  // namespace wavewright
