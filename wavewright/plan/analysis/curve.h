// How long a batch takes on pools of growing size, each with a plan that shows it.
//
// A larger pool is never worse than a smaller one that it contains: leaving slots idle is a plan too. List
// schedules know anomalies [Graham 1969: more slots can make the same order longer], so where the plan found
// for a larger pool is worse than a smaller pool's, the curve takes that smaller pool's plan, whose `pools`
// then name the slots it uses (`idle` tells how many are left). In the same way a lower bound of a larger
// pool holds for every pool that it contains.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/plan/planner.h"

namespace wavewright {

struct CurvePoint {
  Count count = 0;  // on the axis
  SlotPool pool;
  Plan plan;      // with value and lower bound of this pool
  SlotPool idle;  // of the pool: slots that the plan leaves alone
};

struct MakespanCurve {
  std::vector<CurvePoint> points;  // in order of size
  std::optional<std::size_t> knee;
  bool partial = false;  // stopped before every pool was tried: those tried, in order
};

struct CurveProblem {
  std::shared_ptr<const Workload> batch;
  Objective objective = Objective::makespan;
  double slowstart = 1.0;
  std::uint64_t seed = 0;
  std::string method = {};        // empty: `best` from a few orders on (heuristic.h)
  std::uint64_t evaluations = 0;  // a pool; 0 = as many as place 200 million tasks on all of them together
};

struct CurvePool {
  Count count = 0;
  SlotPool pool;
};

// Each pool must contain the one before it. `progress` is told how many are done, never twice at once. Pools
// are tried side by side; the answer does not depend on how many processors there are. However short the time
// it has the first point, where it was not asked to stop.
[[nodiscard]] MakespanCurve makespan_curve(const CurveProblem& problem, const std::vector<CurvePool>& pools,
                                           const std::function<void(std::size_t)>& progress,
                                           const Stop& stop);

// The point farthest below the line from the first point to the last, both axes scaled to the range of the
// curve [Satopää et al. 2011, "Kneedle"]: before it slots help more than on average, behind it less. It
// depends on the range. None of fewer than three points, or where no point lies below the line.
[[nodiscard]] std::optional<std::size_t> knee_of(const std::vector<std::pair<double, double>>& points);

}  // namespace wavewright
