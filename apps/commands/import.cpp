#include "apps/context.h"

namespace wavewright::app {

void add_import(CLI::App& /*root*/, Context& /*context*/) {}

}  // namespace wavewright::app
