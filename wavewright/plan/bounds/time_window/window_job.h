// Jobs and their windows, as the bounds on windows see them; times in ms.
#pragma once

#include <cstdint>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/job/job.h"

namespace wavewright {

struct AlikeTasks {
  double length = 0;
  double count = 0;
};

struct WindowJob {
  std::vector<AlikeTasks> maps, reduces;  // reduces without what may be done before the last map ends
  double submit = 0;
  double head = 0;  // the least time of its maps alone on the pool
  double tail = 0;  // of its reduces
};

// Of many lengths in a stage, neighbours count as the shortest of them. O(tasks · log tasks).
[[nodiscard]] std::vector<WindowJob> window_jobs(const Workload& batch, SlotPool pool);

// When a job's last map ends, and when the job does.
struct Windows {
  double maps_from = 0, maps_to = 0;
  double from = 0, to = 0;
};

// Instants at which demand is compared: [0, count · width) in cells.
struct Cells {
  std::size_t count = 0;
  double width = 0;

  [[nodiscard]] double begin_of(std::size_t cell) const { return static_cast<double>(cell) * width; }
  // That an instant ≥ 0 lies in; of a border, perhaps the one before.
  [[nodiscard]] std::size_t cell_at(double instant) const {
    return static_cast<std::size_t>(instant / width);
  }
};

// Not all jobs of a set are done by the beginning of a cell: with their maps, or at all.
struct SetCut {
  std::uint32_t jobs = 0;  // a bit each
  std::size_t cell = 0;
  bool maps = false;
};

// Makes windows agree with heads and tails; whether any is left.
[[nodiscard]] inline bool agree(const std::vector<WindowJob>& jobs, std::vector<Windows>& windows) {
  constexpr double rounding = 1e-6;
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    Windows& own = windows[job];
    if (own.from < own.maps_from + jobs[job].tail) own.from = own.maps_from + jobs[job].tail;
    if (own.maps_to > own.to - jobs[job].tail) own.maps_to = own.to - jobs[job].tail;
    if (own.maps_from > own.maps_to + rounding || own.from > own.to + rounding) return false;
    if (own.maps_to < own.maps_from) own.maps_to = own.maps_from;
    if (own.to < own.from) own.to = own.from;
  }
  return true;
}

}  // namespace wavewright
