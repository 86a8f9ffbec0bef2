#include "apps/context.h"

namespace wavewright::app {

void add_report(CLI::App& /*root*/, Context& /*context*/) {}

}  // namespace wavewright::app
