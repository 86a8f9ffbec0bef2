// Deadlines that a daemon promises: a job is added only if it and all promised jobs surely end in time, as
// things stand [UNL §5.2]. The proof is that of realtime/admission.h, with feedback from tasks and the queue
// by deadlines. It holds while the ResourceManager follows the targets (live/promise/promised_targets.h).
//
// A promised job's tasks count from the instant by which its master asks for them. Containers are kept for
// it until then, so nothing behind it blocks it. A job without promise goes last: only what it runs counts.
//
// Readings of progress are some seconds old. Tasks may have started since in containers that seem free, or in
// place of tasks that seem to run, of whichever job waits for them: for an answer, as many as there may be
// count as started now, with the longest bound. A reduce that runs before its job's maps are done ends with
// its job's deadline, or nobody knows when.
//
// After a node was lost, or with tasks above their bounds, a promise may not be kept. Such a job holds up no
// other.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "wavewright/cluster/assignment_delays.h"
#include "wavewright/core/error.h"
#include "wavewright/live/batch/live_batch.h"
#include "wavewright/live/outlook/job_progress.h"
#include "wavewright/live/outlook/outlook.h"
#include "wavewright/predict/track_record.h"

namespace wavewright {

using ProgressByJob = std::unordered_map<std::string, JobProgress>;  // by job's id

struct PromiseRules {
  SlotPool slots;           // containers of each kind at once; nobody else has them
  AssignmentDelays delays;  // without setup, which each promise has of its own
  Duration lead{};          // from a job's submission until its master asks for tasks
};

struct PromisedEnd {
  std::string job;
  Time deadline{}, end{};  // it surely ends by `end`, as things stand
  // Its end may be behind its deadline, by more than waits for reports explain
  // (AdmissionController::is_promised).
  bool at_risk = false;
  bool master_lost = false;  // the node of its master does not answer: `end` is if another one starts now
};

// The promised jobs that have not ended, by deadline. O(jobs · steps of the vectors).
[[nodiscard]] std::vector<PromisedEnd> promised_ends(const LiveBatch& batch, const ProgressByJob& progress,
                                                     const PromiseRules& rules, Time now);

// A promised job whose promise is at risk where the batch holds the contrary, or no more where it holds that.
struct FoundRisk {
  std::string job;
  bool at_risk = false;
  std::string detail;  // for people
};
// Tasks may run longer than was said. So a job whose deadline the forecast expects to be missed stays at
// risk, though by its bounds it is in time. `outlook`: the latest forecast, null = none.
[[nodiscard]] std::vector<FoundRisk> found_risks(const LiveBatch& batch, const ProgressByJob& progress,
                                                 const PromiseRules& rules, Time now,
                                                 const Outlook* outlook = nullptr);

// A daemon's cluster as it is seen at an instant: nodes that are away have no slots, and what they held is
// to be done again (live/promise/node_watch.h).
struct SeenCluster {
  ProgressByJob progress;
  SlotPool slots;
};

// Why a deadline is not promised, and what would be.
struct PromiseRefusal {
  std::string job = {};                    // id
  std::string code = {};                   // `DeadlineNotSure` …; docs/use/real-time.md lists them
  std::string sentence = {};               // for people
  std::optional<Time> end = std::nullopt;  // it surely ends by then
  std::optional<Time> earliest_deadline = std::nullopt;  // it would be promised
  std::optional<SlotPool> lacks = std::nullopt;          // so many more slots would do
  std::vector<std::string> give_way = {};                // promised jobs without which it would be promised
  std::string profile = {};                              // of the job; empty = none
  std::optional<TrackRecord> record = std::nullopt;      // of the profile; absent = not known
};

// Deadlines that were asked for are not promised. Its text is that of all refusals.
class NotPromised : public Infeasible {
 public:
  explicit NotPromised(std::vector<PromiseRefusal> refusals);

  [[nodiscard]] const std::vector<PromiseRefusal>& refusals() const { return refusals_; }

 private:
  std::vector<PromiseRefusal> refusals_;
};

// `etl: it might end only at …; a deadline of … would be promised; …`, then how far off estimates of the
// profile have been.
[[nodiscard]] std::string refusal_text(const PromiseRefusal& refusal);

// As the HTTP API tells it. The second throws InputError with `source` if it is none.
[[nodiscard]] nlohmann::ordered_json refusal_document(const PromiseRefusal& refusal);
[[nodiscard]] PromiseRefusal refusal_from_document(const nlohmann::ordered_json& document,
                                                   const std::string& source);

// `job` has bounds, a deadline, and a promise whose `tasks_from` is set; it gets the promise's `end`. Absent
// = promised. O(jobs · steps of the vectors); a refusal tries variants (live/promise/asked_promise.h).
[[nodiscard]] std::optional<PromiseRefusal> ask_for_promise(const LiveBatch& batch,
                                                            const ProgressByJob& progress,
                                                            const PromiseRules& rules, LiveJob& job,
                                                            Time now);

}  // namespace wavewright
