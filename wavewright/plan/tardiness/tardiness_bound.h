// Lower bounds on total weighted tardiness, Σ weight · max(0, finish − deadline), for the model of
// bounds/lower_bound.h. Jobs without a deadline count for nothing.
//
// - chain: each job alone, after its predecessors.
// - position: only the jobs with a deadline, which others can but delay. The k-th of their ends is no earlier
//   than V_k (bounds/completion_vector.h). Σ max(0, end − deadline) is least where ends and deadlines are
//   paired in ascending order, so it is at least Σ max(0, V_k − d_k), times the least weight.
// - completion: max(0, x) ≥ λ · x for 0 ≤ λ ≤ 1. So the sum is at least Σ λ · weight · (finish − submit) less
//   Σ λ · weight · (deadline − submit); the first sum has a bound (bounds/completion_bound.h). λ is 1 for the
//   jobs that a given schedule has later than some limit, else 0; several limits are tried.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/job/job.h"

namespace wavewright {

class TardinessBound {
 public:
  // `weights`: one for each job, above 0. The batch must outlive it. O(tasks · log tasks + n² + edges).
  TardinessBound(const Workload& batch, SlotPool pool, std::vector<double> weights);

  [[nodiscard]] double chain() const;
  [[nodiscard]] double position() const;
  // `ends`: of each job in some schedule, ms. O(limits · (tasks + n log n)).
  [[nodiscard]] double completion(std::span<const std::int64_t> ends) const;
  // The largest of the three; 0 or more.
  [[nodiscard]] double best(std::span<const std::int64_t> ends) const;

 private:
  const Workload& batch_;
  SlotPool pool_;
  std::vector<double> weights_;
  std::vector<std::int64_t> heads_;  // earliest start, ms
  struct Alone {
    std::int64_t map_work = 0, reduce_work = 0;  // divided by the slots, rounded down
    std::int64_t map_least = 0, reduce_least = 0;
  };
  std::vector<Alone> alone_;
};

}  // namespace wavewright
