// The relaxation of demand_bound.h for one makespan: the cost of each job's cheapest map end, given a price
// on slot time at each row (instants one step apart, from 0 on).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/plan/bounds/demand_bound.h"
#include "wavewright/plan/bounds/demand_profile.h"

namespace wavewright {

// Prices by instant, for each stage; they add up to 1.
struct DemandPrices {
  std::vector<double> maps, reduces;

  DemandPrices(std::size_t rows, double each) : maps(rows + 1, each), reduces(rows + 1, each) {}
  [[nodiscard]] std::size_t rows() const { return maps.size() - 1; }
  void scale();
  // The prices interpolated to `rows` rows.
  [[nodiscard]] DemandPrices on(std::size_t rows) const;
};

class DemandRelaxation {
 public:
  // `jobs` must outlive it. The last row is at `furthest`, ms. O(jobs · rows) memory: 40 KB a job at 112
  // rows.
  DemandRelaxation(std::span<const DemandJob> jobs, SlotPool pool, double furthest, std::size_t rows);

  [[nodiscard]] double step() const { return step_; }  // ms
  [[nodiscard]] double furthest() const { return step_ * static_cast<double>(rows_); }
  [[nodiscard]] double makespan() const { return makespan_; }  // ms

  // Sets the makespan, at most `furthest`. O(tasks + jobs · rows).
  void set(double makespan);
  // The number of multiplications of price().
  [[nodiscard]] static double multiplications(std::size_t jobs, std::size_t rows) {
    return static_cast<double>(jobs * rows * (5 * rows + 100));
  }
  // Computes the cost of each job's cheapest end, and of the ends that count in a soft minimum of that
  // softness. O(jobs · rows²).
  void price(const DemandPrices& prices, double softness);
  // A lower bound on the cost of any end of the job at the last prices, as a share of slots.
  [[nodiscard]] double least_cost(std::size_t job) const;
  // Demand minus supply at the last prices. If it is above 0, no schedule has this makespan.
  [[nodiscard]] double excess(const DemandPrices& prices) const;
  // The excess with the soft minimum. Sets `lacks` to its gradient, the excess demand at each instant.
  double soft_excess(const DemandPrices& prices, DemandPrices& lacks);
  // By job: the mean end of its maps, weighted by the shares of the soft minimum, ms.
  [[nodiscard]] std::vector<std::int64_t> mean_ends();

 private:
  static constexpr std::size_t parts = 4;          // of an interval
  static constexpr std::size_t most_in_parts = 6;  // cheapest intervals of a job that are split into parts

  // Demands of a job's maps and reduces on lines, if the maps end at an interval's later or earlier end.
  // Index: k + row, where the later end is k steps before the deadline.
  struct Lines {
    std::vector<double> late_maps, late_reduces, early_maps, early_reduces;
    void resize(std::size_t points);
  };
  // A possible end of a job's maps, its cost and its demand by row.
  struct Candidate {
    double cost;
    const double *maps, *reduces;
    double end;  // ms
  };
  struct Own {
    double deadline = 0, earliest = 0;          // latest and earliest end of its maps, ms
    std::size_t intervals = 0, last_parts = 0;  // whole intervals; whole parts of the last, shorter one
    Lines whole;
    std::array<Lines, parts> part;
    std::vector<double>
        soonest;  // demand of reduces by row if they begin at the last interval's earliest end
    std::vector<Candidate> near;  // ends that count in the soft minimum
    double least = 0;             // least cost
  };

  void set_lines(const DemandJob& job, Own& own);
  void price_whole(const DemandPrices& prices, const Own& own);
  void price(const DemandPrices& prices, Own& own);
  void price_parts(const DemandPrices& prices, Own& own, std::size_t interval, std::size_t count);
  void price_last(const DemandPrices& prices, Own& own);
  void add_priced(const DemandPrices& prices, Own& own, double end, const double* maps,
                  const double* reduces);
  // The soft minimum over the job's candidates. Sets share_: their shares, which add up to 1.
  double soft_least(const Own& own);
  [[nodiscard]] double map_supply(std::size_t row) const;
  [[nodiscard]] double reduce_supply(std::size_t row) const;
  [[nodiscard]] double supply(const DemandPrices& prices) const;

  std::span<const DemandJob> jobs_;
  std::size_t rows_;
  double map_slots_, reduce_slots_;
  double step_;
  double first_ = 0;  // earliest submission
  double makespan_ = 0, softness_ = 0;
  std::vector<Own> own_;              // by job
  std::vector<double> late_, early_;  // costs of a job's whole intervals, at the later and the earlier end
  std::vector<double> share_;
  DemandProfile maps_{0, 1, 1}, reduces_{0, 1, 1}, soonest_{0, 1, 1};  // scratch of set_lines
};

}  // namespace wavewright
