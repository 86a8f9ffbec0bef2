// Asks web servers whether they are there, many at once.
#pragma once

#include <string>
#include <vector>

#include "wavewright/core/time.h"

namespace wavewright {

// True for each `HOST:PORT` that takes a connection and says anything, or ends it, within that time. A host
// that has no address does not. O(addresses); at most 500 connections at once, and so a time for each 500.
[[nodiscard]] std::vector<bool> probe_web_servers(const std::vector<std::string>& addresses, Duration within);

}  // namespace wavewright
