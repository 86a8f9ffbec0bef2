// The events of a batch as they happen, over outages of whoever tells them.
#pragma once

#include <cstdint>
#include <functional>

#include "apps/commands/batch_desk.h"
#include "apps/context.h"

namespace wavewright::app {

// Gives each event behind that number to `take`, until it returns false, until `end`, or until Ctrl-C. A
// daemon that goes away is waited for, and one line says so. Returns false after Ctrl-C.
bool follow_events(const Context& context, BatchDesk& desk, std::int64_t behind, Time end,
                   const std::function<bool(const NumberedEvent&)>& take);

}  // namespace wavewright::app
