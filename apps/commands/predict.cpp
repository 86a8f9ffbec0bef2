#include "apps/context.h"

namespace wavewright::app {

void add_predict(CLI::App& /*root*/, Context& /*context*/) {}

}  // namespace wavewright::app
