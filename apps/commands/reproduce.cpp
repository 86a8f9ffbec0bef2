#include "apps/context.h"

namespace wavewright::app {

void add_reproduce(CLI::App& /*root*/, Context& /*context*/) {}

}  // namespace wavewright::app
