// A prediction as text, as one table, or as JSON.
#pragma once

#include <string>
#include <vector>

#include "apps/context.h"
#include "apps/table.h"
#include "wavewright/predict/predict.h"
#include "wavewright/predict/track_record.h"

namespace wavewright::app {

// The methods as rows: name, time and meaning.
[[nodiscard]] const std::vector<Column>& method_columns();
void show_methods(const Prediction& prediction, const ListOptions& list);

// That table, preceded by the question and the runs used, and followed by the stages of the simulated runs.
void show_prediction(const std::string& name, const Prediction& prediction, const RunSize& size,
                     const std::string& used);

// The errors of past predictions, and a warning if the job has changed.
void tell_record(const TrackRecord& record);

// Notes if fewer runs were simulated than requested.
void tell_of_few_runs(const Prediction& prediction, Count asked, const Context& context);

}  // namespace wavewright::app
