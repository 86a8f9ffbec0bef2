// Writes every simulated attempt as a record: `job,kind,task,attempt,node,slot,start_ms,end_ms,outcome`.
#pragma once

#include <filesystem>
#include <functional>

#include "wavewright/job/job.h"
#include "wavewright/sim/result.h"

namespace wavewright {

// CSV (RFC 4180) for `.csv`, JSON Lines for `.jsonl`; throws UsageError for another ending. Slots count from
// 0 over the whole pool; the node of a flat pool is `pool`. O(tasks).
void write_trace(const std::filesystem::path& path, const SimulationResult& result, const Workload& workload);
// The same while `simulate` runs, so that no task is kept. If `simulate` throws, no file is left.
void write_trace(const std::filesystem::path& path, const Workload& workload,
                 const std::function<void(TaskSink&)>& simulate);

}  // namespace wavewright
