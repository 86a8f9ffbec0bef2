#include "wavewright/cloud/bound/cheapest_work.h"

#include <algorithm>
#include <cmath>

namespace wavewright {

std::size_t CheapestWork::cells_of(const StageWindow& stage) const {
  if (stage.work <= 0) return 0;
  const std::size_t last = std::isinf(stage.to) ? cells_.count() - 1 : cells_.at(stage.to);
  return last - std::min(last, cells_.at(stage.from)) + 1;
}

void CheapestWork::cut(const StageWindow& stage, const std::vector<double>& worth) {
  parts_.clear();
  for (std::size_t cell = cells_.at(stage.from); cell < cells_.count(); ++cell) {
    const double from = std::max(stage.from, cells_.edges[cell]);
    if (from >= stage.to) break;
    const double to = cell < cells_.finite() ? std::min(stage.to, cells_.edges[cell + 1]) : stage.to;
    parts_.push_back({cell, to - from, worth[cell]});
  }
}

double CheapestWork::place(const StageWindow& stage, const std::vector<double>& worth,
                           std::vector<double>& use) {
  if (stage.work <= 0) return 0;
  cut(stage, worth);
  if (parts_.empty()) return 0;
  const auto least = std::min_element(parts_.begin(), parts_.end(),
                                      [](const Part& a, const Part& b) { return a.worth < b.worth; });
  double value = stage.work * least->worth, highest = least->worth;
  if (least->length * stage.rate < stage.work) value = fill(stage, highest);
  spread(stage, highest, use);
  return value;
}

// The cheapest parts first, each as full as the stage's rate allows.
double CheapestWork::fill(const StageWindow& stage, double& highest) {
  std::sort(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) { return a.worth < b.worth; });
  double left = stage.work, value = 0;
  for (const Part& part : parts_) {
    const double done = std::min(left, part.length * stage.rate);
    if (done <= 0) break;
    value += done * part.worth;
    highest = part.worth;
    left -= done;
  }
  return value;
}

// Parts get the more, the less they cost beside the last one filled. This smooths the subgradient; the value
// does not depend on it.
void CheapestWork::spread(const StageWindow& stage, double highest, std::vector<double>& use) {
  constexpr double longest = 7'200'000, steep = 20;
  for (Part& part : parts_) {
    const double above = part.worth / std::max(highest, 1e-300) - 1;
    const double near = above > 0 ? 1 / (1 + steep * above) : 1 - steep * above;
    part.share = std::min(part.length, longest) * near * near * near * near;
  }
  double left = stage.work;
  for (int round = 0; round < 3 && left > 0; ++round) {
    double sum = 0;
    for (const Part& part : parts_) sum += part.share;
    if (sum <= 0) return;
    const double scale = left / sum;
    for (Part& part : parts_) {
      const double more = std::min(part.share * scale, part.length * stage.rate - part.done);
      part.done += more;
      use[part.cell] += more;
      left -= more;
      if (part.done >= part.length * stage.rate) part.share = 0;
    }
  }
}

}  // namespace wavewright
