// Holds a live batch to what was expected of it while it runs: reads the progress of its jobs, finds those
// that drift, and looks ahead. It decides nothing itself: the program that runs the batch hands what it finds
// to the driver. One thread uses it, which need not be the driver's.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "wavewright/live/outlook/outlook.h"
#include "wavewright/live/outlook/progress_poller.h"

namespace wavewright {

struct FoundDrift {
  std::string job;
  std::optional<double> maps, reduces;  // factors, as BatchDriver::drifted takes them
  std::string detail;                   // for people
};
struct FoundEvent {
  std::string job;  // empty = of the whole batch
  const char* what;
  std::string detail;
};
struct FoundPromise {
  std::string job;
  Time start{}, end{};
};

// News for the driver.
struct FeedbackNews {
  std::vector<FoundDrift> drifts;
  std::vector<FoundEvent> events;
  std::vector<FoundPromise> promises;
  std::set<std::string> idle;  // where there are drifts: ids of jobs that have begun and have no task yet

  [[nodiscard]] bool empty() const { return drifts.empty() && events.empty() && promises.empty(); }
};

class ProgressFeedback {
 public:
  using Lengths = std::function<std::shared_ptr<const LengthModel>(const LiveJob& job)>;

  // `lengths`: of the job's profile, null if it has none; a job without profile that lists its tasks has
  // theirs. The reader must outlive it.
  ProgressFeedback(ProgressReader& reader, Lengths lengths, PollBudget budget = {})
      : poller_(reader, budget), lengths_(std::move(lengths)) {}

  // Reads a few jobs and finds the drifts and the quarters of their tasks that are done (`Progress`). A drift
  // is found again until the batch holds it.
  [[nodiscard]] FeedbackNews poll(const LiveBatch& batch, Time now, Duration steady);

  // As ProgressPoller::leave_out.
  void leave_out(std::set<std::string> jobs) { poller_.leave_out(std::move(jobs)); }

  // The latest readings, by job's id.
  [[nodiscard]] const std::unordered_map<std::string, JobProgress>& known() const { return poller_.known(); }

  // Forecasts all jobs. Adds to `news` promises of jobs that have none, and jobs that are about to miss their
  // deadline (`DeadlineAtRisk`), each once.
  [[nodiscard]] Outlook look(const LiveBatch& batch, const OutlookOptions& how, Time now, FeedbackNews& news);

 private:
  [[nodiscard]] std::shared_ptr<const LengthModel> lengths_of(const LiveJob& job) const;

  ProgressPoller poller_;
  Lengths lengths_;
  std::map<std::string, Count> quarters_;  // by job, told so far
  std::map<std::string, bool> at_risk_;    // by job
};

}  // namespace wavewright
