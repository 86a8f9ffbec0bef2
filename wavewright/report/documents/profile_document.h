// The profile document: a job's profile from its runs (docs/formats/schemas/profile.schema.json).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wavewright/profile/by_slots.h"
#include "wavewright/profile/changes.h"
#include "wavewright/profile/findings.h"
#include "wavewright/profile/fit.h"
#include "wavewright/profile/groups.h"
#include "wavewright/profile/profile.h"
#include "wavewright/profile/run_phases.h"
#include "wavewright/report/documents/json.h"

namespace wavewright {

// The stored runs of one name, or of all names that match a pattern.
struct JobRuns {
  std::string name;                // as stored, or the pattern
  std::vector<std::string> names;  // names that match; one without a pattern
  std::vector<RunPhases> runs;     // newest first
};

// A job's profile with groups, changes, fits and findings.
struct ProfileView {
  JobRuns found;
  std::vector<RunGroup> groups;
  std::optional<std::size_t> group;  // index of the chosen group; empty = all
  std::vector<Change> changes;       // in the chosen group
  bool since_change = false;         // uses only runs since the last change
  std::vector<RunPhases> used;
  JobProfile profile;
  Stability stability;
  std::vector<SlotsRow> by_slots;  // of all sizes
  std::vector<PhaseFit> fits;      // likewise
  std::vector<ProfileFinding> findings;
  Freshness fresh;
};

// The phases of a profile with their names for programs and for people.
struct NamedPhase {
  const char* name;
  const char* title;
  const PhaseProfile& profile;
};
[[nodiscard]] std::vector<NamedPhase> phases_of(const JobProfile& profile);

[[nodiscard]] Json profile_document(const ProfileView& view);

}  // namespace wavewright
