// The predictor of a job's stored runs, and the runs that it leaves out as text; shared by `predict` and
// `slots`.
#pragma once

#include <string>
#include <vector>

#include "apps/context.h"
#include "wavewright/predict/predictor.h"
#include "wavewright/store/store.h"

namespace wavewright::app {

struct RunChoiceFlags {
  bool all_runs = false;
  bool left_out = false;

  void declare(CLI::App& command);
  // With --all-runs a predictor uses every successful run, of any configuration and age, also those that
  // shared the cluster.
  [[nodiscard]] PredictorOptions with(const PredictionOptions& prediction) const;
};

[[nodiscard]] Predictor job_predictor(const Store& store, const std::string& name,
                                      std::vector<RunPhases> runs, const PredictorOptions& options);

// `from 7 successful runs; left out: 1 shared the cluster (…)`, without a line's end.
[[nodiscard]] std::string used_text(const RunChoice& choice, bool with_hint);

// The runs left out, one a line, with the reason.
void list_left_out(const RunChoice& choice);

}  // namespace wavewright::app
