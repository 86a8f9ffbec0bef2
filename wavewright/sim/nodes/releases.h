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
    const bool dependent = std::any_of(workload.jobs.begin(), workload.jobs.end(),
                                       [](const Job& job) { return !job.after.empty(); });
    std::unordered_map<std::string_view, JobIndex> index;
    for (JobIndex job = 0; dependent && job < workload.jobs.size(); ++job)
      index.emplace(workload.jobs[job].id, job);
    submit_.reserve(workload.jobs.size());
    for (JobIndex job = 0; job < workload.jobs.size(); ++job) {
      submit_.push_back(static_cast<std::uint64_t>(to_ms(workload.jobs[job].submit)));
      for (const std::string& id : workload.jobs[job].after) {
        if (successors_.empty()) successors_.resize(workload.jobs.size());
        successors_[index.at(id)].push_back(job);
        ++waits_for_[job];
      }
      if (waits_for_[job] == 0) free_.push_back({submit_[job] + setup_, job});
    }
    std::sort(free_.begin(), free_.end());
    find_first();
  }

  [[nodiscard]] std::uint64_t next() const { return first_.first; }
  // The next job, in order of instant, then of position.
  [[nodiscard]] JobIndex pop() {
    const JobIndex job = first_.second;
    if (at_ < free_.size() && free_[at_] == first_) {
      ++at_;
    } else {
      queue_.pop();
    }
    find_first();
    return job;
  }

  // The job is done at `now`: its successors may become due, `setup` after it at the earliest.
  void finished(JobIndex job, std::uint64_t now) {
    if (successors_.empty()) return;
    for (const JobIndex next : successors_[job]) {
      if (--waits_for_[next] == 0) queue_.push({std::max(now, submit_[next]) + setup_, next});
    }
    find_first();
  }
  // Successors of the job, which will never finish.
  [[nodiscard]] std::vector<JobIndex> successors(JobIndex job) const {
    return successors_.empty() ? std::vector<JobIndex>{} : successors_[job];
  }

 private:
  using Due = std::pair<std::uint64_t, JobIndex>;
  void find_first() {
    first_ = at_ < free_.size() ? free_[at_] : Due{never, 0};
    if (!queue_.empty()) first_ = std::min(first_, queue_.top());
  }

  Due first_{never, 0};

  std::vector<Due> free_;  // of jobs that wait for none, in order
  std::size_t at_ = 0;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> queue_;  // of those whose predecessors are done
  std::uint64_t setup_;
  std::vector<std::uint64_t> submit_;
  std::vector<std::uint32_t> waits_for_;
  std::vector<std::vector<JobIndex>> successors_;  // empty where no job waits for another
};

}  // namespace wavewright::sim
