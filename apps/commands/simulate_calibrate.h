// `wavewright simulate --calibrate JOBS`: estimates a cluster's overheads from imported runs.
#pragma once

#include <string>

#include "apps/context.h"
#include "wavewright/sched/registry.h"

namespace wavewright::app {

struct CalibrateFlags {
  std::string jobs;     // a name, or a pattern with *
  std::string cluster;  // its file
  std::string out;      // output file; empty = the same file
  std::string known;    // a workload file: jobs whose tasks take so long without launches; empty = none
  std::string policy;   // of the cluster, for `known`
  const PolicyRegistry& registry;
};

// Calibrates, writes and prints. Throws UsageError if the store has no such runs.
int simulate_calibrate(const Context& context, const CalibrateFlags& flags);

}  // namespace wavewright::app
