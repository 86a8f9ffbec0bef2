// Reads the progress of running jobs, gently: a step makes a few requests, whatever the number of jobs.
//
// Jobs without a reading come first, the latest started before the others. Then come the oldest readings. So
// 500 jobs are read one after another, and each has its turn.
#pragma once

#include <map>
#include <string>
#include <unordered_map>

#include "wavewright/live/batch/live_batch.h"
#include "wavewright/live/outlook/job_progress.h"

namespace wavewright {

struct PollBudget {
  std::size_t requests_per_step = 4;
  Duration again_after = ms(5'000);     // a job is read no oftener
  Duration after_silence = ms(30'000);  // of one whose application master did not answer, or has no tasks
};

class ProgressPoller {
 public:
  // The reader must outlive it.
  explicit ProgressPoller(ProgressReader& reader, PollBudget budget = {})
      : reader_(reader), budget_(budget) {}

  // Reads as much as the budget allows, and forgets jobs that no longer run. Returns the ids of the jobs that
  // were read. `steady` is of a clock that does not jump. Never throws for a reader without answer: the job
  // is asked again later. O(running jobs · log).
  std::vector<std::string> step(const LiveBatch& batch, Time now, Duration steady);

  // By job's id, the latest reading.
  [[nodiscard]] const std::unordered_map<std::string, JobProgress>& known() const { return known_; }

 private:
  ProgressReader& reader_;
  PollBudget budget_;
  std::unordered_map<std::string, JobProgress> known_;
  std::unordered_map<std::string, Duration> due_;  // by id, of jobs that were asked
};

}  // namespace wavewright
