// Lengths of tasks by profile, from the runs of a store; for forecasts of jobs that run.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>

#include "wavewright/live/live_batch.h"
#include "wavewright/predict/length_model.h"
#include "wavewright/predict/track_record.h"
#include "wavewright/store/store.h"

namespace wavewright::app {

// Of a profile's runs, and of the promises of live batches that the store has.
[[nodiscard]] TrackRecord record_of(const Store& store, const Predictor& predictor);

class ProfileLengths {
 public:
  // The store must outlive it.
  explicit ProfileLengths(const Store& store) : store_(store) {}

  // Of the runs that a prediction of the job uses; null if there are none. Read again after some minutes, as
  // runs are imported meanwhile.
  [[nodiscard]] std::shared_ptr<const LengthModel> of(const LiveJob& job);
  // How far off the estimates of each profile were that was asked for.
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
