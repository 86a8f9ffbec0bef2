// Precedence between the jobs of a workload (`after`), by index.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wavewright/job/job.h"

namespace wavewright {

[[nodiscard]] bool has_precedence(const Workload& workload);
// Copies the workload without `after`.
[[nodiscard]] Workload without_precedence(Workload workload);

class Precedence {
 public:
  // `after` must name jobs of the workload, without cycles (`check` in job.h). O(jobs + edges · log edges).
  explicit Precedence(const Workload& workload);

  [[nodiscard]] bool empty() const { return edges_.empty(); }
  // Indices of the jobs that wait for `job`.
  [[nodiscard]] std::span<const std::uint32_t> successors(std::uint32_t job) const {
    if (empty()) return {};
    return std::span(edges_).subspan(from_[job], from_[job + 1] - from_[job]);
  }
  // Indices of the jobs that `job` waits for, in the order of `after`.
  [[nodiscard]] std::span<const std::uint32_t> predecessors(std::uint32_t job) const {
    if (empty()) return {};
    return std::span(back_).subspan(back_from_[job], back_from_[job + 1] - back_from_[job]);
  }
  // Number of predecessors. One that `after` names twice counts twice, here and in `successors`.
  [[nodiscard]] std::uint32_t waits_for(std::uint32_t job) const { return empty() ? 0 : waits_for_[job]; }
  [[nodiscard]] const std::vector<std::uint32_t>& waits_for() const { return waits_for_; }  // or empty
  // A topological order: each job behind its predecessors. O(jobs + edges).
  [[nodiscard]] std::vector<std::uint32_t> in_order(std::size_t jobs) const;

 private:
  std::vector<std::uint32_t> edges_, from_, back_, back_from_, waits_for_;
};

}  // namespace wavewright
