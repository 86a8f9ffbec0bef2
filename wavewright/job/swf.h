// The Standard Workload Format (SWF) of the Parallel Workloads Archive, version 2.2. One job per line with 18
// numbers, -1 = unknown; header comments start with `;`; times are in seconds.
//
// A row describes a rigid job. So a MapReduce job is written as it would run alone, with a processor for each
// task of its widest stage (`swf_shape`). The sidecar `FILE.tasks.jsonl` keeps everything else: a workload
// file in the workload's order whose jobs give their row in `x_swf_job`. Table and sidecar together restore
// the workload. A row without an entry in the sidecar becomes a job with one map per processor, each as long
// as the run time, and no reduces.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>

#include "wavewright/job/format_conversion.h"
#include "wavewright/job/validator.h"

namespace wavewright {

// The columns that follow from a job's tasks. Seconds are rounded to the nearest.
struct SwfShape {
  std::int64_t submit_s = 0;
  std::int64_t run_s = 0;       // longest map + longest (first shuffle + reduce)
  std::int64_t processors = 0;  // the larger of maps and reduces
  std::int64_t cpu_s = 0;       // all task time / processors; so `processors` times it is the job's work
};
[[nodiscard]] SwfShape swf_shape(const Job& job);

[[nodiscard]] std::filesystem::path swf_sidecar(const std::filesystem::path& table);

struct SwfOptions {
  bool with_failed = false;  // also read failed and cancelled jobs, as long as they ran
  Count most_tasks = wavewright::most_tasks();
};

// Uses the sidecar if it exists. Drops rows, counted by reason, that are malformed, lack submission, run time
// or processors, repeat a number, are parts of a job, or belong to a failed or cancelled job. Throws
// InputError if no row is left, there are more than `most_tasks` tasks, or the sidecar's job does not match
// the row. O(bytes + tasks).
[[nodiscard]] Conversion read_swf(const std::filesystem::path& table, const SwfOptions& options = {});

// Writes rows in order of submission, numbered from 1. Without `sidecar` (null), reports its fields as
// dropped.
ExportReport write_swf(std::ostream& table, std::ostream* sidecar, const Workload& workload);

}  // namespace wavewright
