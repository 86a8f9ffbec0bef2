// Compares the promises of a live batch with what happened, job by job.
//
// A promise is the end that was expected when the batch began or the job was added; its deadline is the
// promise that its user was given. An end is off by what the job waited longer for its first task, and by
// what it ran longer from then on.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "wavewright/live/batch/live_batch.h"

namespace wavewright {

// Facts from the histories of a job.
struct JobHistory {
  std::optional<Time> first_task = std::nullopt;
  Count failed_attempts = 0;
};

struct CheckedJob {
  std::string id;
  LiveState state{};
  std::optional<Time> promised_start, promised_end, start, end, deadline;
  std::optional<Duration> off;       // end − promised end
  std::optional<double> error;       // of the promised length, from the first task on
  std::optional<bool> deadline_met;  // absent while it may still be met, or without one
  std::string why;                   // it is off, for people; empty if it is not by much
};

struct NightCheck {
  std::vector<CheckedJob> jobs;
  std::size_t broken = 0;                  // deadlines that were not met
  std::size_t checked = 0;                 // jobs that are done and had a promise
  double mean_error = 0;                   // of these, absolute
  std::optional<Duration> promised, took;  // of the whole, from its beginning; absent if one is unknown
};

// Off by less than this and a twentieth of the promised length is not explained.
inline constexpr Duration not_off = ms(5'000);

// The jobs that ended in or after `from`, and those that have not ended. `histories`: by job. O(jobs).
[[nodiscard]] NightCheck check_night(const LiveBatch& batch,
                                     const std::unordered_map<std::string, JobHistory>& histories, Time from,
                                     Time now);

}  // namespace wavewright
