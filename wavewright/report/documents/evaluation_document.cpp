#include "wavewright/report/documents/evaluation_document.h"

#include <cmath>
#include <map>

#include <nlohmann/json.hpp>

#include "wavewright/report/documents/left_out_document.h"

namespace wavewright {

namespace {

Json json_of(const MeanAbsoluteError& mean) {
  return {{"runs", mean.runs},
          {"low", mean.low},
          {"avg", mean.avg},
          {"up", mean.up},
          {"wave", mean.wave},
          {"p50", mean.p50},
          {"p50_bias", mean.bias},
          {"within_bounds", mean.within_bounds},
          {"at_most_p95", mean.at_most_p95},
          {"within_interval", mean.within_interval},
          {"stages",
           {{"runs", mean.staged_runs},
            {"startup", mean.startup},
            {"map", mean.map_stage},
            {"reduce", mean.reduce_stage},
            {"commit", mean.commit}}}};
}

Json json_of(const RunPrediction& run, bool shared) {
  const Prediction& predicted = run.predicted;
  const auto whole = [](double value) { return std::llround(value); };
  // A measured stage is null if the run's stages are unknown.
  const auto stage = [&](double RunStages::* of) {
    return run.measured_stages ? Json(whole(*run.measured_stages.*of)) : Json(nullptr);
  };
  return {{"id", run.id},
          {"name", run.name},
          {"runs", predicted.runs},
          {"shared_used", predicted.shared_used},
          {"left_out_counts", left_out_counts_document(predicted.left_out)},
          {"maps", predicted.job.maps},
          {"reduces", predicted.job.reduces},
          {"map_slots", predicted.slots.map_slots},
          {"reduce_slots", predicted.slots.reduce_slots},
          {"scaling", to_string(predicted.scaling)},
          {"shared", shared},
          {"measured_ms", whole(run.measured_ms)},
          {"low_ms", whole(predicted.bounds.low_ms)},
          {"avg_ms", whole(predicted.bounds.avg_ms())},
          {"up_ms", whole(predicted.bounds.up_ms)},
          {"wave_ms", whole(predicted.wave_ms)},
          {"p5_ms", whole(predicted.percentiles.p5_ms)},
          {"p50_ms", whole(predicted.percentiles.p50_ms)},
          {"p95_ms", whole(predicted.percentiles.p95_ms)},
          {"error_avg", run.error(predicted.bounds.avg_ms())},
          {"error_p50", run.error(predicted.percentiles.p50_ms)},
          {"within_interval", run.within_interval()},
          {"startup_ms", stage(&RunStages::startup_ms)},
          {"map_stage_ms", stage(&RunStages::map_ms)},
          {"reduce_stage_ms", stage(&RunStages::reduce_ms)},
          {"commit_ms", stage(&RunStages::commit_ms)}};
}

}  // namespace

ErrorsByJob errors_by_job(const std::vector<RunPrediction>& runs) {
  std::map<std::string, std::vector<RunPrediction>> jobs;
  for (const RunPrediction& run : runs) jobs[run.name].push_back(run);
  ErrorsByJob errors;
  for (const auto& [name, own] : jobs) errors.emplace_back(name, mean_absolute_error(own));
  return errors;
}

Json evaluation_document(const Evaluation& evaluation, const std::optional<MeanAbsoluteError>& every,
                         bool partial) {
  Json runs = Json::array();
  for (const RunPrediction& run : evaluation.alone) runs.push_back(json_of(run, false));
  for (const RunPrediction& run : evaluation.shared) runs.push_back(json_of(run, true));
  Json jobs = Json::array();
  for (const auto& [name, mean] : errors_by_job(evaluation.alone)) {
    Json entry = {{"name", name}};
    entry.update(json_of(mean));
    jobs.push_back(std::move(entry));
  }
  return {{"runs", std::move(runs)},
          {"not_predicted", evaluation.not_predicted},
          {"not_reached", evaluation.not_reached},
          {"partial", partial},
          {"jobs", std::move(jobs)},
          {"mean_absolute_error", json_of(mean_absolute_error(evaluation.alone))},
          {"mean_absolute_error_shared", json_of(mean_absolute_error(evaluation.shared))},
          {"mean_absolute_error_all_configurations", every ? json_of(*every) : Json(nullptr)}};
}

}  // namespace wavewright
