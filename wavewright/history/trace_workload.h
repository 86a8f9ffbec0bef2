// Rumen and SLS traces as workloads: the finished jobs of a trace, as to_job.h makes jobs of runs.
//
// Rumen's instants are absolute, so submissions count from the first; SLS's count from the trace's beginning
// and stay. In SLS a reduce's shuffle is part of its container's time, and of the reduce here.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "wavewright/job/format_conversion.h"

namespace wavewright {

// `rumen` or `sls`, as their readers recognise them by a file's first bytes; nothing otherwise.
[[nodiscard]] std::optional<WorkloadFormat> trace_format(std::string_view first_bytes);

// `format` is `rumen` or `sls`. Jobs that did not succeed, tell no submission or no task's times are left
// out, with a count. Throws InputError, with the first reason, when none is left; ExternalError when the file
// cannot be read. The file (at most 1 GiB) is held in memory.
[[nodiscard]] Conversion read_trace_workload(const std::filesystem::path& path, WorkloadFormat format);

}  // namespace wavewright
