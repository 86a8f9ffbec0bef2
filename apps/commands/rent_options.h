// Options that the subcommands of `rent` have in common: jobs, machines, speed-up, prices.
#pragma once

#include <set>
#include <string>

#include <CLI/App.hpp>

#include "apps/context.h"
#include "wavewright/rent/problem.h"

namespace wavewright::app {

struct RentOptions {
  std::string file;
  Count machines = 0;
  std::string speedup;  // a curve
  std::string runs;     // or a file of measured runs
  double price = 0;     // per machine and hour
  double delay = 0;     // per job and hour
  double benefit = 0;   // per hour of work on one machine

  void declare(CLI::App& command);
  // S relative to one machine. Throws UsageError where neither or both of curve and runs are given.
  [[nodiscard]] SpeedupCurve curve() const;
  // The jobs of a CSV file, or of a workload: its tasks' lengths summed are its work, its submission is its
  // arrival. An error of the curve or the jobs names the file. `profiles`: those that its jobs name.
  [[nodiscard]] RentProblem problem(const Context& context, std::set<std::string>& profiles) const;
};

[[nodiscard]] Json rent_options_document(const RentOptions& options);

}  // namespace wavewright::app
