// Learns from past runs what a cluster adds to the work of tasks: launches that wait for processors, the
// start of application masters and the end of jobs, heartbeats, and what a shuffle takes besides its bytes.
// For Cluster::launches, ::masters, ::mode and ::network.
//
// Launches are found by their effect on each other: maps of one job, alike in work, last longer if many
// processes start at once. Every start of an attempt enters the queue of sim/kernel/launch_queue.h; so does
// every start of a master, as long before its job's initialisation as for masters that did not wait for room.
// The fit seeks the launch time and the number of processors for which the maps of each job differ least
// without their launches, and so do its reduces up to the end of their shuffle, where they began after the
// maps. Tasks with different work blur this but do not bias it. A guess is refused if it leaves tasks less
// than they surely worked: if more than one map in a hundred ends before its launch is over, if more of those
// reduces have shuffled by then than by chance, or if most runs keep less than their processor time.
// Processors given in the cluster file are kept: in a few runs two of them with short launches look much like
// three with longer ones.
//
// Where all maps wait for about as many others, they hardly differ, and launches do not show: see
// sim/calibration/known_jobs.h.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/history/run.h"

namespace wavewright {

// Medians of a job's tasks without their launches, for a workload that is simulated with those launches.
struct NetLengths {
  std::string name;
  Count total_maps = 0;
  Duration map{};
  std::vector<Duration> map_deciles;  // eleven, from the shortest to the longest; empty without usable maps
  Duration first_shuffle{};           // of reduces in the first wave [HP §II-B]
  Duration reduce{};                  // after the shuffle
};

struct Overheads {
  Count runs = 0;  // runs used
  Count maps = 0;  // maps compared
  // processors = 0 if launches do not show that they wait for one another.
  Launches launches;
  // Mean distance of a map's length from its job's median, ms: as measured, and without its launch.
  double spread = 0;
  double spread_without_launch = 0;
  // Start: of the soonest quarter of jobs. Finish: a median. With slots: from submission to a job's first
  // task, and from its last task to its end.
  Duration master_start{};   // from the launch of a master to its first request
  Duration master_finish{};  // from the last task's end to the job's
  // From the last map's end to a first-wave reduce's work, lower quartile: what even a small shuffle takes.
  std::optional<Duration> shuffle;
  // Periods seen in the starts of tasks; empty if none are (sim/calibration/heartbeat_history.h).
  std::optional<Duration> heartbeat;         // of nodes
  std::optional<Duration> master_heartbeat;  // with containers
  std::vector<NetLengths> jobs;              // by name and number of maps
};

// `runs`: on such a cluster, in any order, with all runs that overlap. UsageError if none has maps to
// compare. O(tries · attempts · log attempts), about 500 tries; beyond 20,000 attempts the newest runs count.
// `given`: launches that are not sought any more, O(attempts · log attempts).
[[nodiscard]] Overheads learn_overheads(std::span<const JobRun> runs, const Cluster& told,
                                        const std::optional<Launches>& given = {});

struct NetRun {
  JobRun run;
  bool processor_bound = false;
};

// The runs as if their tasks had been launched in no time, for workloads that are simulated with those
// launches. Each attempt starts when its launch on the cluster ended, at the latest at its own end, a reduce
// at the end of its shuffle. Work of processor-bound runs (sim/calibration/launch_history.h) lasts as long as
// the processor time that it got beside launches and other such work. Overlapping runs must all be included;
// order is kept. O(attempts · log attempts).
[[nodiscard]] std::vector<NetRun> without_launches(std::vector<JobRun> runs, const Cluster& cluster);

// Writes the overheads into the cluster: nodes' heartbeat if it has none, masters' if it is over 2 % off.
void apply(const Overheads& overheads, Cluster& cluster);

}  // namespace wavewright
