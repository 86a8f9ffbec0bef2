// When jobs arrive: at their submission or, with `after`, once all their predecessors are done, whichever is
// later.
#pragma once

#include <algorithm>
#include <queue>
#include <string>
#include <unordered_map>
#include <vector>

#include "wavewright/job/job.h"
#include "wavewright/sched/policy.h"

namespace wavewright::sim {

class Releases {
 public:
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  // `setup`, ms, passes before a job that could be there is. `after` must name jobs of the workload and have
  // no circle (job.h's `check`). O(jobs · log jobs + edges).
  Releases(const Workload& workload, std::uint64_t setup) : setup_(setup), waits_for_(workload.jobs.size()) {
    std::unordered_map<std::string_view, JobIndex> index;
    for (JobIndex job = 0; job < workload.jobs.size(); ++job) index.emplace(workload.jobs[job].id, job);
    for (JobIndex job = 0; job < workload.jobs.size(); ++job) {
      submit_.push_back(static_cast<std::uint64_t>(to_ms(workload.jobs[job].submit)));
      for (const std::string& id : workload.jobs[job].after) {
        if (successors_.empty()) successors_.resize(workload.jobs.size());
        successors_[index.at(id)].push_back(job);
        ++waits_for_[job];
      }
      if (waits_for_[job] == 0) queue_.push({submit_[job] + setup_, job});
    }
  }

  [[nodiscard]] std::uint64_t next() const { return queue_.empty() ? never : queue_.top().first; }
  // The next job, in order of instant, then of position.
  [[nodiscard]] JobIndex pop() {
    const JobIndex job = queue_.top().second;
    queue_.pop();
    return job;
  }

  // The job is done at `now`: its successors may become due, `setup` after it at the earliest.
  void finished(JobIndex job, std::uint64_t now) {
    if (successors_.empty()) return;
    for (const JobIndex next : successors_[job]) {
      if (--waits_for_[next] == 0) queue_.push({std::max(now, submit_[next]) + setup_, next});
    }
  }
  // Successors of the job, which will never finish.
  [[nodiscard]] std::vector<JobIndex> successors(JobIndex job) const {
    return successors_.empty() ? std::vector<JobIndex>{} : successors_[job];
  }

 private:
  using Due = std::pair<std::uint64_t, JobIndex>;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> queue_;
  std::uint64_t setup_;
  std::vector<std::uint64_t> submit_;
  std::vector<std::uint32_t> waits_for_;
  std::vector<std::vector<JobIndex>> successors_;  // empty where no job waits for another
};

}  // namespace wavewright::sim
