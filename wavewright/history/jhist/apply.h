// Applies an event to the run. Unused event types (priority changes, …) and unknown ones change nothing.
#pragma once

#include "wavewright/history/jhist/event.h"
#include "wavewright/history/run_builder.h"

namespace wavewright::jhist {

// False for an event type that no Hadoop from 0.23 to 3.4 has.
[[nodiscard]] bool apply(const Event& event, RunBuilder& builder);

}  // namespace wavewright::jhist
