// Rents and prices of time that slots ask of tasks, and the bound on energy that they prove (energy_bound.h).
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "wavewright/cluster/power.h"
#include "wavewright/energy/plan/least_energy.h"
#include "wavewright/energy/plan/slot_capacity.h"

namespace wavewright {

// mW that a slot asks for, by row of Cluster::nodes and by kind (map, reduce).
using SlotPrices = std::vector<std::array<double, slot_kinds>>;

class Rents {
 public:
  // A place for rent: the slots of a kind on all machines of a row; or the makespan, which needs no task.
  struct Place {
    std::size_t row = 0, kind = 0;
    double slots = 0;  // 0: the makespan
  };
  // Power that flows anyway, and the places that share it.
  struct Budget {
    double power = 0;  // mW
    std::vector<std::size_t> places;
    std::vector<double> shares;  // they add up to 1
  };
  // Rents, and prices of time by row, kind and window (`at`).
  struct Point {
    std::vector<std::vector<double>> shares;  // by budget
    std::vector<double> prices;               // mW
  };

  // Equal shares, no prices. `capacity`: null without prices of time. All must outlive it.
  Rents(const LeastEnergy& least, const Cluster& cluster, const SlotCapacity* capacity);

  // Σ of the claim for the present shares and prices, in µJ. Sets the loads: the time for which the slots of
  // each place are in use, where each task takes its cheapest row. O(tasks · rows + stages · rows · windows)
  double value();
  // Moves shares towards places with a high load: a step along the subgradient.
  void step(double size);

  [[nodiscard]] Point point() const;
  void set(const Point& point);
  // The shares that give at least such rents, as far as there is power for them.
  [[nodiscard]] Point with_rents(const SlotPrices& rents, std::vector<double> prices) const;

  [[nodiscard]] SlotPrices by_row() const;
  // By stage and row: what a slot asks for, with the prices of the windows in which the tasks must run.
  [[nodiscard]] std::vector<std::vector<double>> by_stage() const;
  // mW: of the order of what a slot costs in all where that price is asked.
  [[nodiscard]] double usual_price(std::size_t at) const;
  [[nodiscard]] std::size_t steps_of_value() const;

  [[nodiscard]] std::vector<Budget>& budgets() { return budgets_; }  // that of all machines is the last
  [[nodiscard]] const std::vector<Budget>& budgets() const { return budgets_; }
  [[nodiscard]] const std::vector<Place>& places() const { return places_; }
  [[nodiscard]] std::vector<double>& prices() { return prices_; }
  [[nodiscard]] std::size_t windows() const { return capacity_ == nullptr ? 0 : capacity_->windows(); }
  [[nodiscard]] std::size_t at(std::size_t row, std::size_t kind, std::size_t window) const {
    return (row * slot_kinds + kind) * windows() + window;
  }
  [[nodiscard]] double time_there(std::size_t at) const;  // slots · ms in the window
  [[nodiscard]] const LeastEnergy& least() const { return least_; }
  [[nodiscard]] const SlotCapacity* capacity() const { return capacity_; }
  // The row whose machines' own surplus the budget is; not of the last one.
  [[nodiscard]] std::size_t row_of(std::size_t budget) const {
    return places_[budgets_[budget].places[0]].row;
  }

 private:
  void add_row(std::size_t row, const NodeGroup& group, const NodePower& power, Budget& all);
  [[nodiscard]] double price_of_time(std::size_t stage, std::size_t row, std::size_t kind) const;
  [[nodiscard]] double price_of_all_time() const;
  void set_usual_prices();

  const LeastEnergy& least_;
  const SlotCapacity* capacity_;
  std::size_t rows_;
  std::vector<double> slot_times_;  // ms, by tasks of a stage and by row
  std::vector<Place> places_;
  std::vector<Budget> budgets_;
  std::vector<double> loads_;   // ms, by place
  std::vector<double> prices_;  // by `at`
  SlotPrices usual_prices_;
};

}  // namespace wavewright
