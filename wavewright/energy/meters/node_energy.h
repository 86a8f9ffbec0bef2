// The energy of whole nodes from the series of their sources.
#pragma once

#include <string>
#include <vector>

#include "wavewright/energy/meters/energy_spans.h"

namespace wavewright {

struct NodeEnergy {
  std::string node;
  std::vector<std::string> sources;  // those that were added up
  std::vector<EnergySpan> spans;

  // Some of it is declared power, which nobody measured (declared_meter.h).
  [[nodiscard]] bool declared() const;
};

struct NodeEnergies {
  std::vector<NodeEnergy> nodes;  // in order of first mention
  SpanFindings found;             // of the sources that count
  std::vector<std::string> remarks;
};

// A wall plug measures the whole node, else its controller (IPMI) does; then the parts that others measure
// are not added. Else all parts are: packages, memory, GPUs. Declared power stands in for the processors: it
// is added where no RAPL measures these, with a remark. O(readings log readings).
[[nodiscard]] NodeEnergies energy_by_node(const std::vector<SourceSeries>& series);

}  // namespace wavewright
