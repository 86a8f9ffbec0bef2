#include "apps/context.h"

namespace wavewright::app {

void add_workload(CLI::App& /*root*/, Context& /*context*/) {}

}  // namespace wavewright::app
