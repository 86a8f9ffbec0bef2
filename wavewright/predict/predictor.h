// Predicts a job's runs: decides from which stored runs, and makes the prediction.
//
// `predict`, `slots`, `predict --evaluate`, the report and drawn lengths all ask it, so what is scored is
// what is answered. The rule:
//   1. Only successful runs with the times of at least half of their maps and reduces; with HoldOut::size
//   only those of another size than the question's.
//   2. Without those that shared the cluster, as a prediction is for a job alone; all if no other run has
//      every kind of task that the question has.
//   3. Those with the configuration asked for, of any size, as predictions are scaled; all if fewer than
//      three have it.
//   4. The newest `runs_at_most` of these.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "wavewright/predict/predict.h"
#include "wavewright/predict/run_choice.h"

namespace wavewright {

enum class HoldOut : std::uint8_t {
  run,  // predict a run from all others
  size  // from those of other sizes only (profile/groups.h)
};

struct PredictorOptions {
  PredictionOptions prediction;
  bool every_configuration = false;  // rule 3 is left out
  bool shared_too = false;           // rule 2 is left out
  std::size_t runs_at_most = 200;    // the time of a prediction grows with them
};

// What is asked about a run: its size, and the run whose configuration it has.
struct RunQuestion {
  RunSize size;
  std::optional<RunPhases> like = std::nullopt;  // absent = the newest successful run
  HoldOut hold_out = HoldOut::run;
};
// Of a stored run: its own size and configuration.
[[nodiscard]] RunQuestion question_of(const RunPhases& run, HoldOut hold_out = HoldOut::run);

class Predictor {
 public:
  // `runs` of one job, newest first. `shared`: ids of runs that shared the cluster (store/sharing.h).
  Predictor(std::string name, std::vector<RunPhases> runs, std::set<std::string> shared = {},
            PredictorOptions options = {});
  // The same for many jobs with one set.
  Predictor(std::string name, std::vector<RunPhases> runs,
            std::shared_ptr<const std::set<std::string>> shared, PredictorOptions options);

  // The same without that run. O(1).
  [[nodiscard]] Predictor without(std::size_t place) const;

  // O(runs · settings).
  [[nodiscard]] RunChoice choose(const RunQuestion& question = {}) const;

  // Throws as wavewright::predict does.
  [[nodiscard]] Prediction predict(SlotPool slots, const RunQuestion& question = {}) const;
  // The same where `choose` was asked already.
  [[nodiscard]] Prediction predict_from(const RunChoice& choice, SlotPool slots, const RunSize& size) const;

  // Predicts the stored run at `place` from the others, on the slots that it had (profile/concurrency.h).
  // Nothing if it did not succeed, is incomplete or has no slots or no measured time, or if the others lack a
  // run to predict from (with reduces, if it has some).
  [[nodiscard]] std::optional<Prediction> predict_stored(std::size_t place,
                                                         HoldOut hold_out = HoldOut::run) const;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::vector<RunPhases>& runs() const { return *runs_; }
  [[nodiscard]] bool shared(const RunPhases& run) const { return shared_->contains(run.id); }
  [[nodiscard]] const PredictorOptions& options() const { return options_; }
  // The same with other options. O(1).
  [[nodiscard]] Predictor with(PredictorOptions options) const;

 private:
  std::string name_;
  std::shared_ptr<const std::vector<RunPhases>> runs_;
  std::shared_ptr<const std::set<std::string>> shared_;
  PredictorOptions options_;
  std::optional<std::size_t> without_;
};

}  // namespace wavewright
