// `wavewright energy`: measured energy; see apps/context.h.
#pragma once

#include "apps/context.h"

namespace wavewright::app {

void add_energy(CLI::App& root, Context& context);
void add_energy_record(CLI::App& energy, Context& context);
void add_energy_fit(CLI::App& energy, Context& context);

}  // namespace wavewright::app
