// The cells of a sweep as units of work on a cluster.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "apps/commands/job_reader.h"
#include "apps/commands/sweep_file.h"
#include "apps/engine/engine_options.h"

namespace wavewright::app {

struct SweepOnYarn {
  const SweepFile& file;
  const LengthSpread& spread;
  const std::vector<std::string>& libraries;
  const JobReader& reader;
};

// Simulates the cells that `results` lacks, on the cluster. Each row is added once. Throws as YarnEngine and
// UnitRun do, Interrupted.
void run_sweep_on_yarn(const Context& context, const EngineFlags& flags, const SweepOnYarn& sweep,
                       const std::string& out, SweepResults& results);

}  // namespace wavewright::app
