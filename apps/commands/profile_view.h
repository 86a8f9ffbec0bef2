// `wavewright profile NAME` as text and as tables.
#pragma once

#include <string>
#include <vector>

#include "apps/commands/job_runs.h"
#include "apps/context.h"
#include "apps/table.h"
#include "wavewright/report/documents/profile_document.h"

namespace wavewright::app {

inline constexpr double gib = 1024.0 * 1024.0 * 1024.0;  // bytes

// For programs, or if one table is requested: the phases or the fits.
[[nodiscard]] const std::vector<Column>& phase_columns();
[[nodiscard]] const std::vector<Column>& fit_columns();
void list_phases(const JobProfile& profile, const ListOptions& list);
void list_fits(const std::vector<PhaseFit>& fits, const ListOptions& list);

void show_profile(const ProfileView& view, bool fits);
void show_findings(const std::vector<ProfileFinding>& findings);
void show_fits(const std::vector<PhaseFit>& fits);

[[nodiscard]] std::string duration_cell(double milliseconds);
// A value of a fit (ms, or a number of maps) with its unit.
[[nodiscard]] std::string with_unit(const PhaseFit& fitted, double value);
[[nodiscard]] Column number_column(const char* title);

}  // namespace wavewright::app
