// Flags of a dispatching queue: when waiting jobs are ordered, for what and how [ORDER].
#pragma once

#include <string>

#include <CLI/App.hpp>

#include "wavewright/cluster/cluster.h"
#include "wavewright/dispatch/ordering_engine.h"

namespace wavewright::app {

struct OrderingOptions {
  std::string when = "tp-ati(10s)", engine = "sim", objective = "total-completion";
  Count search_up_to = -1;  // -1 = the engine's own

  // `when_default`: what the help says of --when without a value.
  void declare(CLI::App& command, const std::string& when_default);
  // Throws UsageError for unknown names and for --search-up-to with an engine that searches nothing.
  [[nodiscard]] OrderingEngine engine_for(const Cluster& cluster) const;
};

}  // namespace wavewright::app
