// Packs the tasks, attempts and counters of a run into one short text, for a row of the store.
//
// By column: the values of a field for all tasks stand together. Instants are differences (a task's start
// from the previous task's, an attempt's finish from its start), names are numbered by a dictionary, ids are
// left out if they follow from the job's id. Then deflated. A task with one attempt takes about 20 bytes (a
// test holds it under 24). Lossless: unpacking gives every field back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "wavewright/history/run.h"

namespace wavewright {

// Version 1 lacks settings and quality_warnings; it stays the base of the identity of runs without id or
// submission. Version 2 lacks masters.
enum class TaskFormat : std::uint8_t { v1 = 1, v2 = 2, v3 = 3 };

// The run's tasks, masters, counters, diagnostics_text, settings, quality_warnings. O(tasks + attempts).
[[nodiscard]] std::string pack_tasks(const JobRun& run, TaskFormat format = TaskFormat::v3);

// Sets these fields of `run`, whose `id` must be that of the packed run. Throws std::runtime_error if the
// text is damaged or of a later version.
void unpack_tasks(std::string_view text, JobRun& run);

}  // namespace wavewright
