// The workload file: JSON Lines, one job per line, in submission order (docs/formats/workload-file.md).
//
// Reading makes all checks of `check` (job.h). It also refuses wrong types, fractions, fields that nearly
// match a known name, text that is not UTF-8, and values nested deeper than 64. Errors are InputError with
// `file:line`. Gzip is inflated; `-` is standard input.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/job/distribution.h"
#include "wavewright/job/job.h"
#include "wavewright/job/validator.h"

namespace wavewright {

// Durations that a line leaves open: whoever reads it draws them, by seed. Absent ones are written out.
struct OpenDurations {
  std::optional<DurationRange> maps, reduces, first_shuffles, shuffles;
};

struct ProfiledTasks {
  Count maps = 0, reduces = 0;
  OpenDurations lengths;  // of maps and reduces where there are any; absent shuffles are 0
};

struct WorkloadReadOptions {
  // Seed of durations that are given as a distribution or profile. Each list has its own stream, by (seed,
  // job id, field), so that a change to one job does not affect the others.
  std::uint64_t seed = 1;
  // Called once for each name of an unknown field; its values are kept in Job::unknown_fields.
  std::function<void(const std::string& warning)> warn;
  Count most_tasks = wavewright::most_tasks();  // of the file
  // Tasks of a job that lists none but names a profile. If empty, such a job stays without tasks. A
  // UsageError or Infeasible of it becomes an InputError that names the line.
  std::function<ProfiledTasks(const Job& job)> tasks_of_profile = {};
  // Ids of jobs that are elsewhere: `after` may name them, and no job may have one.
  std::vector<std::string> elsewhere = {};
};

// Calls `each` for every job in the order of the file. Memory: the longest line and all ids. Unknown or
// cyclic `after` is found only at the end. Returns the number of jobs; a file without a job is an error.
// O(bytes).
Count read_workload(const std::filesystem::path& path, const WorkloadReadOptions& options,
                    const std::function<void(Job&&)>& each);

[[nodiscard]] Workload read_workload(const std::filesystem::path& path,
                                     const WorkloadReadOptions& options = {});

// The same of a text; `source` names it in errors.
[[nodiscard]] Workload parse_workload(std::string_view text, const std::string& source,
                                      const WorkloadReadOptions& options = {});

// One job as one line without line end, with as many open durations as the job has. Without any, reading it
// back gives an equal job.
[[nodiscard]] std::string to_line(const Job& job, const OpenDurations& open = {});
// `open`: by job, or empty.
void write_workload(std::ostream& out, const Workload& workload, const std::vector<OpenDurations>& open = {});

// Names of the fields, in the order in which they are written.
[[nodiscard]] const std::vector<std::string>& workload_fields();

}  // namespace wavewright
