// Summary of a workload: sizes, work, durations, arrivals. Jobs are added one by one; memory holds the
// durations of their tasks only.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/core/time.h"
#include "wavewright/job/job.h"

namespace wavewright {

struct StageSummary {
  Count tasks = 0;
  Count jobs = 0;  // with such tasks
  Duration work{};
  std::array<Duration, 5> quantiles{};  // min, 25 %, median, 75 %, max; type 7, rounded down; 0 if no tasks
};

struct JobSize {
  std::string id;
  std::string name;
  Count maps = 0;
  Count reduces = 0;
  Duration work{};  // maps, reduces and later-wave shuffles, as if one slot ran all
};

// Jobs with `from` to `to` tasks.
struct SizeBin {
  Count from = 0;
  Count to = 0;
  Count jobs = 0;
};

struct WorkloadSummary {
  static constexpr std::size_t biggest_count = 5;

  Count jobs = 0;
  StageSummary maps;
  StageSummary reduces;        // without shuffles
  StageSummary first_shuffle;  // part of the first-wave shuffle that does not overlap the maps
  StageSummary shuffle;        // later-wave shuffle
  Time first_submit;
  Time last_submit;
  Count with_deadline = 0;
  Count with_after = 0;
  std::vector<JobSize> biggest;  // by work, then file order
  std::vector<SizeBin> sizes;    // 0, 1, 2…3, 4…7, …; without empty ends

  // Work / slot time between the first and the last arrival; above 1 the queue grows. Absent if all jobs
  // arrive at once or there are no slots.
  [[nodiscard]] std::optional<double> offered_map_load(Count slots) const;
  [[nodiscard]] std::optional<double> offered_reduce_load(Count slots) const;
};

class WorkloadSummarizer {
 public:
  void add(const Job& job);
  [[nodiscard]] WorkloadSummary finish();  // O(tasks); call it once

 private:
  struct Stage {
    Count jobs = 0;
    Duration work{};
    std::vector<Duration> durations;
    void add(const std::vector<Duration>& more);
    StageSummary finish();
  };
  WorkloadSummary summary_;
  Stage maps_, reduces_, first_shuffle_, shuffle_;
  std::array<Count, 64> bins_{};
};

}  // namespace wavewright
