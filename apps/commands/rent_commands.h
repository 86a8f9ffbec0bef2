// The command `rent` and its subcommands.
#pragma once

#include "apps/context.h"

namespace wavewright::app {

// `rent` itself.
void add_rent(CLI::App& root, Context& context);

void add_rent_fit(CLI::App& rent, Context& context);
void add_rent_plan(CLI::App& rent, Context& context);
void add_rent_online(CLI::App& rent, Context& context);

}  // namespace wavewright::app
