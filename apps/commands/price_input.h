// Flags for the price file of `prices` and `instances`.
#pragma once

#include <string>

#include "apps/context.h"
#include "wavewright/cloud/prices/price_file.h"

namespace wavewright::app {

struct PriceFlags {
  std::string file;
  Market wanted;
  std::string longest_gap = "7d";

  // `as`: the name of the file's option, or of the argument.
  void declare(CLI::App& command, const std::string& as, const std::string& description);
  [[nodiscard]] Duration gap() const;
  // Tells the notes.
  [[nodiscard]] PriceFile read(const Context& context) const;
};

}  // namespace wavewright::app
