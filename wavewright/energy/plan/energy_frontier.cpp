#include "wavewright/energy/plan/energy_frontier.h"

#include <algorithm>
#include <tuple>

#include "wavewright/core/money.h"

namespace wavewright {

namespace {

// As good in makespan, energy and price.
bool reaches(const EnergyValue& a, const EnergyValue& b) {
  return a.makespan <= b.makespan && a.energy.total() <= b.energy.total() &&
         from_usd(a.cost_usd) <= from_usd(b.cost_usd);
}

// In tardiness, too. Of equal ones the one with less total completion time, so that the plan is one of them.
bool reaches_in_time(const EnergyValue& a, const EnergyValue& b) {
  if (a.tardiness > b.tardiness || !reaches(a, b)) return false;
  const bool equal = a.tardiness == b.tardiness && reaches(b, a);
  return !equal || a.total_completion <= b.total_completion;
}

}  // namespace

void EnergyFrontier::add(const EnergyValue& value, const std::string& method, const Draft* draft) {
  for (const Point& point : points_) {
    if (reaches_in_time(point.value, value)) return;
  }
  std::erase_if(points_, [&](const Point& point) { return reaches_in_time(value, point.value); });
  points_.push_back({value, method, draft == nullptr ? std::nullopt : std::optional(*draft)});
}

std::vector<const EnergyFrontier::Point*> EnergyFrontier::at_most(Duration tardiness) const {
  std::vector<const Point*> kept;
  for (const Point& point : points_) {
    if (point.value.tardiness > tardiness) continue;
    const bool beaten = std::any_of(points_.begin(), points_.end(), [&](const Point& other) {
      return &other != &point && other.value.tardiness <= tardiness && reaches(other.value, point.value) &&
             (!reaches(point.value, other.value) || &other < &point);
    });
    if (!beaten) kept.push_back(&point);
  }
  std::sort(kept.begin(), kept.end(), [](const Point* a, const Point* b) {
    return std::tuple(a->value.makespan, a->value.energy.total(), a->value.cost_usd) <
           std::tuple(b->value.makespan, b->value.energy.total(), b->value.cost_usd);
  });
  return kept;
}

}  // namespace wavewright
