// The stored runs that a job's name means: of one name, or of all that fit a pattern.
#pragma once

#include <string>
#include <vector>

#include "wavewright/report/documents/profile_document.h"
#include "wavewright/store/store.h"

namespace wavewright::app {

// What people see and write for a job without a name. For programs it stays the empty text.
inline constexpr const char* no_name = "(no name)";
[[nodiscard]] std::string shown_name(const std::string& name);

// The name as stored for one given in any case, or for `no_name`. UsageError with the nearest name.
[[nodiscard]] std::string stored_name(const Store& store, const std::string& name);

// A name with `*` pools every name that it fits, ignoring case. With `like`, a name pools all that differ
// from it only in dates, numbers and ids (profile/names.h). UsageError for a job without history: with the
// pattern that would find runs, where there is one, else with the nearest name.
[[nodiscard]] JobRuns find_job_runs(const Store& store, const std::string& name, bool like = false);

}  // namespace wavewright::app
