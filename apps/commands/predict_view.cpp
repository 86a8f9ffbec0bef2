#include "apps/commands/predict_view.h"

#include <cmath>
#include <iostream>

#include <fmt/format.h>

#include "apps/commands/job_runs.h"

namespace wavewright::app {

namespace {

std::string duration_text(double milliseconds) {
  return format_duration(ms(std::llround(milliseconds)));
}

std::string scaling_text(ScalingMethod method) {
  switch (method) {
    case ScalingMethod::none:
      return "lengths as the runs had them";
    case ScalingMethod::same_size:
      return "of that size already";
    case ScalingMethod::fitted:
      return "shuffle and reduce by the line fitted through the runs' sizes";
    case ScalingMethod::proportional:
      break;
  }
  return "shuffle and reduce in proportion to the data, for the runs are all of one size";
}

}  // namespace

void tell_of_few_runs(const Prediction& prediction, Count asked, const Context& context) {
  const Count simulated = prediction.percentiles.replications;
  if (simulated >= asked) return;
  context.note(fmt::format(
      "note: p5, p50 and p95 rest on {} simulated runs instead of {}, for those of {} maps and {} reduces "
      "take long",
      simulated, asked, prediction.job.maps, prediction.job.reduces));
}

void tell_record(const TrackRecord& record) {
  if (const std::string text = record_text(record); !text.empty())
    std::cout << "such predictions: " << text << '\n';
  if (const std::string text = change_text(record); !text.empty())
    std::cout << "WARNING: the job has changed: " << text << "; predictions rest on older runs, too\n";
}

const std::vector<Column>& method_columns() {
  static const std::vector<Column> all = {{"method", "method", false, false},
                                          {"time_ms", "time", true, false},
                                          {"meaning", "meaning", false, true}};
  return all;
}

void show_methods(const Prediction& prediction, const ListOptions& list) {
  Table table{method_columns(), {}};
  const auto row = [&](const char* method, double time, const std::string& meaning) {
    table.rows.push_back({std::string(method), Cell(duration_text(time), std::llround(time)), meaning});
  };
  row("low", prediction.bounds.low_ms, "no assignment of such tasks is faster");
  row("average", prediction.bounds.avg_ms(), "the middle of low and up");
  row("up", prediction.bounds.up_ms,
      "no greedy assignment of such tasks is slower, but for waits between them");
  row("waves", prediction.wave_ms, "whole waves of middling tasks");
  const Percentiles& simulated = prediction.percentiles;
  row("p5", simulated.p5_ms, "nine runs of ten are between p5 and p95:");
  row("p50", simulated.p50_ms, fmt::format("the middle of {} simulated runs", simulated.replications));
  row("p95", simulated.p95_ms,
      prediction.calibration.runs > 1
          ? fmt::format("widened by what {} runs strayed from such predictions", prediction.calibration.runs)
          : "widened by what runs usually stray, for this job has too few");
  list.write(table, {"method", "time_ms", "meaning"});
}

void show_prediction(const std::string& name, const Prediction& prediction, const RunSize& size,
                     const std::string& used) {
  std::cout << fmt::format("{}: {} maps and {} reduces on {} map and {} reduce slots", shown_name(name),
                           prediction.job.maps, prediction.job.reduces, prediction.slots.map_slots,
                           prediction.slots.reduce_slots);
  if (size.input) std::cout << ", " << format_bytes(*size.input) << " input";
  std::cout << fmt::format("\n{}\n{}{}\n\n", used, scaling_text(prediction.scaling),
                           prediction.contention ? ", scaled to that many tasks at once" : "");
  show_methods(prediction, {});
  const RunStages& stages = prediction.percentiles.stages;
  std::cout << fmt::format(
      "\nsubmission to finish; simulated: start-up {}, maps {}, then reduces {}, commit {}\n",
      duration_text(stages.startup_ms), duration_text(stages.map_ms), duration_text(stages.reduce_ms),
      duration_text(stages.commit_ms));
}

}  // namespace wavewright::app
