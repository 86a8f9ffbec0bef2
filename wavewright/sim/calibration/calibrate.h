// What a cluster adds to the work of tasks, learnt from runs on it: launches that wait for processors, the
// start of application masters and the end of jobs, heartbeats, what a shuffle takes besides its bytes. For
// Cluster::launches, ::masters, ::mode and ::network.
//
// Launches are found by what they do to one another: maps of one job, alike in work, last longer where many
// processes start at once. Every start of an attempt (and of a master, as long before its job's
// initialisation as where none waited for room) enters the queue of sim/kernel/launch_queue.h; what is sought
// is the time, and the number of processors that share it, with which the maps of each job differ least among
// themselves once their launches are taken off. Tasks whose work differs blur this and do not bias it.
// Processors that the cluster file tells are taken as told: from a few runs two of them and short launches
// are hard to tell from three and longer ones.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/history/run.h"

namespace wavewright {

// What is left of a job's tasks when their launches are taken off: medians, for a workload that is simulated
// with those launches.
struct NetLengths {
  std::string name;
  Count total_maps = 0;
  Duration map{};
  std::vector<Duration> map_deciles;  // eleven, from the shortest to the longest; empty where no map tells
  Duration first_shuffle{};           // of reduces in the first wave [HP §II-B]
  Duration reduce{};                  // after the shuffle
};

struct Overheads {
  Count runs = 0;  // of which something was learnt
  Count maps = 0;  // whose lengths were compared
  // processors = 0 where launches do not show that they wait for one another.
  Launches launches;
  // Mean distance of a map's length from the median of its job, ms: as measured, and without its launch.
  double spread = 0;
  double spread_without_launch = 0;
  // Medians. With slots: until the first task of a job starts, and to its end.
  Duration master_start{};   // from the launch of a master to its first request
  Duration master_finish{};  // from the last task's end to the job's
  // From the last map's end to a first-wave reduce's work, of the quarter of reduces that took least: what
  // even a small shuffle takes.
  std::optional<Duration> shuffle;
  // That tasks' starts show; nothing where they show none (sim/calibration/heartbeat_history.h).
  std::optional<Duration> heartbeat;         // of nodes
  std::optional<Duration> master_heartbeat;  // with containers
  std::vector<NetLengths> jobs;              // by name and number of maps
};

// Of runs on such a cluster, in any order; those that overlap must all be among them. UsageError where no run
// has maps to compare. O(tries · attempts · log attempts) with about 500 tries; of more than 20,000
// attempts the newest runs count.
[[nodiscard]] Overheads learn_overheads(std::span<const JobRun> runs, const Cluster& told);

struct NetRun {
  JobRun run;
  bool processor_bound = false;
};

// The runs as they would have been, had their tasks been launched in no time: each attempt starts when its
// launch on the cluster was over, by its end at the latest. Work of processor-bound runs
// (sim/calibration/launch_history.h) is as long as the processor time that it had of what it shared with
// launches and other such work. So are workloads made that are simulated with those launches. Runs that
// overlap must all be among them; they keep their order. O(attempts · log attempts).
[[nodiscard]] std::vector<NetRun> without_launches(std::vector<JobRun> runs, const Cluster& cluster);

// Writes them into the cluster: of the nodes' heartbeat only where it tells none, of the masters' only where
// they are off by more than 2 %.
void apply(const Overheads& overheads, Cluster& cluster);

}  // namespace wavewright
