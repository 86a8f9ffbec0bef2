// Task durations of a batch from the profiles of its jobs, as ranges from which each seed draws others.
#pragma once

#include <string>
#include <vector>

#include "wavewright/job/workload_file.h"
#include "wavewright/predict/predictor.h"
#include "wavewright/profile/run_phases.h"
#include "wavewright/store/store.h"

namespace wavewright::app {

class ProfiledLengths {
 public:
  void add(const JobRun& run);  // one whose job is in the batch
  // By job of the batch, whose time 0 is `first`: of all stored runs of its name that are in its run's group
  // (profile/groups.h) and that a prediction uses (predict/predictor.h). Of a run without name only its own.
  [[nodiscard]] std::vector<OpenDurations> of(const Workload& batch, Time first, const Store& store);
  // Runs that `of` left out of their groups.
  [[nodiscard]] const LeftOutCounts& left_out() const { return left_out_; }

 private:
  std::vector<RunPhases> runs_;
  std::vector<std::string> names_;  // by run
  LeftOutCounts left_out_;
};

}  // namespace wavewright::app
