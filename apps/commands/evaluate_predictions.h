// `wavewright predict --evaluate`: accuracy of predictions of stored runs.
#pragma once

#include <string>
#include <vector>

#include "apps/context.h"
#include "apps/table.h"
#include "wavewright/predict/evaluate.h"
#include "wavewright/store/store.h"

namespace wavewright::app {

struct EvaluationRequest {
  std::string name;  // empty = every job
  bool like = false;
  PredictorOptions options;
  HoldOut hold_out = HoldOut::run;
  bool left_out = false;  // name the runs that are left out for every run
  std::string out;        // .html or .svg; empty = no drawing
};

[[nodiscard]] HoldOut parse_hold_out(const std::string& text);  // throws UsageError
[[nodiscard]] const std::vector<Column>& evaluation_fields();
// Writes the list, the errors by job, and the drawing. Returns the exit status.
[[nodiscard]] int show_evaluation(const Store& store, const EvaluationRequest& request,
                                  const ListOptions& list, const Context& context);

}  // namespace wavewright::app
