// Measured runs of one job on several numbers of machines, as CSV.
//
//   machines,seconds
//   1,612.4
//   2,330
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/rent/problem.h"

namespace wavewright {

struct MeasuredRun {
  Count machines = 1;
  double seconds = 0;

  friend bool operator==(const MeasuredRun&, const MeasuredRun&) = default;
};

// Throws InputError with file and line for what is not a whole number of machines from 1 to
// Speeds::most_machines, or not a time above 0. `seconds` may be written as a duration, `5min`.
[[nodiscard]] std::vector<MeasuredRun> parse_runs(std::string_view text, const std::string& source);
[[nodiscard]] std::vector<MeasuredRun> read_runs(const std::filesystem::path& path);

// Jobs: `job,work` and, if wanted, `arrival`; work and arrival as durations, a bare number is seconds.
// The same errors, and for a job that is there twice or has no name.
[[nodiscard]] std::vector<RentJob> parse_rent_jobs(std::string_view text, const std::string& source);
[[nodiscard]] std::vector<RentJob> read_rent_jobs(const std::filesystem::path& path);

}  // namespace wavewright
