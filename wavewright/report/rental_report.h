// The page of `wavewright cost`: the frontier of cost and tardiness, and all options as a table.
#pragma once

#include <iosfwd>
#include <string>

#include "wavewright/cloud/choice/rental_choice.h"

namespace wavewright {

struct RentalReport {
  std::string title;
  std::string generated;  // time as text; empty = not shown
  std::size_t jobs = 0;   // with a deadline
  double late_at_most = 0;
  std::size_t seeds = 0;
  RentalChoice choice{};
};

// A pure function of its input. The choice must have options.
void write_rental_report(std::ostream& out, const RentalReport& data);

// `mdasa, hybrid for 0.05 USD`: an option in words.
[[nodiscard]] std::string in_words(const RentalOption& option);

}  // namespace wavewright
