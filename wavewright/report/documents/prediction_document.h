// The prediction document: a job's completion time by each method (docs/formats/schemas/predict.schema.json).
#pragma once

#include <string>

#include "wavewright/predict/predict.h"
#include "wavewright/report/documents/json.h"

namespace wavewright {

// `name`: of the job, as stored. `choice`: the runs that it was made from.
[[nodiscard]] Json prediction_document(const std::string& name, const Prediction& prediction,
                                       const RunSize& size, const RunChoice& choice);

}  // namespace wavewright
