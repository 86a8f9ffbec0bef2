// By when all jobs of a set can be done at the soonest, with their maps and at all, for every set of a few
// jobs: what windows and cuts follow from that.
//
// All maps of a set take a time that bounds of a stage give (lower_bound.h), and longer where others that
// have to end soon after must have worked by then. All jobs of a set take what the bounds on their makespan
// say, and no less than any of those whose maps end late and the reduces of these.
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

  // `jobs` are those of the batch and must outlive it. Stopped, it is of no use. O(2^jobs · tasks · log
  // tasks).
  SetEnds(const Workload& batch, SlotPool pool, const std::vector<WindowJob>& jobs, const Stop& stop);

  // Takes from the windows what sets rule out: the last of a set ends no sooner than the set does. Whether
  // any schedule is left. O(2^jobs · jobs).
  [[nodiscard]] bool narrow(std::vector<Windows>& windows);
  // Of the windows seen last: each set that is not done by then while all its subsets may be.
  [[nodiscard]] std::vector<SetCut> cuts(Cells cells) const;

 private:
  using Set = std::uint32_t;

  void find(const std::vector<Windows>& windows);
  [[nodiscard]] double maps_end(Set set, const std::vector<Windows>& windows) const;
  [[nodiscard]] bool narrow_last(std::vector<Windows>& windows, bool& changed) const;

  const std::vector<WindowJob>& jobs_;
  double map_slots_;
  double first_ = 0;                                      // submission of all
  std::vector<double> maps_alone_, reduces_alone_, all_;  // by set, of the batch alone
  std::vector<double> map_work_;                          // by set
  std::vector<double> maps_ends_, ends_;                  // by set, of the windows
};

}  // namespace wavewright
