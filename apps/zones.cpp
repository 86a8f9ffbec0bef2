#include "apps/zones.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wavewright/core/when.h"

namespace wavewright::app {

std::string with_zones(const std::string& title, const std::vector<Time>& instants) {
  std::vector<std::string> zones;
  for (const Time instant : instants) {
    std::string zone = zone_name(instant);
    if (std::find(zones.begin(), zones.end(), zone) == zones.end()) zones.push_back(std::move(zone));
  }
  return zones.empty() ? title : fmt::format("{} ({})", title, fmt::join(zones, ", "));
}

}  // namespace wavewright::app
