// Experiment kinds: each a function from an entry's inputs to measured values by key.
//
// A kind runs the library (planners by name, the simulator under policies, the estimators) and holds no
// model of its own. To add one, write its function and list it in experiment_kinds().
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/context.h"
#include "apps/reproduce/entry.h"
#include "wavewright/core/stop.h"

namespace wavewright::app {

struct Measured {
  Json value;  // number or text
  // Of the mean, at 95 %, where the experiment is replicated.
  std::optional<std::pair<double, double>> interval = std::nullopt;
};

using Measurements = std::map<std::string, Measured>;

struct ExperimentRun {
  std::uint64_t seed = 0;
  std::function<void(const std::string&)> progress = [](const std::string&) {};
  Stop stop = {};  // then what is measured is of no use
};

struct ExperimentKind {
  std::string name;
  std::string description;
  std::function<Measurements(const Json& inputs, const ExperimentRun& run)> run;
};

[[nodiscard]] const std::vector<ExperimentKind>& experiment_kinds();

// Runs the entry's kind. Throws InputError when the kind is unknown, the inputs are not what it needs, or it
// does not measure what a row asks for.
[[nodiscard]] Measurements run_experiment(const Entry& entry, const ExperimentRun& run);

// `orders`: jobs on one pool. Measures the makespan of given orders (`order.NAME`), of planners
// (`planner.NAME`, and their order as `planner.NAME.order`), and of all orders (`all.best`, `all.worst`,
// `all.count`).
Measurements measure_orders(const Json& inputs, std::uint64_t seed);

// `pools`: what `orders` measures but for all orders; the makespan of given pools (`pool.1`, …, `pools`) and
// the best of all splits into two pools, all their sizes and all orders in them (`all-splits.best`,
// `all-splits.evaluated`).
Measurements measure_pools(const Json& inputs, std::uint64_t seed);

// `deadline`: slots for a deadline by the closed forms, for each number of maps N: `N.lagrange`,
// `N.lagrange.ceiled`, `N.simple.fewest`, `N.simple.minima`, `N.simple.beside`, `N.wave.fewest` and
// `N.wave.at-paper`, the time of the paper's slots in the wave model.
Measurements measure_deadline(const Json& inputs, std::uint64_t seed);

// `machine-shares`: equal jobs that run on all machines one after the other (`dominance`), or side by side
// on a part each (`shared`): `….average` completion and `….machine-time`, in hours.
Measurements measure_machine_shares(const Json& inputs, std::uint64_t seed);

// `online-interval`: streams of jobs through the queue under TP-FTI and TP-ATI at every interval of a sweep,
// for each pool P and size N: `P.N.POLICY.interval`, the best one in seconds, `….improvement` of the sum of
// finishes there and `….flow`, that of the sum of finish − arrival, in percent; `P.adaptive-wins`, for how
// many sizes TP-ATI improves more.
Measurements measure_online_interval(const Json& inputs, std::uint64_t seed);

// `online-engines`: the first N jobs of a stream, all there at time 0, ordered by the algorithm and by
// search, for `makespan` and `total`: `N.makespan.alg`, `N.makespan.sim` in seconds,
// `N.makespan.alg-above-sim` in percent, `N.makespan.sim.ms`, the time that ordering takes here, and
// `….evaluated`, orders simulated.
Measurements measure_online_engines(const Json& inputs, std::uint64_t seed);

// `online-improvement`: streams of jobs through the queue under one policy, for each stream S and size N:
// `S.makespan.N`, `S.total.N` (sum of finishes), `S.flow.N` (sum of finish − arrival), in percent; over the
// sizes `S.makespan.least`, `.most`, `.mean` and, of every single run, `.most-in-one-run`.
Measurements measure_online_improvement(const Json& inputs, std::uint64_t seed);

// `batch-methods`: batches planned by methods (`placements_each`: a search by so many tasks placed), for each
// workload W, number of slots S (so many of each kind) and method: `W.S.METHOD`, the makespan in hours,
// `W.S.METHOD.gap` above the proven bound and `W.S.METHOD.below.OTHER`, by how much it is below another's
// makespan, in percent; of the last two also `W.….mean` of all runs, `W.….most` of the means by size and
// `W.….most-in-one-run`; where each stage serves one job at a time `W.S.in-turn`
// in one pool and `W.S.in-turn.pools-below-one` of the best two; over everything `gap.mean` and `gap.most`,
// of the best of the methods.
Measurements measure_batch_methods(const Json& inputs, const ExperimentRun& experiment);

}  // namespace wavewright::app
