// Helpers of the experiments on ORDER's online system: streams of jobs through the queue to a flat pool.
#pragma once

#include <functional>
#include <vector>

#include "apps/reproduce/experiment.h"
#include "wavewright/dispatch/run_queue.h"

namespace wavewright::app {

// `jobs` jobs of a named stream (`wavewright workload gen`): `{"generator": …, "settings": {…}}`.
[[nodiscard]] Workload read_stream(const Json& stream, Count jobs, std::uint64_t seed);

[[nodiscard]] SlotPool read_pool(const Json& pool);

// From 1 to `most_replications`; otherwise throws InputError.
constexpr std::uint64_t most_replications = 10'000;
[[nodiscard]] std::uint64_t read_replications(const Json& inputs);
// Of batches of that size: `times` of the inputs names sizes that run so many times as often, because their
// values vary more; at most `most_replications`.
[[nodiscard]] std::uint64_t read_replications(const Json& inputs, Count size);

// Calls `measure(seed)` for consecutive seeds from the run's on, several in parallel; results in the order of
// seeds. After a stop they are not usable. With a noun, such as `worlds`, it reports progress after each.
using MeasureSeed = std::function<std::vector<double>(std::uint64_t seed)>;
[[nodiscard]] std::vector<std::vector<double>> replicate(const ExperimentRun& run, std::uint64_t replications,
                                                         const MeasureSeed& measure);
[[nodiscard]] std::vector<std::vector<double>> replicate(const ExperimentRun& run, std::uint64_t replications,
                                                         const std::string& noun, const MeasureSeed& measure);

// What `measure` gives. It is kept by inputs and seed, since several rows of a paper are of the same runs;
// what was stopped is not. Safe for concurrent use.
using Measure = Measurements (*)(const Json& inputs, const ExperimentRun& run);
[[nodiscard]] Measurements measured_once(const Json& inputs, const ExperimentRun& run, Measure measure);

struct Completion {
  double makespan = 0;  // ms
  double total = 0;     // Σ finish, ms; ORDER's total completion time (§3)
  double flow = 0;      // Σ(finish − arrival), ms
};

// Jobs dispatched in order of arrival.
[[nodiscard]] Completion complete_unordered(const Workload& arrivals, SlotPool pool);

// Jobs through a queue with this policy (`tp-ati(10s)`) and the engine of this objective; SIM up to 7 jobs.
[[nodiscard]] Completion complete_ordered(const Workload& arrivals, SlotPool pool, const std::string& when,
                                          const std::string& objective);

// (unordered − ordered) / ordered, in percent.
[[nodiscard]] double improvement(double unordered, double ordered);

// The mean of one value a replication, with its interval.
[[nodiscard]] Measured mean_of(const std::vector<double>& values, Scale scale = Scale::linear);
// Values by size, then by replication; the sizes of one replication share its seed, and so are not
// independent. For each replication the least, the most and the mean over the sizes, as a paper's one curve
// has them: `KEY.least`, `KEY.most`, `KEY.mean`. `KEY.most-in-one-run` is the largest of all values.
void sum_up_nested(const std::string& key, const std::vector<std::vector<double>>& by_size, Scale scale,
                   Measurements& measured);

// `join(a, b)` of the values of each replication.
[[nodiscard]] std::vector<double> joined(const std::vector<double>& a, const std::vector<double>& b,
                                         const std::function<double(double, double)>& join);

// The i-th number of each row.
[[nodiscard]] std::vector<double> column(const std::vector<std::vector<double>>& rows, std::size_t i);

}  // namespace wavewright::app
