#include "wavewright/energy/plan/slot_capacity.h"

#include <algorithm>
#include <cmath>

namespace wavewright {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// At most `most` of the instants, evenly from all of them, with the first and the last one.
std::vector<double> some_of(std::vector<double> instants, std::size_t most) {
  std::sort(instants.begin(), instants.end());
  instants.erase(std::unique(instants.begin(), instants.end()), instants.end());
  if (instants.size() <= most) return instants;
  std::vector<double> some;
  some.reserve(most);
  for (std::size_t i = 0; i < most; ++i) some.push_back(instants[i * (instants.size() - 1) / (most - 1)]);
  return some;
}

}  // namespace

SlotCapacity::SlotCapacity(const LeastEnergy& least, const Cluster& cluster) {
  find_windows(least);
  double first = infinite, last = 0;
  for (const TaskStage& stage : least.stages) {
    first = std::min(first, stage.from);
    last = std::max(last, stage.to);
    std::vector<std::size_t>& own = of_stage_.emplace_back();
    for (std::size_t i = 0; i < windows(); ++i) {
      if (windows_[i].from <= stage.from && stage.to <= windows_[i].to) own.push_back(i);
    }
  }
  for (const NodeGroup& group : cluster.nodes) {
    const double there = group.rent ? static_cast<double>(to_ms(group.boot)) : 0;
    horizons_.push_back(std::max(1.0, last - std::max(first, there)));
    for (const Count slots : {group.slots.map_slots, group.slots.reduce_slots}) {
      for (const Window& window : windows_) {
        const double time = std::max(0.0, window.to - std::max(window.from, there));
        capacity_.push_back(static_cast<double>(slots * group.count) * time);
      }
    }
  }
}

void SlotCapacity::find_windows(const LeastEnergy& least) {
  constexpr std::size_t most = 5;  // of starts, and of ends
  std::vector<double> starts, ends;
  for (const TaskStage& stage : least.stages) {
    if (std::isinf(stage.to)) continue;
    starts.push_back(stage.from);
    ends.push_back(stage.to);
  }
  const std::vector<double> some_ends = some_of(std::move(ends), most);
  for (const double start : some_of(std::move(starts), most)) {
    for (const double end : some_ends) {
      if (start < end) windows_.push_back({start, end});
    }
  }
}

}  // namespace wavewright
