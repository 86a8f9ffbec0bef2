// Raises the bound of a search node: a bundle method improves prices; job sets, busy slots and the aim narrow
// windows.
#pragma once

#include <vector>

#include "wavewright/core/stop.h"
#include "wavewright/plan/bounds/time_window/bundle.h"
#include "wavewright/plan/bounds/time_window/set_ends.h"
#include "wavewright/plan/bounds/time_window/timetable.h"
#include "wavewright/plan/bounds/time_window/window_dual.h"

namespace wavewright {

struct WindowNode {
  double bound = 0;  // on Σ weight · end
  std::vector<Windows> windows;
  std::vector<SetCut> cuts;
  std::vector<double> prices;  // as WindowDual takes them
  std::size_t looked = 0;      // number of dual bounds computed

  friend bool operator>(const WindowNode& a, const WindowNode& b) { return a.bound > b.bound; }
};

class WindowAscent {
 public:
  // `jobs` must outlive it. If `stop` ends the construction, do not use the object.
  WindowAscent(const Workload& batch, SlotPool pool, const std::vector<WindowJob>& jobs, Cells at,
               const Stop& stop);

  // The approximate cost of one dual bound and the next prices.
  [[nodiscard]] double multiplications() const;

  // Raises the bound with at most `most` dual bounds. Drops parts of windows without schedules below `aim`.
  // False if nothing is left.
  [[nodiscard]] bool raise(WindowNode& node, double aim, std::size_t most, const Stop& stop);
  // Splits the node raised last at the window whose ends differ most.
  [[nodiscard]] std::vector<WindowNode> halves(const WindowNode& node) const;

 private:
  void carry_prices(WindowNode& node) const;
  [[nodiscard]] bool narrow(WindowNode& node, double aim);
  [[nodiscard]] bool shrink(WindowNode& node) const;

  const std::vector<WindowJob>& jobs_;
  Cells cells_;
  SetEnds sets_;
  Timetable busy_;
  WindowDual dual_;
  Bundle bundle_;
};

}  // namespace wavewright
