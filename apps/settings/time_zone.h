// The zone of times that are read and printed.
#pragma once

#include <string>

namespace wavewright::app {

// Throws UsageError for a zone that this machine does not know, with near names. The C library would take any
// unknown one as UTC.
void check_time_zone(const std::string& zone);

// From here on, local times are of that zone. Throws as check_time_zone does.
void use_time_zone(const std::string& zone);

}  // namespace wavewright::app
