// The earliest end of the maps, and of all tasks, of every set of jobs. It narrows windows and gives cuts.
//
// The maps of a set take at least the bounds of a stage (lower_bound.h), and longer if other jobs with nearby
// deadlines must have done map work by then. The jobs of a set take at least the bounds on their makespan,
// and at least the earliest map end of some of them plus the reduces of those jobs.
#pragma once

#include <cstdint>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/core/stop.h"
#include "wavewright/job/job.h"
#include "wavewright/plan/bounds/time_window/window_job.h"

namespace wavewright {

class SetEnds {
 public:
  static constexpr std::size_t most_jobs = 10;

  // `jobs`: the jobs of the batch; must outlive it. If `stop` ends the construction, do not use the object.
  // O(2^jobs · tasks · log tasks).
  SetEnds(const Workload& batch, SlotPool pool, const std::vector<WindowJob>& jobs, const Stop& stop);

  // Narrows the windows: the last job of a set ends no sooner than the set. False if no schedule is left.
  // O(2^jobs · jobs · lengths).
  [[nodiscard]] bool narrow(std::vector<Windows>& windows);
  // Cuts from the last windows: sets that cannot be done by a cell's begin while all their subsets can.
  [[nodiscard]] std::vector<SetCut> cuts(Cells cells) const;

 private:
  using Set = std::uint32_t;

  void find(const std::vector<Windows>& windows);
  [[nodiscard]] double maps_end(Set set, const std::vector<Windows>& windows) const;
  [[nodiscard]] bool narrow_last(std::vector<Windows>& windows, bool& changed) const;

  const std::vector<WindowJob>& jobs_;
  double map_slots_;
  double first_ = 0;                                      // the earliest submission
  std::vector<double> maps_alone_, reduces_alone_, all_;  // by set, without windows
  std::vector<double> map_work_;                          // by set
  std::vector<double> maps_ends_, ends_;                  // by set, within the windows
};

}  // namespace wavewright
