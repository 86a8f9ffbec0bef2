#include "apps/commands/job_runs.h"

#include <algorithm>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/profile/names.h"
#include "wavewright/store/phases.h"

namespace wavewright::app {

namespace {

std::vector<std::string> names_like(const std::vector<RunName>& names, const std::string& pattern) {
  std::vector<std::string> found;
  for (const RunName& known : names) {
    if (matches_pattern(pattern, known.name)) found.push_back(known.name);
  }
  return found;
}

bool newer(const RunPhases& a, const RunPhases& b) {
  const auto instant = [](const RunPhases& run) {
    return run.submit ? *run.submit : run.finish.value_or(Time::min());
  };
  return instant(a) > instant(b);
}

JobRuns pooled(const Store& store, const std::string& pattern) {
  JobRuns found{pattern, names_like(store.names(), pattern), {}};
  for (const std::string& name : found.names) {
    std::vector<RunPhases> runs = load_phases(store, name);
    std::move(runs.begin(), runs.end(), std::back_inserter(found.runs));
  }
  std::stable_sort(found.runs.begin(), found.runs.end(), newer);
  return found;
}

void suggest_pattern(const Store& store, const std::string& name) {
  const std::string pattern = name_pattern(name);
  const bool general = pattern != name && pattern.find_first_not_of("*-_:. ") != std::string::npos;
  const std::size_t like = general ? names_like(store.names(), pattern).size() : 0;
  if (like == 0) return;
  throw UsageError(fmt::format("no runs of a job named '{}', but {} names are like it", name, like),
                   fmt::format("use '{}' (or --like) to take them together", pattern));
}

}  // namespace

std::string shown_name(const std::string& name) {
  return name.empty() ? no_name : name;
}

std::string stored_name(const Store& store, const std::string& name) {
  const auto unnamed = [](const RunName& one) { return one.name.empty(); };
  if (name == no_name) {
    const std::vector<RunName> names = store.names();
    if (std::any_of(names.begin(), names.end(), unnamed)) return "";
  }
  try {
    return store.known_name(name);
  } catch (const UsageError& error) {
    const std::vector<RunName> names = store.names();
    if (std::none_of(names.begin(), names.end(), unnamed)) throw;
    std::vector<std::string> known;  // as shown: '' cannot be given
    known.reserve(names.size());
    for (const RunName& one : names) known.push_back(shown_name(one.name));
    const std::optional<std::string> close = nearest(name, known);
    throw UsageError(error.problem(), close ? fmt::format("did you mean '{}'?", *close)
                                            : "'wavewright profile' lists the names");
  }
}

JobRuns find_job_runs(const Store& store, const std::string& name, bool like) {
  const std::string pattern = like ? name_pattern(name) : name;
  if (pattern.find('*') != std::string::npos) {
    JobRuns found = pooled(store, pattern);
    if (!found.names.empty()) return found;
    throw UsageError(fmt::format("no runs of a job named like '{}'", pattern),
                     "'wavewright profile' lists the names");
  }
  try {
    const std::string known = stored_name(store, name);
    return {known, {known}, load_phases(store, known)};
  } catch (const UsageError&) {
    suggest_pattern(store, name);
    throw;
  }
}

}  // namespace wavewright::app
