// The file of a synthetic workload, parsed and checked; used by synthetic.cpp only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/history/json.h"
#include "wavewright/job/distribution.h"

namespace wavewright::sls {

// A number to draw, in the unit of its field.
struct Sample {
  Distribution distribution;    // if there are no values
  std::vector<double> values;   // drawn by weight
  std::vector<double> weights;  // one for each value
};

struct TaskClass {
  std::string type;  // `map`, `reduce` or another, which is dropped
  Sample count, seconds, memory_mb;
};

struct JobClass {
  std::string name, user;
  Sample duration_s, deadline_factor, reservation;
  std::vector<TaskClass> tasks;
};

struct Mix {
  std::string queue;
  std::vector<JobClass> classes;
  std::vector<double> class_weights;
  std::vector<std::int64_t> bucket_s;  // beginning of each bucket; the last one has no width
  std::vector<double> bucket_weights;
};

struct SyntheticFile {
  std::uint64_t seed = 0;
  Count jobs = 0, nodes = 0;
  std::vector<Mix> mixes;
  std::vector<double> mix_weights;
};

// Throws InputError with the place in the file (`workloads[0].job_classes[1].tasks[0].count`) if a value is
// missing, negative or of another type, or if no weight of a choice is above 0.
[[nodiscard]] SyntheticFile parse_synthetic(json::Value root, const std::string& source);

}  // namespace wavewright::sls
