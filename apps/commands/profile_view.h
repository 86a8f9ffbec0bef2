// Everything that `wavewright profile NAME` has found out, and its two forms.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/commands/job_runs.h"
#include "apps/context.h"
#include "apps/table.h"
#include "wavewright/profile/by_slots.h"
#include "wavewright/profile/changes.h"
#include "wavewright/profile/findings.h"
#include "wavewright/profile/fit.h"
#include "wavewright/profile/groups.h"
#include "wavewright/profile/profile.h"

namespace wavewright::app {

struct ProfileView {
  JobRuns found;
  std::vector<RunGroup> groups;
  std::optional<std::size_t> group;  // place of the chosen one; absent = all
  std::vector<Change> changes;       // in the chosen group
  bool since_change = false;         // only runs since the last one are used
  std::vector<RunPhases> used;
  JobProfile profile;
  Stability stability;
  std::vector<SlotsRow> by_slots;  // of every size
  std::vector<PhaseFit> fits;      // likewise
  std::vector<ProfileFinding> findings;
  Freshness fresh;
};

// The phases of a profile by the names that programs and people see.
struct NamedPhase {
  const char* name;
  const char* title;
  const PhaseProfile& profile;
};
[[nodiscard]] std::vector<NamedPhase> phases_of(const JobProfile& profile);

// For programs, or whoever wants one table only: the phases, or the fits, as `list` asks.
[[nodiscard]] const std::vector<Column>& phase_columns();
[[nodiscard]] const std::vector<Column>& fit_columns();
void list_phases(const JobProfile& profile, const ListOptions& list);
void list_fits(const std::vector<PhaseFit>& fits, const ListOptions& list);

void show_profile(const ProfileView& view, bool fits);
void show_findings(const std::vector<ProfileFinding>& findings);
void show_fits(const std::vector<PhaseFit>& fits);
[[nodiscard]] Json profile_json(const ProfileView& view);

[[nodiscard]] std::string duration_cell(double milliseconds);
// What a fit gives, ms or a number of maps, with its unit.
[[nodiscard]] std::string with_unit(const PhaseFit& fitted, double value);
[[nodiscard]] Column number_column(const char* title);

}  // namespace wavewright::app
