// A prediction in its forms: for people, as one table, as JSON.
#pragma once

#include <string>
#include <vector>

#include "apps/context.h"
#include "apps/table.h"
#include "wavewright/predict/predict.h"

namespace wavewright::app {

// The methods as rows: their names, times and what they mean.
[[nodiscard]] const std::vector<Column>& method_columns();
void show_methods(const Prediction& prediction, const ListOptions& list);

// That table between what was predicted and how the simulated runs pass.
void show_prediction(const std::string& name, const Prediction& prediction, const RunSize& size);

// A note where fewer runs could be simulated than were asked for.
void tell_of_few_runs(const Prediction& prediction, Count asked, const Context& context);

}  // namespace wavewright::app
