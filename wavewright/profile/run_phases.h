// One run's durations, phase by phase: what profiles are pooled from [CLOUD §3.2.2, HP §II-B].
//
// Only the winning attempt of each task gives durations. Let E be the end of the run's last winning map. A
// reduce that started no later than E gives the first-wave shuffle max(0, end of merge − E), the part that
// does not overlap the maps; a later one gives the later-wave shuffle, end of merge − start. The merge counts
// as shuffle. What follows is the reduce phase; where the history tells no merge or shuffle end, all of it
// is.
#pragma once

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

  AttemptCounts map_attempts;
  AttemptCounts reduce_attempts;

  std::optional<Bytes> map_input;  // sums over the winning attempts' tasks; absent where one is not told
  std::optional<Bytes> map_output;
  std::optional<Bytes> reduce_input;
  std::optional<Bytes> reduce_output;

  [[nodiscard]] std::optional<Duration> measured() const;  // finish − submit
};

// O(attempts · log attempts).
[[nodiscard]] RunPhases phases_of(const JobRun& run);

}  // namespace wavewright
