// Opens the store that the command line names, to read runs from it.
#pragma once

#include "apps/context.h"
#include "wavewright/store/store.h"

namespace wavewright::app {

// Damaged runs are left out; a note names the first one. Throws ExternalError if there is no store.
[[nodiscard]] Store open_store(const Context& context);

}  // namespace wavewright::app
