// The time that slots have between releases and deadlines: what the bound on energy knows of when tasks may
// run (energy_bound.h).
//
// A window is the time between an instant at which tasks may start and one at which some must have ended.
// Tasks whose release and deadline are both in the window run in it, so that together they take no more time
// than the slots have there. Few windows are looked at, among them the whole time up to the last deadline.
#pragma once

#include <cstddef>
#include <vector>

#include "wavewright/energy/plan/least_energy.h"

namespace wavewright {

class SlotCapacity {
 public:
  // O(stages · (log stages + windows) + node rows · windows)
  SlotCapacity(const LeastEnergy& least, const Cluster& cluster);

  [[nodiscard]] std::size_t windows() const { return windows_.size(); }  // 0 without deadlines
  // Slots · ms in the window on all machines of the row. A machine for rent is there after its boot.
  [[nodiscard]] double of(std::size_t row, std::size_t kind, std::size_t window) const {
    return capacity_[(row * slot_kinds + kind) * windows() + window];
  }
  // The windows in which the tasks of the stage must run.
  [[nodiscard]] const std::vector<std::size_t>& windows_of(std::size_t stage) const {
    return of_stage_[stage];
  }
  // ms between the first release and the last deadline on machines of the row; infinite if a stage has none.
  [[nodiscard]] double horizon(std::size_t row) const { return horizons_[row]; }

 private:
  struct Window {
    double from = 0, to = 0;  // ms
  };
  void find_windows(const LeastEnergy& least);

  std::vector<Window> windows_;
  std::vector<double> capacity_, horizons_;
  std::vector<std::vector<std::size_t>> of_stage_;
};

}  // namespace wavewright
