// The stored runs that a job's name selects: of one name, or of all that match a pattern.
#pragma once

#include <string>
#include <vector>

#include "wavewright/report/documents/profile_document.h"
#include "wavewright/store/store.h"

namespace wavewright::app {

// Shown and accepted for a job without a name. For programs the name stays empty.
inline constexpr const char* no_name = "(no name)";
[[nodiscard]] std::string shown_name(const std::string& name);

// The stored form of a name given in any case, or of `no_name`. Throws UsageError with the nearest name.
[[nodiscard]] std::string stored_name(const Store& store, const std::string& name);

// A name with `*` pools all names that match, regardless of case. With `like`, a name pools all names that
// differ from it only in dates, numbers and ids (profile/names.h). Throws UsageError for a job without
// history: with the pattern that would find runs, if there is one, else with the nearest name.
[[nodiscard]] JobRuns find_job_runs(const Store& store, const std::string& name, bool like = false);

}  // namespace wavewright::app
