// Lengths of tasks by profile, from the runs of a store, for forecasts of jobs that run; and how far off such
// estimates have been.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "apps/context.h"
#include "wavewright/job/job.h"
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

// The same for these profiles; empty where there are none or there is no store.
[[nodiscard]] std::map<std::string, TrackRecord> records_of(const Context& context,
                                                            const std::set<std::string>& profiles);
// The same for the profiles that jobs of the workload name.
[[nodiscard]] std::map<std::string, TrackRecord> records_of(const Context& context, const Workload& workload);

// A line for each profile of which something is known, and one for each that has changed.
void show_records(const std::map<std::string, TrackRecord>& records);

// As `records` of a document, by profile; nothing where there are none.
void add_records(Json& document, const std::map<std::string, TrackRecord>& records);

}  // namespace wavewright::app
