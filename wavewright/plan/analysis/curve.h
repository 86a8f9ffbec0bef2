// Makespan over the size of the pool: for each size a plan and a lower bound.
//
// The curve never rises. A larger pool is never worse than a smaller one inside it, because slots may stay
// idle. But list schedules have anomalies: more slots can make the same order longer [Graham 1969]. If the
// plan found for a larger pool is worse, the curve takes the smaller pool's plan; its `pools` give the slots
// in use and `idle` the others. A lower bound for a pool also holds for every pool inside it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/plan/planner.h"

namespace wavewright {

struct CurvePoint {
  Count count = 0;  // position on the axis
  SlotPool pool;
  Plan plan;      // with its value and lower bound on this pool
  SlotPool idle;  // slots of the pool that the plan leaves idle
};

struct MakespanCurve {
  std::vector<CurvePoint> points;  // by size, ascending
  std::optional<std::size_t> knee;
  bool partial = false;  // stopped early: only the pools tried so far
};

struct CurveProblem {
  std::shared_ptr<const Workload> batch;
  Objective objective = Objective::makespan;
  double slowstart = 1.0;
  std::uint64_t seed = 0;
  std::string method = {};        // empty: `best`, started from a few orders (heuristic.h)
  std::uint64_t evaluations = 0;  // per pool; 0 = enough to place 200 million tasks on all pools together
  TaskOrder task_order = TaskOrder::as_listed;  // in which the batch's tasks stand already
};

struct CurvePool {
  Count count = 0;
  SlotPool pool;
};

// Each pool must contain the one before it. Pools are tried in parallel; the result does not depend on the
// number of processors. `progress` is called with the number of pools done, never twice at once. The first
// point is always computed, unless `stop` was requested.
[[nodiscard]] MakespanCurve makespan_curve(const CurveProblem& problem, const std::vector<CurvePool>& pools,
                                           const std::function<void(std::size_t)>& progress,
                                           const Stop& stop);

// The knee: the point farthest below the line from the first point to the last, with both axes scaled to the
// range of the curve [Satopää et al. 2011, "Kneedle"]. Before the knee a slot helps more than on average,
// then less. Depends on the range. Empty for fewer than three points, or without a point below the line.
[[nodiscard]] std::optional<std::size_t> knee_of(const std::vector<std::pair<double, double>>& points);

}  // namespace wavewright
