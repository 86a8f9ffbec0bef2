// The tasks, attempts and counters of a run as one short text, for a row of the store.
//
// Columnar: every field of all tasks stands together, instants as differences (a task's start from the
// previous task's, an attempt's finish from its start), names through a dictionary, ids left out where they
// follow from the job's id; then deflated. A task with one attempt takes about 20 bytes (a test holds it
// under 24). Lossless: what is unpacked equals what was packed in every field.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "wavewright/history/run.h"

namespace wavewright {

// Version 1 lacks settings and quality_warnings; the identity of runs without id or submission is made from
// it for ever. Version 2 lacks masters.
enum class TaskFormat : std::uint8_t { v1 = 1, v2 = 2, v3 = 3 };

// `tasks`, `masters`, `counters`, `diagnostics_text`, `settings` and `quality_warnings` of the run.
// O(tasks + attempts).
[[nodiscard]] std::string pack_tasks(const JobRun& run, TaskFormat format = TaskFormat::v3);

// Sets those of `run`, whose `id` must be that of the packed one. Throws std::runtime_error where the
// text is damaged or of a later version.
void unpack_tasks(std::string_view text, JobRun& run);

}  // namespace wavewright
