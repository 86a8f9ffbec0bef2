// The comparison of policies over paired runs, for any metric (docs/formats/schemas/compare.schema.json).
#pragma once

#include <string>
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
// `left_out`: runs of some policy without a value, or without a partner under another policy. `undefined`:
// policies without a value in any run.
struct ComparedMetric {
  std::string metric;
  std::vector<ComparedPolicy> policies;
  std::vector<ComparedPair> pairs;
  std::size_t left_out = 0;
  std::vector<std::string> undefined;
};

[[nodiscard]] Json compare_document(const std::vector<ComparedMetric>& metrics);

}  // namespace wavewright
