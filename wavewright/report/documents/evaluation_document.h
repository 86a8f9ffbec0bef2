// The evaluation document: predictions of stored runs compared with their measured times
// (docs/formats/schemas/evaluate.schema.json).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wavewright/predict/evaluate.h"
#include "wavewright/report/documents/json.h"

namespace wavewright {

// Mean errors of each job's runs, by name.
using ErrorsByJob = std::vector<std::pair<std::string, MeanAbsoluteError>>;
[[nodiscard]] ErrorsByJob errors_by_job(const std::vector<RunPrediction>& runs);

// `every`: mean errors of predictions from runs of all configurations, if computed. `partial`: it was
// stopped.
[[nodiscard]] Json evaluation_document(const Evaluation& evaluation,
                                       const std::optional<MeanAbsoluteError>& every, bool partial = false);

}  // namespace wavewright
