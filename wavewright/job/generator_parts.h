// Helpers of the generators; used by generators*.cpp only.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "wavewright/core/random.h"
#include "wavewright/job/generators.h"

namespace wavewright {

// A row of HP's table I: out of 100 jobs, `jobs` are of this type.
struct JobBin {
  const char* type;
  Count maps;
  Count reduces;
  Count jobs;
};

// Job sizes of Facebook, October 2009 [HP table I].
[[nodiscard]] std::span<const JobBin> facebook_bins();

// `jobs` of the bins in random order, in proportion to their shares (rounding by largest remainder). Throws
// UsageError if they have more than `most_tasks()` tasks.
[[nodiscard]] std::vector<JobBin> mix_of(std::span<const JobBin> bins, Count jobs, Random& random);
[[nodiscard]] std::vector<JobBin> facebook_mix(Count jobs, Random& random);  // of all

// Arrivals with exponential gaps. Sums are exact and only instants are rounded, so that rounding errors do
// not add up.
class Arrivals {
 public:
  Arrivals(double mean_gap_ms, std::uint64_t seed) : mean_(mean_gap_ms), random_(seed, "arrivals") {}
  [[nodiscard]] Time next();  // throws UsageError beyond `longest_duration`

 private:
  double mean_;
  Random random_;
  double now_ = 0;
};

// `J1`, `J2`, … with the submission time.
[[nodiscard]] Job numbered_job(Count number, Time submit = {});

// Adds `count` to `total`. Throws UsageError if this exceeds `most_tasks()`.
void count_tasks(Count& total, Count count);

// The generators by source.
[[nodiscard]] std::vector<Generator> hp_generators();
[[nodiscard]] std::vector<Generator> stream_generators();  // ORDER's, W1 and W2: jobs that arrive over time
[[nodiscard]] std::vector<Generator> unl_generators();
[[nodiscard]] std::vector<Generator> energy_generators();

}  // namespace wavewright
