// `wavewright profile NAME --why PHASE[.STATISTIC]`: the runs and tasks that a number comes from.
#pragma once

#include "apps/commands/profile_view.h"
#include "wavewright/profile/why.h"

namespace wavewright::app {

// Shows the tasks behind the statistic, and each run's contribution or the reason why it was left out. Only
// the tasks if `list` selects one table. Returns the exit status.
[[nodiscard]] const std::vector<Column>& why_columns();
[[nodiscard]] int show_why(const Store& store, const ProfileView& view, const Statistic& statistic,
                           const ListOptions& list, const Context& context);

}  // namespace wavewright::app
