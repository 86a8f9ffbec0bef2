// Lengths of tasks by profile, from the runs of a store; for forecasts of jobs that run.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>

#include "wavewright/live/batch/live_batch.h"
#include "wavewright/predict/length_model.h"
#include "wavewright/predict/track_record.h"
#include "wavewright/store/store.h"

namespace wavewright::app {

// The errors of past predictions of a job: of its stored runs, and of promises in live batches.
[[nodiscard]] TrackRecord record_of(const Store& store, const Predictor& predictor);

class ProfileLengths {
 public:
  // The store must outlive it.
  explicit ProfileLengths(const Store& store) : store_(store) {}

  // Lengths from the runs that a prediction of the job uses; null if there are none. They are read again
  // after some minutes, as runs are imported meanwhile.
  [[nodiscard]] std::shared_ptr<const LengthModel> of(const LiveJob& job);
  // The errors of past estimates, for each profile that was asked for.
  [[nodiscard]] std::map<std::string, TrackRecord> records() const;

 private:
  struct Read {
    std::chrono::steady_clock::time_point at;
    std::shared_ptr<const LengthModel> lengths;
    TrackRecord record;
  };
  const Store& store_;
  std::map<std::string, Read> read_;  // by profile
};

}  // namespace wavewright::app
