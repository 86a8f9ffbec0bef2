// Jobs and windows of the time-window bound; times in ms.
#pragma once

#include <cmath>
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
  std::vector<AlikeTasks> maps, reduces;  // reduces without the part that may precede the last map end
  double submit = 0;
  double head = 0;    // least time of its maps alone on the pool
  double tail = 0;    // least time of its reduces
  double weight = 1;  // of its end in the sum; above 0
};

// The jobs of the batch. If a stage has more than 12 lengths, neighbouring lengths are merged into the
// shortest of them. O(tasks · log tasks).
[[nodiscard]] std::vector<WindowJob> window_jobs(const Workload& batch, SlotPool pool);

// Windows for a job's last map end and for its end.
struct Windows {
  double maps_from = 0, maps_to = 0;
  double from = 0, to = 0;
};

// A grid of time: `count` cells from 0.
struct Cells {
  std::size_t count = 0;
  double width = 0;
  double unit = 0;  // windows contain only its multiples; 0: any instant

  [[nodiscard]] double begin_of(std::size_t cell) const { return static_cast<double>(cell) * width; }
  // The cell of an instant ≥ 0; at a border, rounding may give the cell before it.
  [[nodiscard]] std::size_t cell_at(double instant) const {
    return static_cast<std::size_t>(instant / width);
  }
};

inline constexpr double rounding = 1e-6;  // values that differ by less count as equal: ms, slots

// A cut: not all jobs of the set (or not all their maps) are done by the begin of the cell.
struct SetCut {
  std::uint32_t jobs = 0;  // one bit for each job
  std::size_t cell = 0;
  bool maps = false;  // the cut is for their maps
};

// Shrinks windows to multiples of the unit. agree() then finds the empty ones.
inline void shrink_to_units(std::vector<Windows>& windows, double unit) {
  if (unit <= 0) return;
  const auto up = [&](double& from) { from = std::ceil((from - rounding) / unit) * unit; };
  const auto down = [&](double& to) { to = std::floor((to + rounding) / unit) * unit; };
  for (Windows& own : windows) {
    up(own.maps_from);
    up(own.from);
    down(own.maps_to);
    down(own.to);
  }
}

// Makes windows consistent with heads and tails. False if nothing is left.
[[nodiscard]] inline bool agree(const std::vector<WindowJob>& jobs, std::vector<Windows>& windows) {
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
