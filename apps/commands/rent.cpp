// `wavewright rent`: machines rented for a batch, at the least rent and delay together.
#include "apps/commands/rent_commands.h"

namespace wavewright::app {

void add_rent(CLI::App& root, Context& context) {
  CLI::App* rent = root.add_subcommand("rent", "Share out rented machines by rent and delay");
  rent->footer("Example: wavewright rent fit examples/rent/runs.csv");
  rent->require_subcommand(1);
  add_rent_fit(*rent, context);
  add_rent_plan(*rent, context);
  add_rent_online(*rent, context);
}

}  // namespace wavewright::app
