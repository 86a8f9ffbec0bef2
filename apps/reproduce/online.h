// What the experiments on ORDER's online system share: streams of jobs through the queue onto a flat pool.
#pragma once

#include <functional>
#include <vector>

#include "apps/reproduce/experiment.h"
#include "wavewright/dispatch/run_queue.h"

namespace wavewright::app {

// A named stream (`wavewright workload gen`) of so many jobs: `{"generator": …, "settings": {…}}`.
[[nodiscard]] Workload read_stream(const Json& stream, Count jobs, std::uint64_t seed);

[[nodiscard]] SlotPool read_pool(const Json& pool);

// From 1 to 100. Throws InputError else.
[[nodiscard]] std::uint64_t read_replications(const Json& inputs);

// `measure(seed)` for that many seeds from the first on, several at once; results in the order of seeds.
[[nodiscard]] std::vector<std::vector<double>> replicate(
    std::uint64_t first_seed, std::uint64_t replications,
    const std::function<std::vector<double>(std::uint64_t seed)>& measure);

struct Completion {
  double makespan = 0;  // ms
  double total = 0;     // Σ finish, ms: what ORDER calls total completion time (§3)
  double flow = 0;      // Σ(finish − arrival), ms
};

// The jobs dispatched as they come, first come first served.
[[nodiscard]] Completion complete_unordered(const Workload& arrivals, SlotPool pool);

// The jobs through a queue with that policy (`tp-ati(10s)`) and the engine of that objective, SIM up to 7
// jobs.
[[nodiscard]] Completion complete_ordered(const Workload& arrivals, SlotPool pool, const std::string& when,
                                          const std::string& objective);

// (unordered − ordered) / ordered, in percent.
[[nodiscard]] double improvement(double unordered, double ordered);

// Mean, with its interval where there are two values or more.
[[nodiscard]] Measured mean_of(const std::vector<double>& values);
// Of the i-th number of each.
[[nodiscard]] std::vector<double> column(const std::vector<std::vector<double>>& rows, std::size_t i);

}  // namespace wavewright::app
