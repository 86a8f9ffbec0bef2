// How a live batch stands: its promised jobs and what runs, in an admission controller. For promises.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wavewright/live/promise/promises.h"
#include "wavewright/realtime/admission.h"

namespace wavewright {

// A length that nobody knows.
inline constexpr Duration never_ends = ms(365LL * 24 * 3600 * 1000);

// The tasks of a job that are left, as far as is known.
struct TasksOfJob {
  Count maps = 0, reduces = 0;  // not started
  std::vector<Time> running_maps = {}, running_reduces = {};
  std::optional<Time> ready = {}, start = {};
};

// Are readings of progress taken to be of now, or of some seconds ago?
enum class Readings { fresh, old };

using LiveJobs = std::vector<const LiveJob*>;
[[nodiscard]] LiveJobs jobs_of(const LiveBatch& batch);

// Its master is there already, or nearly: tasks may start unseen. Else the job has its place in the queue,
// and touches nothing else.
[[nodiscard]] bool is_there(const LiveJob& job);

// The jobs and the rules must outlive it. O(jobs · (log jobs + steps of the vectors)).
class PromiseStanding {
 public:
  PromiseStanding(const LiveJobs& jobs, const ProgressByJob& progress, const PromiseRules& rules,
                  Readings readings, Time now);

  // By deadline.
  [[nodiscard]] std::vector<PromisedEnd> ends() const;
  // A job without known bounds that runs; empty = none.
  [[nodiscard]] const std::string& unbounded() const { return unbounded_; }

  // For each place in the controller's queue: its job, null of what is unseen.
  [[nodiscard]] LiveJobs queue() const;
  [[nodiscard]] const AdmissionController& controller() const { return controller_; }
  // A job that is promised and not there, as it would be taken.
  [[nodiscard]] AdmissionController::Taken taken(const LiveJob& job) const;

 private:
  struct Entry {
    const LiveJob* job = nullptr;  // null: of what is unseen
    bool is_lost = false;          // its master's node does not answer
    RealtimeJob asked = {};
    std::optional<Time> seen = {};  // when its tasks were looked at
    TasksOfJob left = {};
    Count waiting_maps = 0, waiting_reduces = 0;  // that may have started since it was looked at
  };

  void add(const LiveJob& job, const JobProgress* progress);
  void add_unseen(Kind kind, Count slots);
  [[nodiscard]] Time asks_from(const LiveJob& job) const;
  void take_all();

  const PromiseRules& rules_;
  Time now_;
  AdmissionController controller_;
  std::vector<Entry> entries_;
  std::string unbounded_;
};

}  // namespace wavewright
