// One run's durations, phase by phase: what profiles are pooled from [CLOUD §3.2.2, HP §II-B].
//
// Only the winning attempt of each task gives durations. Let E be the end of the run's last winning map. A
// reduce that started no later than E gives the first-wave shuffle max(0, end of merge − E), the part that
// does not overlap the maps; a later one gives the later-wave shuffle, end of merge − start. The merge counts
// as shuffle. What follows is the reduce phase; where the history tells no merge or shuffle end, all of it
// is. Attempts whose instants cannot be (history/sanity_checks.h) give no durations.
//
// Beside the durations stands what passes between them, for no task's length holds it: a container is asked
// for, granted and started after the slot before it was given back.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/history/run.h"
#include "wavewright/job/profile.h"

namespace wavewright {

struct RunPhases {
  std::string id;
  RunState state = RunState::unknown;
  std::optional<Time> submit;
  std::optional<Time> finish;
  Count maps = 0;
  Count reduces = 0;
  SlotPool slots;  // that it really had: the peak of attempts at work at once

  std::vector<Duration> map;
  std::vector<Duration> first_shuffle;
  std::vector<Duration> shuffle;
  std::vector<Duration> reduce;

  // Of submission to finish, the time in which none of its map and reduce attempts was at work: start-up,
  // commit, and waits in between.
  std::optional<Duration> overhead;

  // From submission to finish, stage after stage; they add up to `measured()`. Absent where one instant is.
  std::optional<Duration> startup;       // until the first map (or reduce) starts
  std::optional<Duration> map_stage;     // from there to the last map's end; 0 without maps
  std::optional<Duration> reduce_stage;  // from there to the last reduce's end; 0 without reduces
  std::optional<Duration> commit;        // what is left

  // Of the winning attempts, in order of start; a slot that became free first is taken first.
  std::vector<Duration> map_ramp;     // the first of each slot: after the run's first map
  std::vector<Duration> map_wait;     // the others: after the end of the one before in its slot
  std::vector<Duration> reduce_wait;  // after both its slot and its job (slow-start) let it begin

  AttemptCounts map_attempts;
  AttemptCounts reduce_attempts;

  std::optional<Bytes> map_input;  // sums over the winning attempts' tasks; absent where one is not told
  std::optional<Bytes> map_output;
  std::optional<Bytes> reduce_input;
  std::optional<Bytes> reduce_output;

  std::string hadoop;                             // its generation: `1.x`, `3.x`
  std::map<std::string, std::string> settings;    // as JobRun tells them: what makes runs comparable
  std::map<std::string, Count> quality_warnings;  // what was impossible in it, and how often

  [[nodiscard]] std::optional<Duration> measured() const;  // finish − submit
  // Whether its input says something of its lengths: 1 MiB or more.
  [[nodiscard]] bool has_input() const { return map_input && map_input->count >= std::int64_t{1} << 20; }
};

// O(attempts · log attempts).
[[nodiscard]] RunPhases phases_of(const JobRun& run);

}  // namespace wavewright
