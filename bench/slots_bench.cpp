// The exact optimum of slots for a deadline, and the whole allocation curve.
#include <benchmark/benchmark.h>

#include "wavewright/predict/slots.h"

namespace {

using namespace wavewright;

JobStatistics job_of(Count maps, Count reduces) {
  JobStatistics job;
  job.maps = maps;
  job.reduces = reduces;
  job.map = {.min_ms = 90'000, .avg_ms = 140'000, .max_ms = 186'000};
  job.first_shuffle = {.min_ms = 60'000, .avg_ms = 77'000, .max_ms = 89'000};
  job.shuffle = {.min_ms = 121'000, .avg_ms = 136'000, .max_ms = 152'000};
  job.reduce = {.min_ms = 16'000, .avg_ms = 24'500, .max_ms = 33'000};
  return job;
}

void fewest(benchmark::State& state, TimeModel model) {
  const JobStatistics job = job_of(state.range(0), state.range(1));
  for (auto _ : state) benchmark::DoNotOptimize(fewest_slots(job, ms(3'600'000), model));
}

void curve(benchmark::State& state, TimeModel model) {
  const JobStatistics job = job_of(state.range(0), state.range(1));
  for (auto _ : state) benchmark::DoNotOptimize(allocation_curve(job, ms(3'600'000), model));
}

}  // namespace

BENCHMARK_CAPTURE(fewest, wave, TimeModel::wave)->Args({96, 24})->Args({1'000, 200})->Args({100'000, 10'000});
BENCHMARK_CAPTURE(fewest, bounds, TimeModel::bounds)->Args({1'000, 200})->Args({100'000, 10'000});
BENCHMARK_CAPTURE(curve, wave, TimeModel::wave)->Args({1'000, 200})->Args({100'000, 10'000});
