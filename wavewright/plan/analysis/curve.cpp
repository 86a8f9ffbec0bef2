#include "wavewright/plan/analysis/curve.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include <tbb/parallel_for.h>

#include "wavewright/plan/analysis/heuristic.h"
#include "wavewright/plan/bounds/lower_bound.h"

namespace wavewright {

namespace {

constexpr std::uint64_t usual_placements = 200'000'000;
constexpr std::uint64_t least_evaluations = 50, most_evaluations = 5'000;

std::uint64_t evaluations(const CurveProblem& problem, std::size_t pools) {
  if (problem.evaluations > 0) return problem.evaluations;
  const std::uint64_t tasks = 1 + problem.batch->tasks();
  return std::clamp(usual_placements / (tasks * std::max<std::size_t>(1, pools)), least_evaluations,
                    most_evaluations);
}

PlanningProblem at(const CurveProblem& problem, SlotPool pool) {
  PlanningProblem own{problem.batch, {pool, problem.slowstart}, problem.objective, problem.seed};
  own.task_order = problem.task_order;
  return own;
}

struct Bounds {
  Duration this_order, any_order;  // of tasks within jobs
};

Bounds bounds_of(const CurvePoint& point) {
  return {point.plan.lower_bound, point.plan.order_free_bound};
}

void set_bounds(CurvePoint& point, Bounds bounds) {
  point.plan.lower_bound = bounds.this_order;
  point.plan.order_free_bound = bounds.any_order;
  point.plan.proved_optimal = point.plan.value() == bounds.this_order;
}

// Takes a neighbour's orders if they are better on this pool.
void try_orders(const CurveProblem& problem, CurvePoint& point, const CurvePoint& neighbour) {
  if (point.plan.proved_optimal) return;
  PlanningProblem own = at(problem, point.pool);
  own.lower_bound = point.plan.lower_bound;
  own.order_free_bound = point.plan.order_free_bound;
  Plan moved = moved_plan(neighbour.plan, own);
  if (moved.value() >= point.plan.value()) return;
  moved.evaluated += point.plan.evaluated;
  point.plan = std::move(moved);
}

void join(const CurveProblem& problem, std::vector<CurvePoint>& points) {
  for (std::size_t i = points.size(); i-- > 1;) {
    const Bounds smaller = bounds_of(points[i - 1]), larger = bounds_of(points[i]);
    set_bounds(points[i - 1], {std::max(smaller.this_order, larger.this_order),
                               std::max(smaller.any_order, larger.any_order)});
  }
  if (problem.method.empty()) {  // otherwise the curve shows the method's own plans
    for (std::size_t i = points.size(); i-- > 1;) try_orders(problem, points[i - 1], points[i]);
    for (std::size_t i = 1; i < points.size(); ++i) try_orders(problem, points[i], points[i - 1]);
  }
  for (std::size_t i = 1; i < points.size(); ++i) {
    CurvePoint& point = points[i];
    const CurvePoint& smaller = points[i - 1];
    if (point.plan.value() <= smaller.plan.value()) continue;
    const Bounds bounds = bounds_of(point);
    point.plan = smaller.plan;
    point.idle = {smaller.idle.map_slots + point.pool.map_slots - smaller.pool.map_slots,
                  smaller.idle.reduce_slots + point.pool.reduce_slots - smaller.pool.reduce_slots};
    set_bounds(point, bounds);
  }
}

}  // namespace

MakespanCurve makespan_curve(const CurveProblem& problem, const std::vector<CurvePool>& pools,
                             const std::function<void(std::size_t)>& progress, const Stop& stop) {
  std::vector<std::optional<CurvePoint>> found(pools.size());
  const std::uint64_t effort = evaluations(problem, pools.size());
  std::mutex telling;
  std::size_t done = 0;
  tbb::parallel_for(std::size_t{0}, pools.size(), [&](std::size_t i) {
    if (stop.now() && (i > 0 || stop.requested())) return;  // at least one point within any time limit
    PlanningProblem own = at(problem, pools[i].pool);
    own.lower_bound = lower_bound(*own.batch, own.cluster.pool, own.objective);
    own.evaluations = effort;
    CurvePoint point{
        pools[i].count, pools[i].pool, heuristic_plan(problem.method, own, {}, std::nullopt, stop), {}};
    const std::scoped_lock lock(telling);
    found[i] = std::move(point);
    progress(++done);
  });
  MakespanCurve curve;
  for (std::optional<CurvePoint>& point : found) {
    if (!point) {
      curve.partial = true;
      continue;
    }
    curve.partial = curve.partial || point->plan.partial;
    curve.points.push_back(std::move(*point));
  }
  join(problem, curve.points);
  std::vector<std::pair<double, double>> line;
  line.reserve(curve.points.size());
  for (const CurvePoint& point : curve.points)
    line.emplace_back(static_cast<double>(point.count), static_cast<double>(point.plan.value().count()));
  curve.knee = knee_of(line);
  return curve;
}

std::optional<std::size_t> knee_of(const std::vector<std::pair<double, double>>& points) {
  if (points.size() < 3) return std::nullopt;
  const auto [x0, y0] = points.front();
  const auto [x1, y1] = points.back();
  if (x1 <= x0 || y1 >= y0) return std::nullopt;
  std::optional<std::size_t> knee;
  double farthest = 1e-9;  // of the unit square
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    const double below = 1 - (points[i].first - x0) / (x1 - x0) - (points[i].second - y1) / (y0 - y1);
    if (below <= farthest) continue;
    farthest = below;
    knee = i;
  }
  return knee;
}

}  // namespace wavewright
