// `wavewright energy`: energy as meters measure it, and powers of node classes from that.
#include "apps/commands/energy_commands.h"

namespace wavewright::app {

void add_energy(CLI::App& root, Context& context) {
  CLI::App* energy = root.add_subcommand("energy", "Measure energy; fit powers of node classes to it");
  energy->footer("Example: wavewright energy fit examples/energy/samples.csv");
  energy->require_subcommand(1);
  add_energy_record(*energy, context);
  add_energy_fit(*energy, context);
}

}  // namespace wavewright::app
