#include "apps/settings/time_zone.h"

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"

namespace wavewright::app {

namespace {

std::filesystem::path zone_folder() {
  const char* const given = std::getenv("TZDIR");
  return given != nullptr && *given != '\0' ? given : "/usr/share/zoneinfo";
}

// The names of the zones' table, `CC<tab>position<tab>zone` a line.
std::vector<std::string> zone_names(const std::filesystem::path& folder) {
  std::vector<std::string> names = {"UTC"};
  std::ifstream table(folder / "zone.tab");
  for (std::string line; std::getline(table, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream fields(line);
    std::string country, position, name;
    if (fields >> country >> position >> name) names.push_back(name);
  }
  return names;
}

}  // namespace

void check_time_zone(const std::string& zone) {
  if (zone == "UTC") return;
  const std::filesystem::path folder = zone_folder();
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored)) {
    throw UsageError("the time zone '" + zone + "' is not known here, as no zones are installed",
                     "apt-get install tzdata, or use UTC");
  }
  const bool plain = !zone.empty() && zone.front() != '/' && zone.find("..") == std::string::npos;
  if (plain && std::filesystem::is_regular_file(folder / zone, ignored)) return;
  throw UsageError("unknown time zone '" + zone + "'", suggestion(zone, zone_names(folder)));
}

void use_time_zone(const std::string& zone) {
  check_time_zone(zone);
  ::setenv("TZ", zone.c_str(), 1);
  ::tzset();
}

}  // namespace wavewright::app
