// Commands about a batch that runs; see apps/context.h.
#pragma once

#include "apps/context.h"

namespace wavewright::app {

void add_why(CLI::App& root, Context& context);
void add_night(CLI::App& root, Context& context);

}  // namespace wavewright::app
