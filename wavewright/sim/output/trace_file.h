// Every simulated task as one record: `job,kind,task,attempt,node,slot,start_ms,end_ms,outcome`.
#pragma once

#include <filesystem>
#include <functional>

#include "wavewright/job/job.h"
#include "wavewright/sim/result.h"

namespace wavewright {

// CSV (RFC 4180), or JSON Lines where the name ends in `.jsonl`; any other ending than `.csv` is a
// UsageError. Slots count from 0 over the whole pool; the node of a flat pool is `pool`. O(tasks).
void write_trace(const std::filesystem::path& path, const SimulationResult& result, const Workload& workload);
// The same while `simulate` tells it of them, so that no task is kept. Nothing is left of the file where that
// throws.
void write_trace(const std::filesystem::path& path, const Workload& workload,
                 const std::function<void(TaskSink&)>& simulate);

}  // namespace wavewright
