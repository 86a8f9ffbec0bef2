#include "wavewright/predict/track_record.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wavewright/core/when.h"
#include "wavewright/predict/evaluate.h"
#include "wavewright/profile/changes.h"

namespace wavewright {

TrackRecord track_record(const Predictor& predictor, std::span<const double> live_errors,
                         std::uint64_t seed) {
  TrackRecord record;
  PredictorOptions quick = predictor.options();
  quick.prediction.interval = false;  // only p50 is scored
  quick.prediction.replications = std::min<Count>(quick.prediction.replications, 100);
  EvaluationOptions how;
  how.runs_at_most = runs_of_a_record;
  const Evaluation all = evaluate(predictor.with(quick), how);
  // A run that shared the cluster also waited for others: it says little of the prediction.
  const auto& scored = all.alone.empty() ? all.shared : all.alone;
  const MeanAbsoluteError mean = mean_absolute_error(scored);
  record.runs = mean.runs;
  record.error = mean.p50;
  record.live_runs = std::ssize(live_errors);
  for (const double error : live_errors)
    record.live_error += std::abs(error) / static_cast<double>(live_errors.size());
  const std::vector<Change> changes = find_changes(predictor.runs(), {.seed = seed});
  if (changes.empty()) return record;
  const Change& last = changes.back();
  const Count used = std::count_if(predictor.runs().begin(), predictor.runs().end(),
                                   [](const RunPhases& run) { return run.state == RunState::succeeded; });
  const Count before = static_cast<Count>(last.place);
  if (10 * before >= used) record.changed = {last.phase, last.factor, last.when, used - before};
  return record;
}

std::string record_text(const TrackRecord& record) {
  const auto part = [](double error, Count runs, const char* of) {
    return fmt::format("±{:.0f} % in {} {}", 100 * error, of,
                       runs == 1 ? "run" : fmt::format("{} runs", runs));
  };
  std::string text;
  if (record.runs > 0) text = part(record.error, record.runs, "its last");
  if (record.live_runs == 0) return text;
  return text + (text.empty() ? "" : ", ") +
         fmt::format("±{:.0f} % in {} live run{}", 100 * record.live_error, record.live_runs,
                     record.live_runs == 1 ? "" : "s");
}

std::string change_text(const TrackRecord& record) {
  if (!record.changed) return {};
  const TrackRecord::Changed& changed = *record.changed;
  return fmt::format("its {}s take {:.2f} times as long{} ({} run{})", changed.phase, changed.factor,
                     changed.when ? " since " + format_instant(*changed.when) : "", changed.runs,
                     changed.runs == 1 ? "" : "s");
}

}  // namespace wavewright
