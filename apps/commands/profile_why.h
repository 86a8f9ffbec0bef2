// `wavewright profile NAME --why PHASE[.STATISTIC]`: which runs and tasks a number comes from.
#pragma once

#include "apps/commands/profile_view.h"
#include "wavewright/profile/why.h"

namespace wavewright::app {

// The tasks behind the statistic, and every run of the job: what it gave, or why it was left out. The exit
// status.
[[nodiscard]] int show_why(const Store& store, const ProfileView& view, const Statistic& statistic,
                           const Context& context);

}  // namespace wavewright::app
