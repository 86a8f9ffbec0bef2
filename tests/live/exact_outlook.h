// Batches whose forecasts can be told by hand: no run differs from its profile, so all continuations are one.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "wavewright/live/outlook/outlook.h"

namespace wavewright {

inline constexpr Time outlook_now = at_ms(1'700'000'000'000);

inline std::shared_ptr<LengthModel> exact_lengths(Duration map, Duration reduce = {}) {
  auto model = std::make_shared<LengthModel>(fixed_lengths(map, reduce));
  model->maps.between = model->reduces.between = 0;
  return model;
}

// A job of so many maps.
inline LiveJob job_in(LiveState state, const std::string& id, Count maps) {
  LiveJob job;
  job.id = id;
  job.state = state;
  job.maps = {maps, ms(10'000)};
  return job;
}

// The batch and what is known of its jobs; their maps take 10 s.
struct ExactOutlook {
  LiveBatch batch;
  KnownJobs known;

  LiveJob& add(LiveState state, const std::string& id, Count maps = 1,
               const std::optional<JobProgress>& progress = std::nullopt) {
    batch.jobs.push_back(job_in(state, id, maps));
    known[id] = known_job(batch.jobs.back(), exact_lengths(ms(10'000), ms(10'000)), progress);
    return batch.jobs.back();
  }
  [[nodiscard]] Outlook on(const Cluster& cluster) const {
    return look({.cluster = cluster, .policy = "fifo"});
  }
  [[nodiscard]] Outlook look(const OutlookOptions& how) const {
    return look_ahead(batch, known, how, outlook_now);
  }
};

// Seconds from now; -1 if nothing is said.
inline double told_in(const Outlook& outlook, const std::string& id,
                      std::optional<Forecast> JobOutlook::* what) {
  const JobOutlook* of = outlook.of(id);
  if (of == nullptr || !(of->*what)) return -1;
  return static_cast<double>(((of->*what)->p50 - outlook_now).count()) / 1'000;
}
inline double start_in(const Outlook& outlook, const std::string& id) {
  return told_in(outlook, id, &JobOutlook::start);
}
inline double maps_done_in(const Outlook& outlook, const std::string& id) {
  return told_in(outlook, id, &JobOutlook::maps_done);
}
inline double end_in(const Outlook& outlook, const std::string& id) {
  return told_in(outlook, id, &JobOutlook::end);
}

// One of so many maps has run for `age`, and the others wait.
inline JobProgress one_runs(Count maps, Duration age) {
  JobProgress progress;
  progress.at = outlook_now;
  progress.maps = {.total = maps, .running = 1, .tasks = {{age, false, false}}};
  return progress;
}

}  // namespace wavewright
