// Launches seen in job histories, and how long each takes on processors that they share.
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
  bool master = false;  // of an application master
  bool client = false;  // the client of a job: it enters the queue at its submission
  const JobRun* run = nullptr;
  const Attempt* attempt = nullptr;  // of a task; null for a master
  // If it keeps a processor busy: from the launch (map) or the end of the merge (reduce) to its end.
  std::optional<std::uint64_t> works_from = {}, works_until = {};
  // When the launch was over at the latest: the end of a map, or of a reduce's shuffle.
  std::optional<std::uint64_t> over_by = {};
  std::size_t run_number = 0;         // in ObservedLaunches::processor_time; of a task
  std::optional<double> length = {};  // ms, of a task's winner
  // Group and length, ms, if usable. Members of a group are alike but for their launches. Of a map its
  // length; of a reduce that began after its job's maps the time to the end of its shuffle.
  std::optional<std::pair<std::size_t, double>> sample = {};
};

struct ObservedLaunches {
  std::vector<ObservedLaunch> launches;  // by time
  std::size_t nodes = 0;
  std::size_t groups = 0;  // group 0: from the submission of jobs to their masters
  Count runs = 0;
  Count maps = 0;  // maps with a sample
  // By run: processor time of its tasks, ms; 0 if it is not told, or some task's length is not.
  std::vector<double> processor_time;
  struct Job {
    std::string name;
    Count total_maps = 0;
    std::vector<double> first_shuffles, reduces;
  };
  std::map<std::size_t, Job> jobs;  // by group
};

using RunSet = std::unordered_set<const JobRun*>;

// Every start of an attempt in `runs`, which must outlive the result. With `masters` also of application
// masters: as long before the job's initialisation as for masters that did not wait for room. Of more than
// `most` attempts the newest runs'. For runs in `bound` also when attempts worked. O(attempts · log
// attempts).
[[nodiscard]] ObservedLaunches observe_launches(std::span<const JobRun> runs, bool masters, std::size_t most,
                                                const RunSet& bound = {});

// The runs whose tasks kept a processor busy while they worked: their counter of processor time is at least
// half of what they can have got with such launches and beside each other. Runs without the counter are left
// out. O(rounds · attempts · log attempts), a few rounds.
[[nodiscard]] RunSet processor_bound(std::span<const JobRun> runs, bool masters, const Launches& shared);

// Setup and cleanup tasks are not work: they are part of what is learnt.
[[nodiscard]] bool works(TaskKind kind);

// Of the job's first attempt that works.
[[nodiscard]] std::optional<Time> first_start(const JobRun& run);

struct LaunchTime {
  double launch = 0;  // ms
  double work = 0;    // ms of a processor that its work got, if it keeps one busy
  bool cut = false;   // it was not over when it must have been, and ends there
};

// When the launch of a map or reduce was over at the latest.
[[nodiscard]] std::optional<Time> launched_by(TaskKind kind, const Attempt& attempt);

// Times of the launches, in order, on processors shared with processor-bound work. O(launches · log
// launches).
[[nodiscard]] std::vector<LaunchTime> launch_times(const ObservedLaunches& seen, const Launches& shared);

}  // namespace wavewright::sim
