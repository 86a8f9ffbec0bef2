#include "wavewright/report/documents/compare_document.h"

#include <cmath>

#include <nlohmann/json.hpp>

namespace wavewright {

namespace {

// Infinity has no JSON number.
Json or_null(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

Json statistics_json(const SampleStatistics& of) {
  return {{"runs", of.runs},
          {"mean", of.mean},
          {"half_95", or_null(of.half)},
          {"standard_error", or_null(of.error)},
          {"population_standard_error", of.population_error}};
}

}  // namespace

Json compare_document(const std::vector<ComparedMetric>& metrics) {
  Json document = {{"metrics", Json::array()}};
  for (const ComparedMetric& each : metrics) {
    Json policies = Json::array(), pairs = Json::array();
    for (const ComparedPolicy& policy : each.policies) {
      policies.push_back({{"policy", policy.policy}});
      policies.back().update(statistics_json(policy.statistics));
    }
    for (const ComparedPair& pair : each.pairs) {
      pairs.push_back({{"policy", pair.one},
                       {"against", pair.other},
                       {"difference", statistics_json(pair.test.difference)},
                       {"t", or_null(pair.test.t)},
                       {"p", or_null(pair.test.p)}});
    }
    Json unpaired = Json::array();
    for (const auto& [one, other] : each.unpaired) unpaired.push_back({{"policy", one}, {"against", other}});
    document["metrics"].push_back({{"metric", each.metric},
                                   {"left_out", each.left_out},
                                   {"undefined", each.undefined},
                                   {"unpaired", std::move(unpaired)},
                                   {"policies", std::move(policies)},
                                   {"pairs", std::move(pairs)}});
  }
  return document;
}

}  // namespace wavewright
