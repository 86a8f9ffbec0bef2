// Small random worlds for property tests of the engines: workloads in which ties, zero-length tasks, empty
// stages and late arrivals are common.
#pragma once

#include <rapidcheck.h>

#include "wavewright/job/job.h"
#include "wavewright/sim/simulate.h"

namespace wavewright::worlds {

struct Shape {
  bool zero_lengths = true;
  bool shuffles = true;
};

inline std::vector<Duration> some_durations(std::size_t count, bool zero_lengths) {
  const auto values = *rc::gen::container<std::vector<std::int64_t>>(
      count, rc::gen::inRange<std::int64_t>(zero_lengths ? 0 : 1, *rc::gen::element(3, 10, 1000)));
  std::vector<Duration> durations;
  for (const std::int64_t value : values) durations.push_back(ms(value));
  return durations;
}

inline Workload some_workload(Shape shape = {}) {
  Workload workload;
  const auto jobs = *rc::gen::inRange<std::size_t>(0, 12);
  for (std::size_t i = 0; i < jobs; ++i) {
    Job job;
    job.id = fmt::format("J{}", i + 1);
    job.submit = at_ms(*rc::gen::inRange(0, 40));
    job.maps = some_durations(*rc::gen::inRange<std::size_t>(0, 9), shape.zero_lengths);
    job.reduces = some_durations(*rc::gen::inRange<std::size_t>(0, 6), shape.zero_lengths);
    if (shape.shuffles && *rc::gen::arbitrary<bool>())
      job.first_shuffles = some_durations(job.reduces.size(), true);
    if (shape.shuffles && *rc::gen::arbitrary<bool>())
      job.shuffles = some_durations(job.reduces.size(), true);
    workload.jobs.push_back(std::move(job));
  }
  return workload;
}

inline SimulationOptions some_options() {
  SimulationOptions options;
  options.pool = {*rc::gen::inRange(1, 6), *rc::gen::inRange(1, 6)};
  options.slowstart = *rc::gen::element(1.0, 1.0, 0.0, 0.05, 0.5, 0.8);
  options.trace = true;
  return options;
}

}  // namespace wavewright::worlds
