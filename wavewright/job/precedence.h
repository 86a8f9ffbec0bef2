// Which jobs of a workload wait for which (`after`), by position.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wavewright/job/job.h"

namespace wavewright {

// Whether some job waits for another.
[[nodiscard]] bool has_precedence(const Workload& workload);
// The same jobs, of which none waits for another.
[[nodiscard]] Workload without_precedence(Workload workload);

class Precedence {
 public:
  // `after` must name jobs of the workload and have no circle (job.h's `check`). O(jobs + edges · log edges).
  explicit Precedence(const Workload& workload);

  [[nodiscard]] bool empty() const { return edges_.empty(); }
  // Of jobs in the order of the workload; none where it is empty.
  [[nodiscard]] std::span<const std::uint32_t> successors(std::uint32_t job) const {
    if (empty()) return {};
    return std::span(edges_).subspan(from_[job], from_[job + 1] - from_[job]);
  }
  // The jobs that it waits for, in the order that `after` names them.
  [[nodiscard]] std::span<const std::uint32_t> predecessors(std::uint32_t job) const {
    if (empty()) return {};
    return std::span(back_).subspan(back_from_[job], back_from_[job + 1] - back_from_[job]);
  }
  // How many jobs it waits for; one that `after` names twice counts twice, here and in `successors`.
  [[nodiscard]] std::uint32_t waits_for(std::uint32_t job) const { return empty() ? 0 : waits_for_[job]; }
  [[nodiscard]] const std::vector<std::uint32_t>& waits_for() const { return waits_for_; }  // or empty
  // Every job behind all those it waits for. O(jobs + edges).
  [[nodiscard]] std::vector<std::uint32_t> in_order(std::size_t jobs) const;

 private:
  std::vector<std::uint32_t> edges_, from_, back_, back_from_, waits_for_;
};

}  // namespace wavewright
