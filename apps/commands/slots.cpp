#include "apps/context.h"

namespace wavewright::app {

void add_slots(CLI::App& /*root*/, Context& /*context*/) {}

}  // namespace wavewright::app
