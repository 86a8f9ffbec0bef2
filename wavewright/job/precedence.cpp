#include "wavewright/job/precedence.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace wavewright {

bool has_precedence(const Workload& workload) {
  return std::any_of(workload.jobs.begin(), workload.jobs.end(),
                     [](const Job& job) { return !job.after.empty(); });
}

Workload without_precedence(Workload workload) {
  for (Job& job : workload.jobs) job.after.clear();
  return workload;
}

Precedence::Precedence(const Workload& workload) {
  if (!has_precedence(workload)) return;
  const auto jobs = static_cast<std::uint32_t>(workload.jobs.size());
  std::unordered_map<std::string_view, std::uint32_t> index;
  for (std::uint32_t job = 0; job < jobs; ++job) index.emplace(workload.jobs[job].id, job);
  waits_for_.resize(jobs);
  from_.resize(jobs + 1);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t job = 0; job < jobs; ++job) {
    for (const std::string& id : workload.jobs[job].after) {
      edges.emplace_back(index.at(id), job);
      ++from_[edges.back().first + 1];
      ++waits_for_[job];
    }
  }
  std::sort(edges.begin(), edges.end());
  for (std::uint32_t job = 0; job < jobs; ++job) from_[job + 1] += from_[job];
  edges_.reserve(edges.size());
  for (const auto& [before, behind] : edges) edges_.push_back(behind);
  back_from_.push_back(0);
  for (const Job& job : workload.jobs) {
    for (const std::string& id : job.after) back_.push_back(index.at(id));
    back_from_.push_back(static_cast<std::uint32_t>(back_.size()));
  }
}

std::vector<std::uint32_t> Precedence::in_order(std::size_t jobs) const {
  std::vector<std::uint32_t> order, left = waits_for_;
  order.reserve(jobs);
  left.resize(jobs);
  for (std::uint32_t job = 0; job < jobs; ++job) {
    if (left[job] == 0) order.push_back(job);
  }
  for (std::size_t at = 0; at < order.size(); ++at) {
    for (const std::uint32_t next : successors(order[at])) {
      if (--left[next] == 0) order.push_back(next);
    }
  }
  return order;
}

}  // namespace wavewright
