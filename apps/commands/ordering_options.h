// Flags of a dispatching queue: when waiting jobs are ordered, for what and how [ORDER].
#pragma once

#include <cstdint>
#include <string>

#include <CLI/App.hpp>

#include "wavewright/cluster/cluster.h"
#include "wavewright/dispatch/ordering_engine.h"

namespace wavewright::app {

struct OrderingOptions {
  std::string when = "tp-ati(10s)", engine = "sim", objective = "total-completion";
  Count search_up_to = -1;        // -1 = the engine's own
  std::uint64_t evaluations = 0;  // 0 = the engine's own

  // `when_default`: what the help says of --when without a value.
  void declare(CLI::App& command, const std::string& when_default);
  // `seed`: of a planner. Throws UsageError for unknown names and for a limit that the engine does not have.
  [[nodiscard]] OrderingEngine engine_for(const Cluster& cluster, std::uint64_t seed) const;
};

}  // namespace wavewright::app
