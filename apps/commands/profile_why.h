// `wavewright profile NAME --why PHASE[.STATISTIC]`: which runs and tasks a number comes from.
#pragma once

#include "apps/commands/profile_view.h"
#include "wavewright/profile/why.h"

namespace wavewright::app {

// The tasks behind the statistic, and every run of the job: what it gave, or why it was left out; of the
// tasks alone where `list` asks for one table. The exit status.
[[nodiscard]] const std::vector<Column>& why_columns();
[[nodiscard]] int show_why(const Store& store, const ProfileView& view, const Statistic& statistic,
                           const ListOptions& list, const Context& context);

}  // namespace wavewright::app
