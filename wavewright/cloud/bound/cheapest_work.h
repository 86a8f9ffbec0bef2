// The cheapest instants for work: how a stage's work costs least within its window, at given worths.
#pragma once

#include <vector>

#include "wavewright/cloud/bound/stage_windows.h"
#include "wavewright/cloud/bound/time_cells.h"

namespace wavewright {

class CheapestWork {
 public:
  explicit CheapestWork(const TimeCells& cells) : cells_(cells) {}

  // The least worth of the stage's work. Adds to `use` (by cell) where the work is done: there, or
  // where it costs little more. O(cells of the window), with a sort where the window is short.
  double place(const StageWindow& stage, const std::vector<double>& worth, std::vector<double>& use);
  // Cells that the window touches.
  [[nodiscard]] std::size_t cells_of(const StageWindow& stage) const;

 private:
  struct Part {
    std::size_t cell = 0;
    double length = 0;
    double worth = 0;
    double share = 0, done = 0;  // see spread()
  };
  void cut(const StageWindow& stage, const std::vector<double>& worth);
  double fill(const StageWindow& stage, double& highest);
  void spread(const StageWindow& stage, double highest, std::vector<double>& use);

  const TimeCells& cells_;
  std::vector<Part> parts_;  // of the window
};

}  // namespace wavewright
