// Launches as histories tell of them, and how long each takes on processors that they share.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/history/run.h"

namespace wavewright::sim {

struct ObservedLaunch {
  std::uint64_t at = 0;  // ms after the first
  std::size_t node = 0;
  bool master = false;
  const JobRun* run = nullptr;
  const Attempt* attempt = nullptr;  // of a task
  // Where its work keeps a processor busy: from its launch on, or when it had fetched what it works on, until
  // its end.
  std::optional<std::uint64_t> works_from = {}, works_until = {};
  // Its length, where it tells something, among those of a group that are alike but for their launches.
  std::optional<std::pair<std::size_t, double>> sample = {};
};

struct ObservedLaunches {
  std::vector<ObservedLaunch> launches;  // by time
  std::size_t nodes = 0;
  std::size_t groups = 0;  // the first: from the submission of jobs to their masters
  Count runs = 0;
  Count maps = 0;  // that tell something
  struct Job {
    std::string name;
    Count total_maps = 0;
    std::vector<double> first_shuffles, reduces;
  };
  std::map<std::size_t, Job> jobs;  // by group
};

using RunSet = std::unordered_set<const JobRun*>;

// Every start of an attempt of the runs, which must stay where they are; with `masters` also that of each
// application master, as long before its job's initialisation as where none waited for room. Of more than
// `most` attempts the newest runs'. Of runs that are `bound` it notes when they worked. O(attempts · log
// attempts).
[[nodiscard]] ObservedLaunches observe_launches(std::span<const JobRun> runs, bool masters, std::size_t most,
                                                const RunSet& bound = {});

// Of the runs those whose tasks kept a processor busy while they worked: the counter of processor time says
// at least half of what they can have had, with such launches, beside each other. Those without the counter
// are not. O(rounds · attempts · log attempts), a few rounds.
[[nodiscard]] RunSet processor_bound(std::span<const JobRun> runs, bool masters, const Launches& shared);

struct LaunchTime {
  double launch = 0;  // ms
  double work = 0;    // ms of a processor that its work had, where it keeps one busy
};

// How long each takes, in their order, when they share processors like this, with the work that keeps some
// busy. O(launches · log launches).
[[nodiscard]] std::vector<LaunchTime> launch_times(const ObservedLaunches& seen, const Launches& shared);

}  // namespace wavewright::sim
