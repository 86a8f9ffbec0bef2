// The price of running a task when slot time has a price, constant in each cell and 0 after the last one.
#pragma once

#include <span>
#include <vector>

#include "wavewright/plan/bounds/time_window/window_job.h"

namespace wavewright {

class PriceLine {
 public:
  explicit PriceLine(Cells cells) : cells_(cells), price_(cells.count + 1), until_(cells.count + 1) {}

  void set(std::span<const double> prices);  // for a slot and ms, by cell
  // The price of a slot from 0 to t ≥ 0.
  [[nodiscard]] double until(double t) const;

 private:
  Cells cells_;
  std::vector<double> price_, until_;  // by cell; price from 0 to its begin
};

// Prices of tasks of one length without interruption: a piecewise linear function of their start that bends
// only where they start or end at a border of cells.
class TaskPrices {
 public:
  TaskPrices(double length, Cells cells);

  void set(const PriceLine& line);  // must outlive its use
  [[nodiscard]] double length() const { return length_; }
  [[nodiscard]] double at(double start) const { return line_->until(start + length_) - line_->until(start); }
  // The cheapest start in [from, to]. O(log cells + cells between).
  [[nodiscard]] double cheapest_start(double from, double to) const;
  // The least price between each two neighbours of `starts` (ascending): one less than starts. O(log cells +
  // cells between + starts).
  void least_between(std::span<const double> starts, std::span<double> least) const;

 private:
  [[nodiscard]] std::size_t behind(double start) const;  // the first bend there

  double length_;
  std::vector<double> bends_, prices_;
  const PriceLine* line_ = nullptr;
};

}  // namespace wavewright
