// The price of running a task, given prices of slot time: constant in each cell, 0 after the last one.
#pragma once

#include <span>
#include <vector>

#include "wavewright/plan/bounds/time_window/window_job.h"

namespace wavewright {

class PriceLine {
 public:
  explicit PriceLine(Cells cells) : cells_(cells), price_(cells.count + 1), until_(cells.count + 1) {}

  void set(std::span<const double> prices);  // per slot and ms, by cell
  // The price of a slot from 0 to t ≥ 0.
  [[nodiscard]] double until(double t) const;

 private:
  Cells cells_;
  std::vector<double> price_, until_;  // by cell: price; total price from 0 to its begin
};

// Price of an uninterrupted task of one length: a piecewise linear function of its start, with bends only
// where it starts or ends at a cell border.
class TaskPrices {
 public:
  TaskPrices(double length, Cells cells);

  void set(const PriceLine& line);  // `line` must outlive the use of the object
  [[nodiscard]] double length() const { return length_; }
  [[nodiscard]] double at(double start) const { return line_->until(start + length_) - line_->until(start); }
  // The cheapest start in [from, to]. O(log cells + cells between).
  [[nodiscard]] double cheapest_start(double from, double to) const;
  // The least price between neighbouring `starts` (ascending). O(log cells + cells between + starts).
  void least_between(std::span<const double> starts, std::span<double> least) const;

 private:
  [[nodiscard]] std::size_t behind(double start) const;  // index of the first bend after `start`

  double length_;
  std::vector<double> bends_, prices_;
  const PriceLine* line_ = nullptr;
};

}  // namespace wavewright
