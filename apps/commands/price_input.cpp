#include "apps/commands/price_input.h"

#include "wavewright/core/error.h"

namespace wavewright::app {

void PriceFlags::declare(CLI::App& command, const std::string& as, const std::string& description) {
  CLI::Option* const option = command.add_option(as, file, description)->type_name("FILE");
  if (!as.starts_with("-")) option->required();
  command.add_option("--type", wanted.instance_type, "only this instance type, like m3.medium")
      ->type_name("TYPE");
  command.add_option("--zone", wanted.zone, "only this availability zone, like us-east-1a")
      ->type_name("ZONE");
  command.add_option("--product", wanted.product, "only this product, like Linux/UNIX")->type_name("PRODUCT");
  command.add_option("--longest-gap", longest_gap, "longer times without a row are gaps of the record (7d)")
      ->type_name("TIME");
}

Duration PriceFlags::gap() const {
  const Duration gap = parse_duration(longest_gap);
  if (gap <= Duration{}) throw UsageError("--longest-gap is 0", "give a time above 0, like 7d");
  return gap;
}

PriceFile PriceFlags::read(const Context& context) const {
  PriceFile read = read_prices(file, {.wanted = wanted, .longest_gap = gap()});
  for (const std::string& note : read.notes) context.note(note);
  return read;
}

}  // namespace wavewright::app
