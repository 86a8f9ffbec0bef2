// Small batches of jobs that differ, always the same.
#pragma once

#include <fmt/format.h>

#include "wavewright/job/job.h"

namespace wavewright {

inline Workload small_batch(int jobs) {
  Workload batch;
  for (int i = 0; i < jobs; ++i) {
    Job job;
    job.id = fmt::format("J{}", i);
    for (int map = 0; map < 3 + i % 4; ++map) job.maps.push_back(ms(10 + 7 * ((i * 5 + map) % 11)));
    for (int reduce = 0; reduce < 1 + i % 3; ++reduce) job.reduces.push_back(ms(5 + 13 * ((i + reduce) % 5)));
    batch.jobs.push_back(job);
  }
  return batch;
}

}  // namespace wavewright
