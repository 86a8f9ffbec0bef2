// The workload file: JSON Lines, one job a line, in submission order (docs/formats/workload-file.md).
//
// Reading checks everything that job.h's `check` checks, and refuses what is not plainly meant: wrong
// types, fractions, fields that nearly match a known name, text that is not UTF-8, values nested deeper
// than 64. Errors are InputError with `file:line`. Gzip is inflated on the way; `-` is standard input.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/job/job.h"
#include "wavewright/job/validator.h"

namespace wavewright {

struct WorkloadReadOptions {
  // Seed of durations given as a distribution or profile; each list is drawn from a stream of its own,
  // named by (seed, job id, field), so that changing one job leaves the others as they were.
  std::uint64_t seed = 1;
  // Called once for each name of an unknown field; its values are kept in Job::unknown_fields.
  std::function<void(const std::string& warning)> warn;
};

// Calls `each` for every job in the order of the file; memory is that of the longest line and of all ids.
// What concerns jobs together (unknown or cyclic `after`) is known only at the end. Returns the number of
// jobs, at least 1: a file without a job is an error. O(bytes).
Count read_workload(const std::filesystem::path& path, const WorkloadReadOptions& options,
                    const std::function<void(Job&&)>& each);

[[nodiscard]] Workload read_workload(const std::filesystem::path& path,
                                     const WorkloadReadOptions& options = {});

// One job as one line, without the line's end; durations are always written out. Reading it back gives an
// equal job.
[[nodiscard]] std::string to_line(const Job& job);
void write_workload(std::ostream& out, const Workload& workload);

// Names of the fields, in the order in which they are written.
[[nodiscard]] const std::vector<std::string>& workload_fields();

}  // namespace wavewright
