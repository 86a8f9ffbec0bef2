// `wavewright cost`, for other commands too.
#pragma once

#include <string>
#include <vector>

#include "apps/commands/cost_apply.h"
#include "apps/context.h"
#include "apps/policies.h"
#include "apps/pool_options.h"
#include "apps/spread_options.h"

namespace wavewright::app {

struct CostOptions {
  std::string workload, late = "5%", out, report;
  std::vector<std::string> policies, machines, bids;
  std::size_t seeds = 0;  // 0: as many as are usual
  unsigned threads = 0;   // 0: one a core
  bool all = false;
  PoolOptions pool;
  SpreadOptions spread;
  PolicyLibraries libraries;
  CostApplyOptions apply;
};

// Simulates, prints and writes the answer; returns the exit status.
[[nodiscard]] int cost_command(const Context& context, const CostOptions& options);

}  // namespace wavewright::app
