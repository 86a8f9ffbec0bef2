// The Lagrangian dual of a time-indexed relaxation of both stages with a window for each job's last map end
// and for its end [Dyer and Wolsey 1990; Fisher 1981].
//
// Every task runs without interruption somewhere before its job's last map end, or between that and the job's
// end. What all jobs share has a price each: slots of both kinds, on average over each cell; that no two jobs
// which both need more than half of the reduce slots at an instant, whenever else they run, have the same
// instant, likewise; and that sets of jobs end no sooner than they can (SetCut). At any prices each job
// chooses the cheapest two ends of its own, and the sum is a lower bound on Σ ends.
#pragma once

#include <span>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/plan/bounds/time_window/bundle.h"
#include "wavewright/plan/bounds/time_window/task_prices.h"
#include "wavewright/plan/bounds/time_window/window_job.h"

namespace wavewright {

class WindowDual {
 public:
  static constexpr std::size_t most_parts = 24;  // of a window: ends in one part are treated alike

  // `jobs` must outlive it.
  WindowDual(const std::vector<WindowJob>& jobs, SlotPool pool, Cells cells);

  // Σ ends is no less than that in any schedule with ends in these windows; infinite where there is none.
  // Prices, none negative: of map slots by cell, of reduce slots, of more than half of them, of cuts, in ms
  // for a cell's slots and a cut. O(jobs · (lengths · (cells + parts²))).
  [[nodiscard]] double bound(std::span<const double> prices, std::span<const SetCut> cuts,
                             std::span<const Windows> windows);

  // Of one bound, roughly.
  [[nodiscard]] double multiplications() const;

  // How much there is of what has a price: a cell's slots, or all jobs of a set but one.
  [[nodiscard]] std::vector<double> limits(std::span<const SetCut> cuts) const;
  // Of each job, what it chose last: what it costs at any prices, for the middles of the parts chosen.
  [[nodiscard]] std::vector<Bundle::Linear> choices(std::span<const SetCut> cuts) const;
  // Leaves out of the windows what would raise the bound seen last to the target; whether anything is left.
  [[nodiscard]] bool narrow(std::vector<Windows>& windows, double target) const;

 private:
  struct Parts {                                // of one job's two windows
    std::vector<double> maps, all;              // borders
    std::vector<double> above_maps, above_all;  // by part: how much dearer than the cheapest choice
    std::size_t row = 0, column = 0;            // chosen: of maps, of all
  };

  void set_prices(std::span<const double> prices, std::span<const SetCut> cuts);
  [[nodiscard]] double late_price(std::size_t job, bool maps, double end) const;
  [[nodiscard]] double choose(std::size_t job, const Windows& windows);
  void add_maps(std::size_t job);
  void add_reduces(std::size_t job);
  void add_most(std::size_t job);
  [[nodiscard]] Bundle::Linear choice(std::size_t job, std::span<const SetCut> cuts) const;

  const std::vector<WindowJob>& jobs_;
  double map_slots_, reduce_slots_;
  Cells cells_;
  PriceLine map_line_, reduce_line_, most_line_;
  std::vector<std::vector<TaskPrices>> maps_, reduces_;  // by job and length
  std::vector<double> most_;        // by job: so long more than half of its slots are busy
  std::vector<double> cut_prices_;  // by job, stage and cell: of cuts from there on
  double bound_ = 0;
  std::vector<Parts> parts_;
  std::vector<double> cost_, starts_, least_;  // of one job: by part of its maps' end and of its end; scratch
};

}  // namespace wavewright
