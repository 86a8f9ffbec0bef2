// The sidecar of an SWF table: a workload file whose jobs give their row in `x_swf_job`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

#include "wavewright/job/job.h"

namespace wavewright {

// The job as a workload line with the row's number; replaces a number that the job already has.
[[nodiscard]] std::string sidecar_line(const Job& job, std::int64_t number);

struct SwfSidecar {
  std::vector<Job> jobs;  // in the sidecar's order, `x_swf_job` removed
  std::unordered_map<std::int64_t, std::size_t> by_number;
};

// Throws InputError if it is no workload file, or if a job names no row or one that another job names.
[[nodiscard]] SwfSidecar read_sidecar(const std::filesystem::path& path);

}  // namespace wavewright
