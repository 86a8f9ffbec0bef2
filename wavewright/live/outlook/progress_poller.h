// Reads the progress of running jobs, gently: a step makes a few requests, whatever the number of jobs.
//
// Jobs without a reading come first, the latest started before the others. Then come the oldest readings. So
// 500 jobs are read one after another, and each has its turn. Jobs with a promised deadline have requests of
// their own: their readings must not be older the more other jobs there are.
#pragma once

#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "wavewright/live/batch/live_batch.h"
#include "wavewright/live/outlook/job_progress.h"

namespace wavewright {

struct PollBudget {
  std::size_t requests_per_step = 4;
  Duration again_after = ms(5'000);     // a job is read no oftener
  Duration after_silence = ms(30'000);  // of one whose application master did not answer, or has no tasks
  std::size_t promised_per_step = 40;   // requests
  Duration promised_again_after = ms(2'000), promised_after_silence = ms(5'000);
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

  // Jobs whose masters cannot answer, by id: they keep their readings, and are not asked.
  void leave_out(std::set<std::string> jobs) { left_out_ = std::move(jobs); }

  // By job's id, the latest reading.
  [[nodiscard]] const std::unordered_map<std::string, JobProgress>& known() const { return known_; }

 private:
  using Due = std::vector<const LiveJob*>;
  // The first of them that the requests are enough for.
  void keep_first(Due& due, std::size_t requests) const;

  ProgressReader& reader_;
  PollBudget budget_;
  std::unordered_map<std::string, JobProgress> known_;
  std::unordered_map<std::string, Duration> due_;  // by id, of jobs that were asked
  std::set<std::string> left_out_;
};

}  // namespace wavewright
