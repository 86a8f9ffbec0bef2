// `wavewright simulate --calibrate JOBS`: a cluster's overheads, learnt from imported runs, into its file.
#pragma once

#include <string>

#include "apps/context.h"

namespace wavewright::app {

struct CalibrateFlags {
  std::string jobs;     // a name, or a pattern with *
  std::string cluster;  // its file
  std::string out;      // where the calibrated one goes; empty = the same file
};

// Learns, writes, prints. UsageError where the store has no such runs.
int simulate_calibrate(const Context& context, const CalibrateFlags& flags);

}  // namespace wavewright::app
