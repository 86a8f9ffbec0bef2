// The Lagrangian dual of a time-indexed relaxation of both stages, with windows for each job's last map end
// and for its end [Dyer and Wolsey 1990; Fisher 1981].
//
// A map runs without interruption before its job's last map end, a reduce between that and the job's end.
// Each shared constraint has a price: the average use of map slots and of reduce slots in each cell; at most
// one job at a time holds more than half of the reduce slots; sets of jobs end no sooner than they can
// (SetCut). At any prices each job chooses its cheapest two ends, and the sum is a lower bound on Σ weight ·
// end.
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
  static constexpr std::size_t most_parts = 24;  // of a window; ends in the same part are equivalent

  // `jobs` must outlive it.
  WindowDual(const std::vector<WindowJob>& jobs, SlotPool pool, Cells cells);

  // A lower bound on Σ weight · end of any schedule with ends in these windows; infinite if there is none. If
  // the cells have a unit, all windows begin and end at its multiples. `prices` ≥ 0, in ms for all slots of a
  // cell, or for a cut: map slots by cell, then reduce slots, then more than half of the reduce slots, then
  // cuts. O(jobs · lengths · (cells + parts²)).
  [[nodiscard]] double bound(std::span<const double> prices, std::span<const SetCut> cuts,
                             std::span<const Windows> windows);

  // The approximate cost of one bound.
  [[nodiscard]] double multiplications() const;

  // The supply of each priced resource: 1 for a cell's slots, the set's size − 1 for a cut.
  [[nodiscard]] std::vector<double> limits(std::span<const SetCut> cuts) const;
  // The last choice of each job as a linear function of the prices; its ends are the middles of the parts.
  [[nodiscard]] std::vector<Bundle::Linear> choices(std::span<const SetCut> cuts) const;
  // Narrows the windows: drops parts that would raise the last bound to `target`. False if nothing is left.
  [[nodiscard]] bool narrow(std::vector<Windows>& windows, double target) const;

 private:
  struct Parts {                                // parts of one job's two windows
    std::vector<double> maps_from, maps_to;     // first and last map end, by part
    std::vector<double> from, to;               // first and last end
    std::vector<double> above_maps, above_all;  // by part: cost above the cheapest choice
    std::size_t row = 0, column = 0;            // the chosen parts of map end and job end
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
  std::vector<double> most_;                             // by job: most_together() of its reduces
  std::vector<double> cut_prices_;  // by job, stage and cell: total price of cuts from this cell on
  double bound_ = 0;
  std::vector<Parts> parts_;
  std::vector<double> cost_, starts_, least_;  // scratch of one job; cost_ by part of map end and of job end
};

}  // namespace wavewright
