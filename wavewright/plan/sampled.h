// A batch whose tasks take other times than the plan thinks: draws around the lengths in its file.
//
// Each task's length is multiplied by a factor of mean 1 whose coefficient of variation is `spread`
// (lognormal: σ² = ln(1 + spread²), μ = −σ²/2); a reduce's shuffles have the factor of their reduce. With
// `job_spread` all tasks of a job share one more factor of that kind: a night with more input makes all of
// them longer, and does not average out over many tasks as the former does. Lengths are whole milliseconds,
// at least 1 where they were above 0, at most `longest_duration`.
//
// The factors depend on seed, index, the job's id and the task's number, and on nothing else: not on the
// thread, other jobs or their order. So two plans tried on the same draws differ by the plans alone (common
// random numbers).
#pragma once

#include <cstdint>
#include <memory>

#include "wavewright/job/job.h"

namespace wavewright {

inline constexpr double most_spread = 10;  // 1000 %

class SampledBatch {
 public:
  // Throws UsageError unless the spreads are from 0 to `most_spread`.
  SampledBatch(std::shared_ptr<const Workload> batch, double spread, std::uint64_t seed,
               double job_spread = 0);

  // The same for the same index, from any thread. O(tasks).
  [[nodiscard]] Workload draw(std::uint64_t index) const;

 private:
  std::shared_ptr<const Workload> batch_;
  double spread_, job_spread_;
  std::uint64_t seed_;
};

}  // namespace wavewright
