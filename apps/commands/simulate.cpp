#include "apps/context.h"

namespace wavewright::app {

void add_simulate(CLI::App& /*root*/, Context& /*context*/) {}

}  // namespace wavewright::app
