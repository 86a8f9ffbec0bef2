#include "wavewright/report/documents/curve_document.h"

#include <nlohmann/json.hpp>

namespace wavewright {

Json curve_document(const MakespanCurve& curve, SlotAxis axis, const CurveProblem& problem, double seconds) {
  Json points = Json::array();
  Count evaluated = 0;
  for (const CurvePoint& point : curve.points) {
    evaluated += point.plan.evaluated;
    points.push_back({{"slots", point.count},
                      {"map_slots", point.pool.map_slots},
                      {"reduce_slots", point.pool.reduce_slots},
                      {"makespan_ms", to_ms(point.plan.makespan)},
                      {"total_completion_ms", to_ms(point.plan.total_completion)},
                      {"lower_bound_ms", to_ms(point.plan.lower_bound)},
                      {"proved_optimal", point.plan.proved_optimal},
                      {"idle_map_slots", point.idle.map_slots},
                      {"idle_reduce_slots", point.idle.reduce_slots}});
  }
  Json document = {{"axis", name_of(axis)},
                   {"objective", to_string(problem.objective)},
                   {"jobs", problem.batch->jobs.size()},
                   {"method", problem.method.empty() ? "best" : problem.method},
                   {"points", std::move(points)},
                   {"knee", curve.knee ? Json(curve.points[*curve.knee].count) : Json(nullptr)},
                   {"evaluated", evaluated},
                   {"seconds", seconds},
                   {"seed", problem.seed}};
  if (curve.partial) document["partial"] = true;
  return document;
}

}  // namespace wavewright
