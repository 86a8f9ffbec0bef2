// The durations of one run by phase; profiles pool them [CLOUD §3.2.2, HP §II-B].
//
// Only the winning attempt of each task counts. Let E be the end of the run's last winning map. A reduce that
// started no later than E gives the first-wave shuffle max(0, end of merge − E), which does not overlap the
// maps. A later one gives the later-wave shuffle, end of merge − start. The merge counts as shuffle; the rest
// is the reduce phase. If the history has no end of merge or shuffle, all of it is reduce phase. Attempts
// with impossible instants (history/sanity_checks.h) give no durations.
//
// Waits between tasks are kept as well, as no task's length contains them: a container is requested, granted
// and started after the one before it in its slot has ended.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/history/run.h"
#include "wavewright/job/profile.h"
#include "wavewright/profile/shared_settings.h"

namespace wavewright {

struct RunPhases {
  std::string id;
  RunState state = RunState::unknown;
  std::optional<Time> submit;
  std::optional<Time> finish;
  Count maps = 0;
  Count reduces = 0;
  SlotPool slots;  // peak of attempts that ran at once

  std::vector<Duration> map;
  std::vector<Duration> first_shuffle;
  std::vector<Duration> shuffle;
  std::vector<Duration> reduce;

  // Time from submission to finish without a running map or reduce: start-up, commit, and waits in between.
  std::optional<Duration> overhead;

  // From submission to finish, stage after stage; the sum is `measured()`. Absent if an instant is unknown.
  std::optional<Duration> startup;       // to the start of the first map (or reduce)
  std::optional<Duration> map_stage;     // to the end of the last map; 0 without maps
  std::optional<Duration> reduce_stage;  // to the end of the last reduce; 0 without reduces
  std::optional<Duration> commit;        // the rest

  // Over the winning attempts in order of start; each takes the slot that has been free longest.
  std::vector<Duration> map_ramp;     // first attempt of each slot: start after that of the run's first map
  std::vector<Duration> map_wait;     // other attempts: start after the end of the previous one in the slot
  std::vector<Duration> reduce_wait;  // start after both its slot and its job (slow-start) allow it

  AttemptCounts map_attempts;
  AttemptCounts reduce_attempts;

  std::optional<Bytes> map_input;  // sums over the winning attempts' tasks; absent if one is unknown
  std::optional<Bytes> map_output;
  std::optional<Bytes> reduce_input;
  std::optional<Bytes> reduce_output;

  std::string hadoop;                             // generation: `1.x`, `3.x`; empty = not told
  SharedSettings settings;                        // JobRun::settings
  std::map<std::string, Count> quality_warnings;  // JobRun::quality_warnings

  [[nodiscard]] std::optional<Duration> measured() const;  // finish − submit
  // Is the input large enough (1 MiB) to explain lengths?
  [[nodiscard]] bool has_input() const { return map_input && map_input->count >= std::int64_t{1} << 20; }
};

// O(attempts · log attempts).
[[nodiscard]] RunPhases phases_of(const JobRun& run);

}  // namespace wavewright
