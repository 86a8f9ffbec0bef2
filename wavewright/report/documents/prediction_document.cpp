#include "wavewright/report/documents/prediction_document.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "wavewright/report/documents/left_out_document.h"

namespace wavewright {

Json prediction_document(const std::string& name, const Prediction& prediction, const RunSize& size,
                         const RunChoice& choice) {
  const auto whole = [](double value) { return std::llround(value); };
  return {{"name", name},
          {"runs", prediction.runs},
          {"shared_used", prediction.shared_used},
          {"left_out_counts", left_out_counts_document(prediction.left_out)},
          {"left_out", left_out_document(choice)},
          {"maps", prediction.job.maps},
          {"reduces", prediction.job.reduces},
          {"map_slots", prediction.slots.map_slots},
          {"reduce_slots", prediction.slots.reduce_slots},
          {"input_bytes", size.input ? Json(size.input->count) : Json(nullptr)},
          {"scaling", to_string(prediction.scaling)},
          {"contention", prediction.contention},
          {"input_used", size.input ? Json(!prediction.input_unused) : Json(nullptr)},
          {"low_ms", whole(prediction.bounds.low_ms)},
          {"avg_ms", whole(prediction.bounds.avg_ms())},
          {"up_ms", whole(prediction.bounds.up_ms)},
          {"wave_ms", whole(prediction.wave_ms)},
          {"simple_ms", whole(prediction.simple_ms)},
          {"p5_ms", whole(prediction.percentiles.p5_ms)},
          {"p50_ms", whole(prediction.percentiles.p50_ms)},
          {"p95_ms", whole(prediction.percentiles.p95_ms)},
          {"mean_ms", whole(prediction.percentiles.mean_ms)},
          {"overhead_ms", whole(prediction.job.overhead_ms)},
          {"stages",
           {{"startup_ms", whole(prediction.percentiles.stages.startup_ms)},
            {"map_ms", whole(prediction.percentiles.stages.map_ms)},
            {"reduce_ms", whole(prediction.percentiles.stages.reduce_ms)},
            {"commit_ms", whole(prediction.percentiles.stages.commit_ms)}}},
          {"run_deviation", prediction.calibration.deviation},
          {"calibration_runs", prediction.calibration.runs},
          {"replications", prediction.percentiles.replications}};
}

}  // namespace wavewright
