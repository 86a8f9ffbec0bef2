// The earliest end of every set of a few jobs, with their maps and at all; narrower windows and cuts
// follow.
//
// All maps of a set take at least the bounds of a stage (lower_bound.h), and longer if other jobs that end
// soon after must have worked by then. All jobs of a set take at least the bounds on their makespan, and at
// least any end of its maps plus the reduces of the jobs that end there.
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

  // `jobs` are those of the batch and must outlive it. A stopped computation must not be used. O(2^jobs ·
  // tasks · log tasks).
  SetEnds(const Workload& batch, SlotPool pool, const std::vector<WindowJob>& jobs, const Stop& stop);

  // Narrows the windows: the last job of a set ends no sooner than the set. False if no schedule is left.
  // O(2^jobs · jobs).
  [[nodiscard]] bool narrow(std::vector<Windows>& windows);
  // Cuts from the last windows: each set that is not done by its cell while all its subsets may be.
  [[nodiscard]] std::vector<SetCut> cuts(Cells cells) const;

 private:
  using Set = std::uint32_t;

  void find(const std::vector<Windows>& windows);
  [[nodiscard]] double maps_end(Set set, const std::vector<Windows>& windows) const;
  [[nodiscard]] bool narrow_last(std::vector<Windows>& windows, bool& changed) const;

  const std::vector<WindowJob>& jobs_;
  double map_slots_;
  double first_ = 0;                                      // the common submission
  std::vector<double> maps_alone_, reduces_alone_, all_;  // by set, without windows
  std::vector<double> map_work_;                          // by set
  std::vector<double> maps_ends_, ends_;                  // by set, within the windows
};

}  // namespace wavewright
