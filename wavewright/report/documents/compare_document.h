// The comparison of policies over paired runs, for any metric (docs/formats/schemas/compare.schema.json).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "wavewright/report/documents/json.h"
#include "wavewright/sim/experiment/paired_test.h"

namespace wavewright {

struct ComparedPolicy {
  std::string policy;
  SampleStatistics statistics;
};
struct ComparedPair {
  std::string one, other;
  PairedTest test;  // one − other
};
// `left_out`: runs of some policy without a value, or without a partner under some other policy; each counts
// once. `undefined`: policies without a value in any run. `unpaired`: pairs of other policies without a
// common run.
struct ComparedMetric {
  std::string metric;
  std::vector<ComparedPolicy> policies;
  std::vector<ComparedPair> pairs;
  std::size_t left_out = 0;
  std::vector<std::string> undefined;
  std::vector<std::pair<std::string, std::string>> unpaired;
};

[[nodiscard]] Json compare_document(const std::vector<ComparedMetric>& metrics);

}  // namespace wavewright
