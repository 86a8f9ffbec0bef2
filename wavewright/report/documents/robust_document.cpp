#include "wavewright/report/documents/robust_document.h"

#include <cmath>

#include <nlohmann/json.hpp>

namespace wavewright {

namespace {

Json json_of(const IntervalEstimate& estimate) {
  return {{"value_ms", std::llround(estimate.value)},
          {"low_ms", std::llround(estimate.low)},
          {"high_ms", std::llround(estimate.high)}};
}
Json json_of(const PlanOnDraws& plan) {
  return {{"method", plan.plan.method},
          {"nominal_ms", to_ms(plan.plan.value())},
          {"expected", json_of(plan.draws.mean)},
          {"p50", json_of(plan.draws.p50)},
          {"p95", json_of(plan.draws.p95)}};
}

}  // namespace

Json robust_document(const RobustAnswer& answer, const RobustSettings& settings) {
  return {
      {"measure", to_string(settings.measure)},
      {"spread", settings.spread},
      {"job_spread", settings.job_spread},
      {"samples", answer.tried_on},
      {"searched_with", answer.searched_with},
      {"expected_bound_ms", static_cast<std::int64_t>(answer.bound_ms)},
      {"nominal", json_of(answer.nominal)},
      {"robust", json_of(answer.robust)},
      {"change", {{"value", answer.change.value}, {"low", answer.change.low}, {"high", answer.change.high}}}};
}

}  // namespace wavewright
