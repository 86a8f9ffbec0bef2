// The schedules of a batch that no other known one beats in all of makespan, energy and price.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wavewright/energy/plan/draft.h"
#include "wavewright/energy/plan/evaluate_energy.h"

namespace wavewright {

struct FrontierPlan {
  EnergyPlan plan;
  std::string method;  // as PlannedEnergy::method
  EnergyValue value;
};

// Keeps what may stand on the frontier for some tardiness. Prices are compared in micro-dollars.
class EnergyFrontier {
 public:
  struct Point {
    EnergyValue value;
    std::string method;
    std::optional<Draft> draft;  // none: the schedule of the policy `method`
  };

  // Leaves the point out if a known one is as good in all of tardiness, makespan, energy and price.
  // O(points).
  void add(const EnergyValue& value, const std::string& method, const Draft* draft);
  [[nodiscard]] const std::vector<Point>& points() const { return points_; }
  // Those with at most so much tardiness that none of them beats in the other three, by makespan, then by
  // energy. O(points²).
  [[nodiscard]] std::vector<const Point*> at_most(Duration tardiness) const;

 private:
  std::vector<Point> points_;
};

}  // namespace wavewright
