// Reads Rumen and SLS traces as workloads; finished jobs become jobs by to_job.h. Draws SLS's synthetic
// workloads (sls/synthetic.h).
//
// Rumen's instants are absolute, so submissions count from the first one. SLS's count from the trace's start
// and stay. In SLS a reduce's shuffle is part of its container's time, so it is part of the reduce here.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "wavewright/job/format_conversion.h"

namespace wavewright {

// `rumen`, `sls` or `synth`, recognised by a file's first bytes; nothing otherwise.
[[nodiscard]] std::optional<WorkloadFormat> trace_format(std::string_view first_bytes);

// `format` is one of these. Drops and counts jobs that did not succeed, or lack a submission or all task
// times. Throws InputError with the first reason if no job is left, ExternalError if the file cannot be read.
// The whole file (at most 1 GiB) is held in memory.
[[nodiscard]] Conversion read_trace_workload(const std::filesystem::path& path, WorkloadFormat format);

}  // namespace wavewright
