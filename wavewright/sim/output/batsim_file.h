// Writes a simulation's result as Batsim's `_jobs.csv` (github.com/oar-team/batsim, docs/output-jobs.rst),
// one row per job, for tools that read Batsim's output. Columns and formulas: docs/formats/workload-file.md.
#pragma once

#include <filesystem>
#include <string>

#include "wavewright/cluster/cluster.h"
#include "wavewright/job/job.h"
#include "wavewright/sim/result.h"

namespace wavewright {

// `result` must have its `trace`. As resources, map slots count from 0 and reduce slots follow; containers
// count as their nodes. `name`: the workload's. Throws ExternalError. O(tasks · log tasks).
void write_batsim_jobs(const std::filesystem::path& path, const SimulationResult& result,
                       const Workload& workload, SlotPool pool, const std::string& name);

}  // namespace wavewright
