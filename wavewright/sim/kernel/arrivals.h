// Arrivals of jobs: at the submission or, with `after`, when all predecessors are done, whichever is later.
#pragma once

#include <algorithm>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "wavewright/job/job.h"
#include "wavewright/job/precedence.h"
#include "wavewright/sched/event.h"

namespace wavewright::sim {

// Arrival data known before the run; made once, for any number of simulations.
class ArrivalTable {
 public:
  using Due = std::pair<std::uint64_t, JobIndex>;  // ms

  // `after` must name jobs of the workload and have no cycle (job.h's `check`). O(jobs · log jobs + edges).
  explicit ArrivalTable(const Workload& workload) : edges_(workload) {
    submits_.reserve(workload.jobs.size());
    for (JobIndex job = 0; job < workload.jobs.size(); ++job) {
      submits_.push_back(static_cast<std::uint64_t>(to_ms(workload.jobs[job].submit)));
      if (edges_.waits_for(job) == 0) free_.emplace_back(submits_[job], job);
    }
    std::sort(free_.begin(), free_.end());
  }

  [[nodiscard]] bool dependent() const { return !edges_.empty(); }  // some job waits for another
  [[nodiscard]] std::uint64_t submit(JobIndex job) const { return submits_[job]; }
  // Jobs without predecessors, by instant, then by position.
  [[nodiscard]] const std::vector<Due>& free() const { return free_; }
  [[nodiscard]] const Precedence& edges() const { return edges_; }

 private:
  Precedence edges_;
  std::vector<std::uint64_t> submits_;
  std::vector<Due> free_;
};

class Arrivals {
 public:
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  // Every arrival is `setup` ms late. The table must outlive it.
  explicit Arrivals(const ArrivalTable& table, std::uint64_t setup = 0) : table_(table), setup_(setup) {
    if (table.dependent()) waits_for_ = table.edges().waits_for();
    find_first();
  }

  [[nodiscard]] std::uint64_t next() const { return first_.first; }
  // Removes the next job: by instant, then by position.
  [[nodiscard]] JobIndex pop() {
    const JobIndex job = first_.second;
    if (at_ < table_.free().size() && table_.free()[at_].second == job) {
      ++at_;
    } else {
      queue_.pop();
    }
    find_first();
    return job;
  }

  // The job is done at `now`: its successors may become due, at the earliest `setup` later.
  void finished(JobIndex job, std::uint64_t now) {
    if (!table_.dependent()) return;
    for (const JobIndex next : successors(job)) {
      if (--waits_for_[next] == 0) queue_.emplace(std::max(now, table_.submit(next)) + setup_, next);
    }
    find_first();
  }
  [[nodiscard]] std::span<const JobIndex> successors(JobIndex job) const {
    return table_.edges().successors(job);
  }
  // True if all predecessors of the job are done.
  [[nodiscard]] bool free(JobIndex job) const { return waits_for_.empty() || waits_for_[job] == 0; }

 private:
  using Due = ArrivalTable::Due;
  void find_first() {
    first_ = {never, 0};
    if (at_ < table_.free().size()) first_ = {table_.free()[at_].first + setup_, table_.free()[at_].second};
    if (!queue_.empty()) first_ = std::min(first_, queue_.top());
  }

  const ArrivalTable& table_;
  Due first_{never, 0};
  std::size_t at_ = 0;                                                // index in the table's free jobs
  std::priority_queue<Due, std::vector<Due>, std::greater<>> queue_;  // jobs whose predecessors are done
  std::uint64_t setup_;
  std::vector<std::uint32_t> waits_for_;  // by job: predecessors not done; empty if no job waits for another
};

}  // namespace wavewright::sim
