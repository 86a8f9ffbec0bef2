// Removes runs with all their data, in the caller's transaction.
#pragma once

#include <span>
#include <string>

#include <soci/soci.h>

namespace wavewright {

// The counts by name, user and queue are the caller's matter (store/derived.h).
void remove_runs(soci::session& session, std::span<const std::string> identities);

}  // namespace wavewright
