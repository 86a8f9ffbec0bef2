// The subcommands of `rent`.
#pragma once

#include "apps/context.h"

namespace wavewright::app {

void add_rent_fit(CLI::App& rent, Context& context);
void add_rent_plan(CLI::App& rent, Context& context);
void add_rent_online(CLI::App& rent, Context& context);

}  // namespace wavewright::app
