// How late the jobs of a simulated run were, and what its rented machines did and cost.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wavewright/job/job.h"
#include "wavewright/sim/metrics/slot_time.h"
#include "wavewright/sim/result.h"

namespace wavewright {

// Over the jobs with a deadline. A job that is not done (failed, rejected, unfinished) is tardy, but has no
// tardiness: it has no end.
struct Tardiness {
  Count jobs = 0;     // with a deadline
  Count tardy = 0;    // not done by it
  Count without = 0;  // of these: not done at all
  Duration total{};   // Σ max(0, finish − deadline) of the jobs that are done

  // Mean over the jobs with a deadline that are done; none without such a job.
  [[nodiscard]] std::optional<double> mean_ms() const;
  friend bool operator==(const Tardiness&, const Tardiness&) = default;
};
[[nodiscard]] Tardiness tardiness_of(const Workload& workload, const SimulationResult& result);  // O(jobs)

// Does some job have a deadline? UNL's ratios say nothing without one. O(jobs).
[[nodiscard]] bool has_deadlines(const Workload& workload);

// Adds up the slot time of each job's tasks during a simulation, so that no task is kept. O(jobs + slots)
// memory.
class JobSlotTimes final : public TaskSink {
 public:
  void begin(const std::vector<std::string>&) override {}
  void add(const TaskRecord& task) override;  // in order of start, or of end
  [[nodiscard]] Duration of(std::size_t job) const { return job < times_.size() ? times_[job] : Duration{}; }

 private:
  SlotTime time_;
  std::vector<Duration> times_;  // by job
};

// How a scheduler that admits jobs did [UNL §5.3.2]. A job without a deadline is successful if it is done.
struct AdmissionTotals {
  Count jobs = 0;
  Count accepted = 0;    // not rejected
  Count successful = 0;  // of these: done by their deadlines
  // Slot time of successful jobs / (slots · from the first submission to the last end of accepted jobs). None
  // without such a span or slots, and where accepted jobs were late and neither the slot times of jobs nor a
  // trace is there.
  std::optional<double> utilisation;
  // Likewise, of all jobs: what UNL gives for a scheduler without admission, such as FIFO. It needs no trace.
  std::optional<double> utilisation_of_all;

  [[nodiscard]] std::optional<double> accept_ratio() const;   // accepted / jobs: AcceptR
  [[nodiscard]] std::optional<double> success_ratio() const;  // successful / accepted: SuccessR
};
// `slots`: map and reduce slots of the cluster. `times`: of all tasks of the run; null = from its trace.
// O(jobs + trace).
[[nodiscard]] AdmissionTotals admission_of(const Workload& workload, const SimulationResult& result,
                                           Count slots, const JobSlotTimes* times = nullptr);

struct LeaseTotals {
  Count leases = 0;         // requested
  Count never_joined = 0;   // outbid before they had booted, or still booting at the end
  Count revoked = 0;        // by the market
  Duration machine_time{};  // Σ from join to leave, or to the end of the run
  Money cost;               // Σ bills

  friend bool operator==(const LeaseTotals&, const LeaseTotals&) = default;
};
[[nodiscard]] LeaseTotals totals_of(const SimulationResult& result);  // O(leases)

}  // namespace wavewright
