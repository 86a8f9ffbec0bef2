// The Standard Workload Format of the Parallel Workloads Archive, version 2.2: a job a line, 18 numbers, -1
// for what is unknown, header comments behind `;`, times in seconds.
//
// A row tells a rigid job, so a MapReduce job is written as it would run alone with a processor for each task
// of its widest stage (`swf_shape`). Beside `FILE` a sidecar `FILE.tasks.jsonl` keeps what a row cannot say:
// it is a workload file, in the workload's order, whose jobs name their row in `x_swf_job`. Table and sidecar
// give the workload that was written; a row without an entry in the sidecar gives a job of as many maps as it
// had processors, each as long as it ran, and no reduces.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>

#include "wavewright/job/format_conversion.h"
#include "wavewright/job/validator.h"

namespace wavewright {

// The columns that a job's tasks decide. Seconds are rounded to the nearest.
struct SwfShape {
  std::int64_t submit_s = 0;
  std::int64_t run_s = 0;       // longest map + longest (first shuffle + reduce)
  std::int64_t processors = 0;  // the larger of maps and reduces
  std::int64_t cpu_s = 0;       // all task time / processors: `processors` times it is the job's work
};
[[nodiscard]] SwfShape swf_shape(const Job& job);

[[nodiscard]] std::filesystem::path swf_sidecar(const std::filesystem::path& table);

struct SwfOptions {
  bool with_failed = false;  // take failed and cancelled jobs too, as long as they ran
  Count most_tasks = max_tasks;
};

// Takes the sidecar where there is one. Left out, with a count for each reason: rows that are malformed, tell
// no submission, run time or processors, repeat a number, are a part of a job, or of a job that failed or was
// cancelled. Throws InputError when no row is left, there are more than `most_tasks`, or the sidecar's job is
// not that of the row. O(bytes + tasks).
[[nodiscard]] Conversion read_swf(const std::filesystem::path& table, const SwfOptions& options = {});

// Rows in order of submission, numbered from 1. `sidecar` may be null: then all that it would keep is
// dropped, and named.
ExportReport write_swf(std::ostream& table, std::ostream* sidecar, const Workload& workload);

}  // namespace wavewright
