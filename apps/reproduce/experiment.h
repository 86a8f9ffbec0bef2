// Experiment kinds: functions from an entry's inputs to measured values by key.
//
// A kind runs the library (planners by name, the simulator with policies, the estimators) and has no model of
// its own. To add one, write its function and list it in experiment_kinds().
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
#include "wavewright/sim/experiment/equivalence.h"

namespace wavewright::app {

struct Measured {
  Json value;  // number or text
  // If the experiment is replicated: one value a replication, by seed; `value` is their mean. Replications
  // are independent; what is measured within one is not, and becomes one value here.
  std::vector<double> samples = {};
  std::optional<Interval> interval = std::nullopt;  // 95 %, of the mean; none where nothing varies
  Scale scale = Scale::linear;                      // of the interval
  std::string note = {};                            // what a reader must know of the value; may be empty

  // Where the mean of the replications may be: the interval, or what at least five equal ones show.
  [[nodiscard]] std::optional<Interval> where() const {
    return interval ? interval : where_mean_is(samples, scale);
  }
};

using Measurements = std::map<std::string, Measured>;

struct ExperimentRun {
  std::uint64_t seed = 0;
  std::function<void(const std::string&)> progress = [](const std::string&) {};
  Stop stop = {};  // after a stop the measurements are not usable
};

struct ExperimentKind {
  std::string name;
  std::string description;
  std::function<Measurements(const Json& inputs, const ExperimentRun& run)> run;
};

[[nodiscard]] const std::vector<ExperimentKind>& experiment_kinds();

// Runs the entry's kind. Throws InputError if the kind is unknown, the inputs are invalid for it, or it does
// not measure a key of a row.
[[nodiscard]] Measurements run_experiment(const Entry& entry, const ExperimentRun& run);

// `orders`: jobs on one pool. Measures the makespan of given orders (`order.NAME`), of planners
// (`planner.NAME`, and their order as `planner.NAME.order`), and of all orders (`all.best`, `all.worst`,
// `all.count`).
Measurements measure_orders(const Json& inputs, std::uint64_t seed);

// `pools`: as `orders`, but without all orders. Adds the makespan of given pools (`pool.1`, …, `pools`) and
// of the best split into two pools of any sizes, jobs and orders (`all-splits.best`, `all-splits.evaluated`).
Measurements measure_pools(const Json& inputs, std::uint64_t seed);

// `deadline`: slots for a deadline by the closed forms, for each number of maps N: `N.lagrange`,
// `N.lagrange.ceiled`, `N.simple.fewest`, `N.simple.minima`, `N.simple.beside`, `N.wave.fewest` and
// `N.wave.at-paper`, the time of the paper's slots in the wave model.
Measurements measure_deadline(const Json& inputs, std::uint64_t seed);

// `machine-shares`: equal jobs, each on all machines in turn (`dominance`) or side by side on a part each
// (`shared`): `….average` completion and `….machine-time`, in hours.
Measurements measure_machine_shares(const Json& inputs, std::uint64_t seed);

// `rent-speedup`: one job on 1 to M machines, with a declared curve or measured `runs`: `time.m` in seconds
// and `nmt.m`, the machine time over that of one machine. `gain.2` is how much shorter 2 machines make it
// than 1, `gain.rest` M than 2, in percent; `changing-points` the numbers of machines at which the machine
// time turns. `alpha.…` is of the α form.
Measurements measure_rent_speedup(const Json& inputs, std::uint64_t seed);

// `rent-policies`: batches of N jobs, of works drawn uniformly, under each policy: `N.POLICY.time` (average,
// in seconds), `.rent` and `.cost`. Summed over all N, without those `beside`: the policy with the `.lowest`
// and `.highest` of `time`, `rent` and `cost`, `POLICY.cost-below.OTHER` in percent, and
// `POLICY.loses-to-first`, the number of batches in which the policy costs more than the first of the list.
Measurements measure_rent_policies(const Json& inputs, std::uint64_t seed);

// This kind and the next take `times`: sizes that run so many times as often (read_replications).
// `online-interval`: streams of jobs through the queue with TP-FTI and TP-ATI at each interval of a sweep.
// For each pool P and size N: `P.N.POLICY.interval` is the best interval in seconds, with a note where it is
// at an end of the sweep; `….improvement` is that of the sum of finishes at this interval, `….flow` that of
// the sum of finish − arrival, both in percent; `….at.S` the improvement at S seconds. `P.adaptive-wins` is
// the number of sizes at which TP-ATI improves more.
Measurements measure_online_interval(const Json& inputs, const ExperimentRun& run);

// `online-engines`: the first N jobs of a stream, all submitted at time 0, ordered by algorithm and by
// search, for `makespan` and `total`. `N.makespan.alg` and `N.makespan.sim` are in seconds,
// `N.makespan.alg-above-sim` in percent. `N.makespan.sim.ms` is the processor time of ordering on this
// machine, `….evaluated` the number of orders simulated.
Measurements measure_online_engines(const Json& inputs, const ExperimentRun& run);

// `online-improvement`: streams of jobs through the queue with one policy. For each stream S and size N:
// `S.makespan.N`, `S.total.N` (sum of finishes), `S.flow.N` (sum of finish − arrival), in percent. Over the
// sizes of one replication, which share a seed: `S.makespan.least`, `.most` and `.mean`; over all runs
// `.most-in-one-run`, which grows with their number.
Measurements measure_online_improvement(const Json& inputs, const ExperimentRun& run);

// `batch-methods`: batches planned by several methods (`placements_each`: placed tasks per search;
// `task_order`: as listed unless given; `often`: `methods` that plan `times` as many batches, and are
// compared with one another over these). For each workload W, number of slots S of each kind, and method:
// `W.S.METHOD` is the makespan in hours, `W.S.METHOD.gap` the gap to the lower bound,
// `W.S.METHOD.below.OTHER` the decrease against another method's makespan, in percent. The last two also over
// the numbers of slots that plan one batch, as `W.….mean` and `W.….most`, and over all runs as
// `W.….most-in-one-run`, which grows with their number. Of the batches themselves: `W.maps-per-job`,
// `W.reduces-per-job`, and the mean lengths `W.map` and `W.reduce` of a task in seconds. If each stage serves
// one job at a time: `W.S.in-turn` in one pool and `W.S.in-turn.pools-below-one` for the best two pools. Over
// everything: `gap.mean` and `gap.most` of the best method.
Measurements measure_batch_methods(const Json& inputs, const ExperimentRun& experiment);

// `cloud-worlds`: jobs of a SWIM trace with drawn deadlines, on machines that each policy rents at drawn spot
// prices (apps/reproduce/cloud_inputs.h). For each workload W its `W.jobs`, `W.maps` and `W.reduces`. For
// each policy P: `W.P.tardy` in percent of the jobs, `.late` the hours of tardiness, `.cost` in USD, `.hours`
// of machines and `.revoked` machines; over the runs `.cost.least` and `.cost.most`. Paired by seed, against
// another policy Q: `W.P.tardy-above.Q` in points, `.late-above.Q` in hours, `.cost-above.Q` in percent.
// Against another workload V: `W-V.P.tardy` in points.
Measurements measure_cloud_worlds(const Json& inputs, const ExperimentRun& run);

// `locality`: the workload `unl-locality` on a cluster of slots with heartbeats, for each application (map
// durations), allocator and placer. `placers` have names; the placers `delay-S` wait S seconds (`delays_s`,
// rising; `delay_more` are further parameters). `node_locality_delays` name settings of Capacity's rule
// (sched/placers/locality_delay.h): `node`, and `rack_additional` unless it is by the job. For each
// application A, allocator F and placer P, with sim/metrics/map_locality.h: `A.F.P.rate` in percent,
// `.response`, `.local` and `.elsewhere`, mean response times of maps in seconds, and `.use` of map slots in
// percent. Paired by seed, against another placer Q: `A.F.P.rate-above.Q` in points and `.response-above.Q`
// in percent. Q may be `best-delay` or `worst-delay`: by their means over all runs, without P itself.
// `A.F.best-delay.rate` and `.response` name it; `A.F.delay.rate.least-step` is the least increase of the
// rate from one delay to the next.
Measurements measure_locality(const Json& inputs, const ExperimentRun& run);

// `energy-profile`: what UNL's measured energies say: `cpu.idle` and `cpu.work` in kWh, `T.MODE.idle` the
// idle power in W of a GPU server of type T that follows from a factor, `.work` in kWh; `jobs`, `maps`;
// `md.least`, the least kWh that half of the maps take; `saving.most` in percent that factors allow, and
// `P.saving` that is printed of policy P; `idle.w` of the whole cluster, `idle.servers` of its servers,
// `idle.other` the rest; `ideal.idle.w`, the same from IDEAL's figures; `md.X.s`, seconds of a map that
// follow from turnarounds, and `md.II-gpu.w`, the power that it then draws.
Measurements measure_energy_profile(const Json& inputs, std::uint64_t seed);

// `energy-worlds`: the workload `unl-energy` on 6 CPU and 2 GPU servers under each of `policies`, by name P:
// `P.turnaround` in hours, `P.locality` in percent of the maps, `P.work` and `P.energy` in kWh (without and
// with idle power, over `experiment_h` or the turnaround, whichever is longer). Paired by seed, against
// another policy Q: `P.VALUE-above.Q` in percent (of locality in points), and `P.VALUE-p.Q`, the p-value of a
// paired t-test.
Measurements measure_energy_worlds(const Json& inputs, const ExperimentRun& run);

// `energy-plans`: the same cluster and workload. For each of `readings` R, settings of the workload: `R.efh`
// and `R.efh.work` in kWh until the batch ends, of EFH with all machines on. EFH's schedule is a candidate of
// the planner, `plan --objective energy`, which knows all jobs and their lengths. Of `plans` P:
// - `on`: all machines are on, jobs come as submitted, and the plan may end when it likes;
// - `off`: likewise, with CPU servers that may be switched off and boot for `boot_s`;
// - `due`: as `on`, and each job has EFH's makespan as its deadline;
// - `off-due`: as `off`, with that deadline;
// - `at-once`: as `due`, with all jobs there at the start, so that EFH knows of them, too.
// `R.P.efh` of EFH then, `.plan` in kWh, `.above-bound` in percent of the bound, `.below-efh` in percent,
// `.most-below-efh`, as much as the bound leaves, `.turnaround` in hours, `.later-than-efh`, how much longer
// it is in percent, and `.wakes`, kWh of wake-ups. Each also over the runs: `R.P.VALUE.least` and `.most`.
Measurements measure_energy_plans(const Json& inputs, const ExperimentRun& run);

// `paired-runs`: given runs of policies, for each metric M: `M.P.mean`, `.half` of the 95 % interval,
// `.half.range` within the rounding of the runs, `.error` from n and `.error.sample` from n − 1; `M.P.Q.p` of
// the paired t-test, `.p.least` and `.p.most` within the rounding.
Measurements measure_paired_runs(const Json& inputs, std::uint64_t seed);

// `admission`: jobs of a `generator` with deadlines on a cluster of slots with heartbeats. A job has run
// `earlier_runs` times; lengths vary by `spread` (job/sampled.h) in each run. Each of the `policies` knows
// the lengths of these runs (`profile`), only the longest task of all jobs (`longest`), or those of the run
// itself (`own`); with `padded` false it does not count waits for heartbeats, and launches. For each policy
// P, with sim/metrics/promises.h: `P.accept` (AcceptR), `P.success` (SuccessR; 100 where none is accepted),
// `P.late` (what is missing there), `P.in-time` (successful / jobs) and `P.use` (utilisation), all in
// percent; `P.all-use` counts the slot time of all jobs. Paired by seed, against another policy Q:
// `P.accept-above.Q`, `P.in-time-above.Q` and `P.use-above.Q` in points, and `P.accept-above-twice.Q`, which
// is AcceptR of P less twice that of Q.
Measurements measure_admission(const Json& inputs, const ExperimentRun& run);

}  // namespace wavewright::app
