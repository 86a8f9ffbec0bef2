// Small random worlds for property tests of the engines: workloads in which ties, zero-length tasks, empty
// stages and late arrivals are common.
#pragma once

#include <rapidcheck.h>

#include <numeric>

#include <fmt/format.h>

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

// Gives every task of it time; whether a job's tasks are alike then, but for shuffles.
inline bool lengthen(Workload& workload) {
  const bool alike = *rc::gen::arbitrary<bool>();
  for (Job& job : workload.jobs) {
    for (auto* lengths : {&job.maps, &job.reduces}) {
      for (Duration& length : *lengths) length = alike ? lengths->front() : length;
      for (Duration& length : *lengths) length += ms(1);
    }
  }
  return alike;
}
// Of a batch that is lengthened and alike: more maps, and one length of shuffles.
inline void multiply_maps(Job& job) {
  job.first_shuffles.assign(job.first_shuffles.size(), ms(3));
  job.shuffles.assign(job.shuffles.size(), ms(2));
  const auto more = *rc::gen::inRange<std::size_t>(0, 40);
  job.maps.resize(job.maps.empty() ? 0 : job.maps.size() + more, ms(7));
}

// Jobs wait for up to three others, wherever those stand in the file; one may be named twice.
inline void depend(Workload& workload) {
  std::vector<std::size_t> order(workload.jobs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[*rc::gen::inRange<std::size_t>(0, i)]);
  for (std::size_t i = 1; i < order.size(); ++i) {
    for (int left = std::max(0, *rc::gen::inRange(-2, 4)); left > 0; --left)
      workload.jobs[order[i]].after.push_back(workload.jobs[order[*rc::gen::inRange<std::size_t>(0, i)]].id);
  }
}
inline Workload some_workflow(Shape shape = {}) {
  Workload workload = some_workload(shape);
  depend(workload);
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
