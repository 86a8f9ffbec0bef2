// Slots that are busy in every schedule within given windows: a task that can run neither before nor after an
// instant runs at it. The slots that other jobs leave free narrow a job's windows: timetable propagation [Le
// Pape 1988; Baptiste, Le Pape and Nuijten 2001].
#pragma once

#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/plan/bounds/time_window/window_job.h"

namespace wavewright {

class Timetable {
 public:
  // `jobs` must outlive it.
  Timetable(const std::vector<WindowJob>& jobs, SlotPool pool, Cells cells);

  // Narrows the windows by the busy slots of other jobs. False if no schedule is left. O(jobs · lengths ·
  // cells), plus one step for each length and distinct start.
  [[nodiscard]] bool narrow(std::vector<Windows>& windows);

 private:
  struct Span {
    double from = 0, to = 0;
  };

  [[nodiscard]] bool count(const std::vector<AlikeTasks>& tasks, double slots, Span span, std::size_t job);
  [[nodiscard]] double end_from(const AlikeTasks& tasks, Span span, std::size_t job, double slots);
  [[nodiscard]] double start_until(const AlikeTasks& tasks, Span span, std::size_t job, double slots);
  [[nodiscard]] bool narrow_stage(std::vector<Windows>& windows, bool maps, bool& changed);

  const std::vector<WindowJob>& jobs_;
  double map_slots_, reduce_slots_;
  Cells cells_;
  std::vector<double> busy_;              // by cell, sum over jobs
  std::vector<std::vector<double>> own_;  // by job and cell
};

}  // namespace wavewright
