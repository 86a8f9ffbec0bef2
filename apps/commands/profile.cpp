#include "apps/context.h"

namespace wavewright::app {

void add_profile(CLI::App& /*root*/, Context& /*context*/) {}

}  // namespace wavewright::app
