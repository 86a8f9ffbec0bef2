// What the generators share; used by generators*.cpp alone.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "wavewright/job/generators.h"

namespace wavewright {

// A row of HP's table I: `jobs` of 100 are of this type.
struct JobBin {
  const char* type;
  Count maps;
  Count reduces;
  Count jobs;
};

// Job sizes of Facebook, October 2009 [HP table I].
[[nodiscard]] std::span<const JobBin> facebook_bins();

// `jobs` bins in random order, each as often as its share says (largest remainders get the rest). Throws
// UsageError when they have more than `max_tasks` tasks.
[[nodiscard]] std::vector<JobBin> facebook_mix(Count jobs, Random& random);

// `J1`, `J2`, … with the submission time.
[[nodiscard]] Job numbered_job(Count number, Time submit = {});

// Throws UsageError when `count` more tasks would pass `max_tasks`.
void count_tasks(Count& total, Count count);

// The generators of each source.
[[nodiscard]] std::vector<Generator> hp_generators();
[[nodiscard]] std::vector<Generator> stream_generators();  // ORDER's, W1 and W2: jobs arrive over time

}  // namespace wavewright
