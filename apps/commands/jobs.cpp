#include "apps/context.h"

namespace wavewright::app {

void add_jobs(CLI::App& /*root*/, Context& /*context*/) {}

}  // namespace wavewright::app
