// The relaxation of demand_bound.h for one makespan at a time: what each job's cheapest end costs, given a
// price on the slot time of each of so many instants (rows), a step apart from 0 on.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/plan/bounds/demand_bound.h"
#include "wavewright/plan/bounds/demand_profile.h"

namespace wavewright {

// One price for each instant and stage, together 1.
struct DemandPrices {
  std::vector<double> maps, reduces;

  DemandPrices(std::size_t rows, double each) : maps(rows + 1, each), reduces(rows + 1, each) {}
  [[nodiscard]] std::size_t rows() const { return maps.size() - 1; }
  void scale();
  // For so many rows: each instant's price is that of the instants beside it.
  [[nodiscard]] DemandPrices on(std::size_t rows) const;
};

class DemandRelaxation {
 public:
  static constexpr std::size_t most_rows = 96;

  // `jobs` must outlive it. Rows end at `furthest`, ms; O(jobs · most_rows) memory.
  DemandRelaxation(std::span<const DemandJob> jobs, SlotPool pool, double furthest, std::size_t rows);

  [[nodiscard]] double step() const { return step_; }  // ms
  [[nodiscard]] double furthest() const { return step_ * static_cast<double>(rows_); }
  [[nodiscard]] double makespan() const { return makespan_; }  // ms

  // Looks at schedules of that makespan from now on, at most `furthest`. O(tasks + jobs · rows).
  void set(double makespan);
  // What every job's ends cost at these prices. O(jobs · rows²).
  void price(const DemandPrices& prices);
  // Of the job's cheapest end, of its slots' share: no more than any end that it may have.
  [[nodiscard]] double least_cost(std::size_t job) const;
  // By how much all together ask for more than there is, as priced: above 0 there is no such schedule.
  [[nodiscard]] double excess(const DemandPrices& prices) const;
  // The same with a soft minimum, and what each instant lacks then: its gradient.
  double soft_excess(const DemandPrices& prices, double softness, DemandPrices& lacks) const;
  // Where each job's maps end, ms: the mean of a soft minimum's shares.
  [[nodiscard]] std::vector<std::int64_t> mean_ends(double softness) const;

 private:
  static constexpr std::size_t most_points = 2 * most_rows + 3, most_candidates = 2 * most_rows + 1;

  // By interval + row: at u, what a job's maps ask for by deadline − u·step, and its reduces after it.
  struct Demand {
    std::array<double, most_points> maps, reduces;
  };
  using Shares = std::array<double, most_candidates>;

  // The later end of each interval, the earlier one, and the last interval.
  enum class End { later, earlier, last };
  struct Candidate {
    std::size_t interval;
    End end;
  };
  [[nodiscard]] std::size_t candidates(std::size_t job) const { return 2 * intervals_[job] + 1; }
  [[nodiscard]] Candidate candidate(std::size_t job, std::size_t i) const {
    const std::size_t intervals = intervals_[job];
    if (i < intervals) return {i, End::later};
    return {i - intervals, i == 2 * intervals ? End::last : End::earlier};
  }
  [[nodiscard]] const double* costs(std::size_t job) const { return &cost_[job * most_candidates]; }
  // A soft minimum of what the job's ends cost, and each one's share of it, together 1.
  double soft_least(std::size_t job, double softness, Shares& share) const;
  [[nodiscard]] double map_supply(std::size_t row) const;
  [[nodiscard]] double reduce_supply(std::size_t row) const;
  [[nodiscard]] double supply(const DemandPrices& prices) const;

  std::span<const DemandJob> jobs_;
  std::size_t rows_;
  double map_slots_, reduce_slots_;
  double step_;
  double first_ = 0;  // submission of all
  double makespan_ = 0;
  std::vector<Demand> late_, early_;    // by job, where maps end at either end of an interval
  std::vector<double> soonest_;         // of reduces by job and row, of the last interval
  std::vector<std::size_t> intervals_;  // by job, but the last
  std::vector<double> cost_;            // by job and candidate
  DemandProfile own_maps_{0, 1, 1}, own_reduces_{0, 1, 1}, own_soonest_{0, 1, 1};  // of a job that is set
};

}  // namespace wavewright
