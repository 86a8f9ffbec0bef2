// Explains the present state of a job in a live batch: one word for programs, one sentence, YARN's own words,
// and the command to type next.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/live/batch/live_batch.h"
#include "wavewright/live/outlook/outlook.h"
#include "wavewright/live/yarn/yarn_words.h"

namespace wavewright {

enum class WhyCode : std::uint8_t {
  nobody_runs_it,     // no program runs the batch
  held,               // by its user
  after_jobs,         // jobs before it are not done
  not_before,         // its time has not come
  dispatching_queue,  // it waits for a round
  behind_others,      // others are submitted first
  command_started,    // its command runs, and YARN has no application yet
  master_starts,      // YARN has given its application master a container
  queue_masters,      // YARN: the queue's share for application masters is used up
  user_limit,         // YARN: its user has as much as he may
  queue_full,         // YARN: its queue has as much as it may
  cluster_full,       // YARN: no node has room
  waits_for_tasks,    // it runs, and asks for more containers than it gets
  runs,
  done,
  failed,
  cancelled,
  unknown
};
// `NobodyRunsIt`, `Held`, …
[[nodiscard]] std::string_view to_string(WhyCode code);
[[nodiscard]] const std::vector<std::string>& why_codes();

struct WhyFacts {
  std::shared_ptr<const Outlook> outlook = std::make_shared<const Outlook>();  // empty = none; never null
  std::optional<YarnWords> yarn = std::nullopt;         // absent = it was not asked, or gave no answer
  bool led = true;                                      // a program runs the batch
  std::optional<Containers> containers = std::nullopt;  // what tasks ask for; absent = as YARN's defaults
};

struct Why {
  WhyCode code{};
  std::string sentence;
  std::string yarn;  // its own words; empty = none
  std::string next;  // a command
  std::optional<Forecast> start, end;
  // Containers with which it would start now; absent too where a limit of the masters' share holds it back.
  std::optional<Count> more;
};

// `jobs`: of the batch, whose own are not looked at. O(jobs).
[[nodiscard]] Why why(const LiveBatch& batch, std::span<const LiveJob> jobs, const LiveJob& job,
                      const WhyFacts& facts, Time now);
// Likewise, of the batch's own jobs.
[[nodiscard]] Why why(const LiveBatch& batch, const LiveJob& job, const WhyFacts& facts, Time now);

}  // namespace wavewright
