// Draws of a batch whose task lengths vary around those of its file.
//
// Each task's length is multiplied by a lognormal factor of mean 1 and coefficient of variation `spread`: σ²
// = ln(1 + spread²), μ = −σ²/2. A reduce's shuffles get the factor of their reduce. With `job_spread` all
// tasks of a job share another factor of this kind: a night with more input makes all of them longer, which
// does not average out over many tasks. Lengths are whole milliseconds, at least 1 if they were above 0, at
// most `longest_duration`.
//
// The factors depend only on seed, index, job id and task number, not on threads, other jobs or their order.
// So two plans on the same draws differ only by the plans (common random numbers).
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "wavewright/job/job.h"

namespace wavewright {

inline constexpr double most_spread = 10;  // 1000 %

// How much task lengths vary around those of the file, as coefficients of variation.
struct LengthSpread {
  double tasks = 0;  // of each task by itself
  double jobs = 0;   // of a factor that all tasks of a job share

  [[nodiscard]] bool any() const { return tasks > 0 || jobs > 0; }
};

// Throws UsageError unless both are from 0 to `most_spread`.
void check(const LengthSpread& spread);
// `a spread of 10.0 % a task, of 20.0 % a job`; empty if nothing varies.
[[nodiscard]] std::string in_words(const LengthSpread& spread);

class SampledBatch {
 public:
  // Throws UsageError unless the spreads are from 0 to `most_spread`.
  SampledBatch(std::shared_ptr<const Workload> batch, double spread, std::uint64_t seed,
               double job_spread = 0);

  // Equal for equal indices. Thread-safe. O(tasks).
  [[nodiscard]] Workload draw(std::uint64_t index) const;

 private:
  std::shared_ptr<const Workload> batch_;
  double spread_, job_spread_;
  std::uint64_t seed_;
};

// The first draw of the seed, with `batch` as what was expected; `batch` itself if nothing varies. Throws as
// SampledBatch. O(tasks).
[[nodiscard]] Workload drawn_lengths(Workload batch, const LengthSpread& spread, std::uint64_t seed);

}  // namespace wavewright
