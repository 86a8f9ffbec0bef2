// Forecasts of the start and end of each job in a live batch: simulated continuations of the batch, from the
// tasks that are done, those that run, and the profiles.
//
// In each continuation a run draws its shift (predict/length_update.h), each task its length from the
// profile, and one that runs a length beyond its age. With a cluster, all jobs together go through
// the cluster's engine under its scheduler (sim/simulate_cluster.h), so that they wait for one
// another. The jobs that run get as much of a start as a new job's master takes. Without a cluster each
// running job goes on alone, on as many slots as it holds now (predict/single_job.h), and nothing is said of
// those that wait.
//
// Left out are: jobs of others, jobs without profile and tasks, jobs that are held and those after
// them, the rounds of a dispatching queue (its order is that of the engine now). A limit of jobs at once is
// taken in order: a job begins when the one N places before it has ended.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "wavewright/cluster/cluster.h"
#include "wavewright/live/batch/live_batch.h"
#include "wavewright/live/outlook/job_progress.h"
#include "wavewright/predict/length_update.h"
#include "wavewright/predict/track_record.h"

namespace wavewright {

// Nine of ten continuations are between p5 and p95.
struct Forecast {
  Time p5{}, p50{}, p95{};

  friend bool operator==(const Forecast&, const Forecast&) = default;
};

// A deadline that fewer of the continuations meet is missed rather than met.
inline constexpr double likely = 0.5;

struct JobOutlook {
  std::optional<Forecast> start = std::nullopt;      // of the first task; absent once it has begun
  std::optional<Forecast> maps_done = std::nullopt;  // absent once it is past
  std::optional<Forecast> end = std::nullopt;
  std::optional<double> on_time = std::nullopt;  // share of the continuations that meet its deadline
  // Lengths of this run's tasks beside those of its profile, once some are done.
  std::optional<double> map_factor = std::nullopt, reduce_factor = std::nullopt;
  std::optional<JobProgress> progress = std::nullopt;

  friend bool operator==(const JobOutlook&, const JobOutlook&) = default;
};

struct Outlook {
  Time at{};
  std::string model = {};  // that the forecasts come from, for people
  std::unordered_map<std::string, JobOutlook> jobs = {};
  std::map<std::string, TrackRecord> records = {};  // by profile

  // Null if nothing is known of it.
  [[nodiscard]] const JobOutlook* of(const std::string& id) const;
  [[nodiscard]] const TrackRecord* record_of(const LiveJob& job) const;

  friend bool operator==(const Outlook&, const Outlook&) = default;
};

// A job's expected lengths, its progress, and what follows from both.
struct KnownJob {
  std::shared_ptr<const LengthModel> lengths = nullptr;  // null = nothing
  std::optional<JobProgress> progress = std::nullopt;
  LengthUpdate maps = {}, reduces = {};  // of its progress, beside lengths × LiveJob::map_drift
};
using KnownJobs = std::unordered_map<std::string, KnownJob>;

// `lengths` and `progress` with the updates that follow. O(tasks seen).
[[nodiscard]] KnownJob known_job(const LiveJob& job, std::shared_ptr<const LengthModel> lengths,
                                 std::optional<JobProgress> progress);

struct OutlookOptions {
  std::optional<Cluster> cluster = std::nullopt;
  std::string policy = "capacity";   // the cluster's own scheduler
  std::size_t most_at_once = 0;      // jobs on the cluster; 0 = no limit
  Count replications = 60;           // fewer if there are very many tasks
  std::size_t most_waiting = 1'000;  // jobs that wait, the first ones; nothing is said of later ones
  std::uint64_t seed = 1;
  const std::atomic<bool>* stop = nullptr;  // set by another thread, it ends look_ahead with Interrupted
};

// Throws UsageError for an unknown policy, Interrupted if it is to stop. Where no job can be placed, nothing
// is said of jobs that wait. O(replications · the engine's time); `replications` is reduced so that it is
// seconds at most.
[[nodiscard]] Outlook look_ahead(const LiveBatch& batch, const KnownJobs& known, const OutlookOptions& how,
                                 Time now);

// The cluster with the medians of the profiles as starts of masters and launches, where its file tells none.
[[nodiscard]] Cluster with_measured_starts(Cluster cluster, const KnownJobs& known);

}  // namespace wavewright
