// Small random workloads whose jobs have any of the fields.
#pragma once

#include <rapidcheck.h>

#include "wavewright/job/job.h"

namespace wavewright {

inline std::vector<Duration> any_durations(std::size_t count) {
  std::vector<Duration> durations;
  for (std::size_t i = 0; i < count; ++i) durations.push_back(ms(*rc::gen::inRange(0, 100'000)));
  return durations;
}

inline std::string any_word() {
  const std::vector<std::string> words = {"", "sort", "word count", "größer", "a,b", "x\"y\""};
  return *rc::gen::elementOf(words);
}

// `before`: the jobs that it may wait for.
inline Job any_job(std::size_t number, const std::vector<Job>& before) {
  Job job;
  job.id = *rc::gen::arbitrary<bool>() ? fmt::format("J/{} é", number) : fmt::format("job_7_{:04}", number);
  job.name = any_word();
  job.user = any_word();
  job.queue = any_word();
  job.submit = at_ms(*rc::gen::inRange(0, 20'000));
  job.maps = any_durations(*rc::gen::inRange<std::size_t>(0, 5));
  job.reduces = any_durations(*rc::gen::inRange<std::size_t>(0, 4));
  if (*rc::gen::arbitrary<bool>()) job.first_shuffles = any_durations(job.reduces.size());
  if (*rc::gen::arbitrary<bool>()) job.shuffles = any_durations(job.reduces.size());
  // Later than all of them are submitted: an earlier one contradicts.
  if (*rc::gen::arbitrary<bool>()) job.deadline = at_ms(*rc::gen::inRange(20'000, 100'000));
  for (const Job& each : before) {
    if (*rc::gen::inRange(0, 4) == 0) job.after.push_back(each.id);
  }
  const auto bytes = [] {
    return *rc::gen::arbitrary<bool>() ? std::optional(Bytes{*rc::gen::inRange(0, 1'000'000)}) : std::nullopt;
  };
  job.input = bytes();
  job.shuffled = bytes();
  job.output = bytes();
  if (*rc::gen::arbitrary<bool>()) {
    for (std::size_t i = 0; i < job.maps.size(); ++i) {
      const std::vector<std::vector<std::string>> hosts = {{}, {"node1"}, {"node2", "node3"}};
      job.splits.push_back(*rc::gen::elementOf(hosts));
    }
  }
  if (*rc::gen::arbitrary<bool>()) job.classes["gpu"] = {4.25, 2, 1.41};
  if (*rc::gen::arbitrary<bool>()) job.value = 2.5;
  if (*rc::gen::arbitrary<bool>()) job.unknown_fields = R"({"x_mine":[1,0.25,"é"],"x_more":null})";
  return job;
}

// At least one job, and at least one with a task.
inline Workload any_workload() {
  Workload workload;
  const auto jobs = *rc::gen::inRange<std::size_t>(1, 7);
  for (std::size_t i = 0; i < jobs; ++i) workload.jobs.push_back(any_job(i + 1, workload.jobs));
  Job& last = workload.jobs.back();
  if (last.maps.empty() && last.reduces.empty()) {
    last.maps = {ms(1500)};
    last.splits.clear();
  }
  return workload;
}

}  // namespace wavewright
