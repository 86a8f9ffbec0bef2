// What each kind of event tells about the run. Event types of no use here (priority changes, application
// master starts, …) and unknown ones change nothing.
#pragma once

#include "wavewright/history/jhist/event.h"
#include "wavewright/history/run_builder.h"

namespace wavewright::jhist {

// False when the event's type is none that Hadoop 0.23 to 3.4 has.
[[nodiscard]] bool apply(const Event& event, RunBuilder& builder);

}  // namespace wavewright::jhist
