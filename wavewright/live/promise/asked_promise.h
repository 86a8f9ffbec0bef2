// A job that asks for a promise: the answer, and what would do if it is refused. For promises.h.
//
// How things stand without the job is worked out once. A variant of the question, another deadline or a job
// that is not there, is then a trial on that (AdmissionController::try_at). Only what changes which tasks
// may have started unseen is worked out anew: other slots, or a job whose master is there.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "wavewright/live/promise/promise_standing.h"

namespace wavewright {

class AskedPromise {
 public:
  struct Answer {
    Time end{};
    std::string late = {};  // a promised job that might be late; empty = none
    [[nodiscard]] bool in_time(Time deadline) const { return late.empty() && end <= deadline; }
  };

  // All but `jobs` must outlive it. O(jobs · (log jobs + steps of the vectors)).
  AskedPromise(LiveJobs jobs, const ProgressByJob& progress, const PromiseRules& rules, const LiveJob& job,
               Time now);

  [[nodiscard]] const Answer& answer() const { return answer_; }
  [[nodiscard]] bool is_in_time() const { return answer_.in_time(*job_.deadline); }
  // As that of the standing without the job.
  [[nodiscard]] const std::string& unbounded() const { return beside_.unbounded(); }

  // With a deadline between those of two promised jobs it has the place between them.
  [[nodiscard]] std::optional<Time> earliest_deadline() const;
  // The fewest further slots of one kind, or of both in proportion to its tasks.
  [[nodiscard]] std::optional<SlotPool> lacks() const;
  // One promised job, of those that do the one that is due last, or several from the last on.
  [[nodiscard]] std::vector<std::string> give_way() const;

 private:
  using Places = std::vector<std::size_t>;  // in queue_

  [[nodiscard]] Answer worked_out_anew(Time deadline) const;
  [[nodiscard]] std::size_t place_for(Time deadline) const;
  [[nodiscard]] AdmissionController::Taken taken(Time deadline) const;
  [[nodiscard]] bool is_harmed(std::size_t place, Time end) const;
  // Its promise may not be kept whatever is asked: it holds up nobody.
  [[nodiscard]] bool is_lost(std::size_t place) const;
  [[nodiscard]] bool anybody_late() const;
  // ---- without some promised jobs
  [[nodiscard]] Places last_due_first() const;
  [[nodiscard]] bool in_time_without(const Places& places) const;
  [[nodiscard]] bool tried_without(Places places) const;  // none of them is there, nor the job
  [[nodiscard]] AskedPromise asked_without(const Places& places) const;
  [[nodiscard]] Places those_there(std::span<const std::size_t> places) const;
  [[nodiscard]] const AskedPromise& without_those_there(const Places& there) const;
  [[nodiscard]] std::size_t fewest_from_the_last(const Places& by_deadline) const;

  LiveJobs jobs_;
  const ProgressByJob& progress_;
  const PromiseRules& rules_;
  const LiveJob& job_;
  Time now_;
  PromiseStanding beside_;  // without the job
  LiveJobs queue_;          // its
  std::vector<Time> ends_;  // of the queue
  std::unordered_map<const LiveJob*, std::size_t> places_;
  Answer answer_;
  std::optional<std::size_t> late_place_;  // of answer_.late
  mutable std::optional<std::set<std::string>> lost_;
  mutable Places there_;  // without these:
  mutable std::unique_ptr<AskedPromise> without_there_;
};

}  // namespace wavewright
