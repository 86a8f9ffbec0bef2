// Lookup of a workload's jobs by id. The workload must outlive it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "wavewright/job/job.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

class JobIds {
 public:
  explicit JobIds(const Workload& batch) {  // O(jobs)
    for (JobIndex job = 0; job < batch.jobs.size(); ++job) by_id_.emplace(batch.jobs[job].id, job);
  }
  // Throws std::out_of_range for an unknown id.
  [[nodiscard]] JobIndex operator[](const std::string& id) const { return by_id_.at(id); }
  [[nodiscard]] std::vector<JobIndex> operator[](std::span<const std::string> ids) const {
    std::vector<JobIndex> jobs;
    jobs.reserve(ids.size());
    for (const std::string& id : ids) jobs.push_back(by_id_.at(id));
    return jobs;
  }

 private:
  std::unordered_map<std::string_view, JobIndex> by_id_;
};

}  // namespace wavewright
