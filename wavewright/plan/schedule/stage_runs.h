// The tasks of a stage, job by job, in runs of one length.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace wavewright {

struct StageRuns {
  struct Run {
    std::int64_t first = 0;  // ms, of one that starts when its job's maps end
    std::int64_t later = 0;
    std::uint32_t count = 0;
  };
  std::vector<std::uint32_t> from = {0};  // by job, and one more
  std::vector<Run> runs;
  std::uint64_t tasks = 0;

  // The tasks of the next job; `length_of(task)`: of one in the first wave, and of a later one.
  void add_job(std::size_t count, auto&& length_of) {
    for (std::size_t task = 0; task < count; ++task) {
      const std::pair<std::int64_t, std::int64_t> length = length_of(task);
      if (runs.size() > from.back() && runs.back().first == length.first &&
          runs.back().later == length.second) {
        ++runs.back().count;
      } else {
        runs.push_back({length.first, length.second, 1});
      }
    }
    from.push_back(static_cast<std::uint32_t>(runs.size()));
    tasks += count;
  }
  [[nodiscard]] bool has_tasks(std::uint32_t job) const { return from[job] != from[job + 1]; }
  // Whether waves are faster than slots one by one.
  [[nodiscard]] bool alike() const {
    constexpr std::uint64_t long_runs = 4;  // tasks, on average
    return tasks >= long_runs * runs.size();
  }
};

}  // namespace wavewright
