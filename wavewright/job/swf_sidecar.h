// The file beside an SWF table: a workload file whose jobs name their row in `x_swf_job`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

#include "wavewright/job/job.h"

namespace wavewright {

// A workload line with the row's number; a number that the job had from a sidecar before gives way.
[[nodiscard]] std::string sidecar_line(const Job& job, std::int64_t number);

struct SwfSidecar {
  std::vector<Job> jobs;  // in the sidecar's order, without their numbers
  std::unordered_map<std::int64_t, std::size_t> by_number;
};

// Throws InputError on what is no workload file, or where a job names no row or one that is taken.
[[nodiscard]] SwfSidecar read_sidecar(const std::filesystem::path& path);

}  // namespace wavewright
