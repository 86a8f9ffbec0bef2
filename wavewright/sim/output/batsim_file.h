// The result of a simulation as Batsim's `_jobs.csv` (github.com/oar-team/batsim, docs/output-jobs.rst), a
// row a job, so that tools made for Batsim's output read ours. The columns and their formulas:
// docs/formats/workload-file.md.
#pragma once

#include <filesystem>
#include <string>

#include "wavewright/cluster/cluster.h"
#include "wavewright/job/job.h"
#include "wavewright/sim/result.h"

namespace wavewright {

// `result` must have its trace, which tells the slots that a job had: as resources, map slots count from 0
// and reduce slots behind them. `name` stands as the workload's. Throws ExternalError. O(tasks · log tasks).
void write_batsim_jobs(const std::filesystem::path& path, const SimulationResult& result,
                       const Workload& workload, SlotPool pool, const std::string& name);

}  // namespace wavewright
