// Jobs that are to be added to a batch, tried without adding them: when each would start and end, and whether
// its deadline can be met. For `submit --test-only` and the HTTP API.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/context.h"
#include "wavewright/history/source/server.h"
#include "wavewright/live/batch/live_batch.h"
#include "wavewright/live/outlook/outlook.h"
#include "wavewright/store/store.h"

namespace wavewright::app {

struct TestRequest {
  std::optional<Cluster> cluster = std::nullopt;  // absent = as `resource_manager` tells
  const WebServer* resource_manager = nullptr;    // may be null if there is a cluster
  std::size_t most_at_once = 0;
  std::optional<double> slowstart = std::nullopt;  // of the jobs; absent = the cluster's own
  const std::atomic<bool>* stop = nullptr;         // as of OutlookOptions
};

struct TestedJob {
  std::string id;
  std::optional<Forecast> start, end;  // absent if nothing is known of its tasks, or of a job before it
  std::optional<Time> deadline;
  std::optional<double> on_time;      // probability that it meets its deadline
  std::optional<TrackRecord> record;  // of its profile

  // In fewer than a twentieth of the continuations it meets its deadline.
  [[nodiscard]] bool cannot_be_met() const;
};

// `outlook`: the latest one of the batch, for the progress of its jobs. Throws UsageError if no cluster is
// known, ExternalError if the ResourceManager gives no answer, Interrupted if it is to stop.
[[nodiscard]] std::vector<TestedJob> test_jobs(const Store& store, LiveBatch batch, const Outlook& outlook,
                                               const std::vector<LiveJob>& added, const TestRequest& request);

[[nodiscard]] Json test_document(const std::vector<TestedJob>& jobs);
void print_tested(const Json& tested);
// `etl is to end by 06:00:00, and would end about …`; empty if no deadline is out of reach.
[[nodiscard]] std::string refusal_of(const Json& tested);

}  // namespace wavewright::app
