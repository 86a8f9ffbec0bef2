// The page of `wavewright cost`: the frontier of cost and tardiness, and all options as a table.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>

#include "wavewright/cloud/choice/rental_choice.h"

namespace wavewright {

// Machines that were rented, or would be, for the best option (`cost --apply`).
struct AppliedRental {
  bool dry_run = false;
  std::string batch;
  Count machines = 0;                     // all together; 0 = none are needed
  std::optional<RentalFigures> together;  // so many machines of one size, simulated; none = not known
  std::string what;                       // type or group, and how: `m5.large on demand`; empty = not known
  Duration length{};
  std::optional<double> most_usd, budget_usd;
  std::string problem;  // why nothing, or not all, is rented; empty = none
};

struct RentalReport {
  std::string title;
  std::string generated;  // time as text; empty = not shown
  std::size_t jobs = 0;   // with a deadline
  double late_at_most = 0;
  std::size_t seeds = 0;
  RentalChoice choice{};
  std::optional<AppliedRental> applied{};
};

// A pure function of its input. The choice must have options.
void write_rental_report(std::ostream& out, const RentalReport& data);

// `mdasa, hybrid for 0.05 USD`: an option in words.
[[nodiscard]] std::string in_words(const RentalOption& option);

}  // namespace wavewright
