// The Lagrangian dual of a time-indexed relaxation of both stages with a window for each job's last map end
// and for its end [Dyer and Wolsey 1990; Fisher 1981].
//
// Every task runs without interruption somewhere before its job's last map end, or between that and the job's
// end. That all together have no more slots than there are, on average over each cell, and that sets of jobs
// end no sooner than they can (SetCut), has a price each; at any prices each job chooses the cheapest two
// ends of its own, and the sum is a lower bound on Σ ends.
#pragma once

#include <span>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/plan/bounds/task_prices.h"
#include "wavewright/plan/bounds/window_job.h"

namespace wavewright {

class WindowDual {
 public:
  static constexpr std::size_t most_parts = 24;  // of a window: ends in one part are treated alike

  // `jobs` must outlive it.
  WindowDual(const std::vector<WindowJob>& jobs, SlotPool pool, Cells cells);

  // Σ ends is no less than that in any schedule with ends in these windows; infinite where there is none.
  // Prices, none negative: of map slots by cell, of reduce slots by cell, of cuts, in ms for a cell's slots
  // and a cut. O(jobs · (lengths · (cells + parts²))).
  [[nodiscard]] double bound(std::span<const double> prices, std::span<const SetCut> cuts,
                             std::span<const Windows> windows);

  // Of one bound, roughly.
  [[nodiscard]] double multiplications() const;

  // Of the choices seen last: how much more of what has each price they ask for than there is, as a share of
  // a cell's slots, or in jobs.
  [[nodiscard]] std::span<const double> excess() const { return excess_; }
  struct Ends {
    double maps = 0, all = 0;  // the middle of the part chosen
  };
  [[nodiscard]] std::span<const Ends> ends() const { return ends_; }
  // Leaves out of the windows what would raise the bound seen last to the target; whether anything is left.
  [[nodiscard]] bool narrow(std::vector<Windows>& windows, double target) const;

 private:
  struct Parts {                                // of one job's two windows
    std::vector<double> maps, all;              // borders
    std::vector<double> above_maps, above_all;  // by part: how much dearer than the cheapest choice
  };

  void set_prices(std::span<const double> prices, std::span<const SetCut> cuts);
  [[nodiscard]] double late_price(std::size_t job, bool maps, double end) const;
  [[nodiscard]] double choose(std::size_t job, const Windows& windows);
  void add_maps(std::size_t job);
  void add_reduces(std::size_t job);
  void use(std::size_t from, const TaskPrices& tasks, double start, double count);
  void count_cuts(std::span<const SetCut> cuts);

  const std::vector<WindowJob>& jobs_;
  double map_slots_, reduce_slots_;
  Cells cells_;
  PriceLine map_line_, reduce_line_;
  std::vector<std::vector<TaskPrices>> maps_, reduces_;  // by job and length
  std::vector<double> cut_prices_;                       // by job, stage and cell: of cuts from there on
  double bound_ = 0;
  std::vector<Parts> parts_;
  std::vector<Ends> ends_;
  std::vector<Ends> latest_;  // the ends of the parts chosen
  std::vector<double> excess_;
  std::vector<double> cost_, starts_, least_;  // of one job: by part of its maps' end and of its end; scratch
};

}  // namespace wavewright
