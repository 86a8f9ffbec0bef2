// Raises the bound of a node: prices for its windows by a bundle method, and narrower windows by what sets,
// busy slots and the value of the plan that is known rule out.
#pragma once

#include <vector>

#include "wavewright/core/stop.h"
#include "wavewright/plan/bounds/time_window/bundle.h"
#include "wavewright/plan/bounds/time_window/busy_slots.h"
#include "wavewright/plan/bounds/time_window/set_ends.h"
#include "wavewright/plan/bounds/time_window/window_dual.h"

namespace wavewright {

struct WindowNode {
  double bound = 0;  // on Σ ends
  std::vector<Windows> windows;
  std::vector<SetCut> cuts;
  std::vector<double> prices;  // of WindowDual
  std::size_t looked = 0;      // bounds of the dual

  friend bool operator>(const WindowNode& a, const WindowNode& b) { return a.bound > b.bound; }
};

class WindowAscent {
 public:
  // `jobs` must outlive it. Stopped, it is of no use.
  WindowAscent(const Workload& batch, SlotPool pool, const std::vector<WindowJob>& jobs, Cells at,
               const Stop& stop);

  // Of one bound of the dual and the next prices, roughly.
  [[nodiscard]] double multiplications() const;

  // With so many bounds of the dual at most; windows lose what has no schedule below the aim. Whether
  // anything is left.
  [[nodiscard]] bool raise(WindowNode& node, double aim, std::size_t most, const Stop& stop);
  // The two halves of the node raised last, at the window whose ends differ most.
  [[nodiscard]] std::vector<WindowNode> halves(const WindowNode& node) const;

 private:
  void carry_prices(WindowNode& node) const;
  [[nodiscard]] bool narrow(WindowNode& node, double aim);

  const std::vector<WindowJob>& jobs_;
  Cells cells_;
  SetEnds sets_;
  BusySlots busy_;
  WindowDual dual_;
  Bundle bundle_;
};

}  // namespace wavewright
