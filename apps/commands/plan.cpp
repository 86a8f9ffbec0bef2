#include "apps/context.h"

namespace wavewright::app {

void add_plan(CLI::App& /*root*/, Context& /*context*/) {}

}  // namespace wavewright::app
