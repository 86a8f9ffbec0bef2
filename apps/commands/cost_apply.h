// `wavewright cost --apply`: rents the machines that the answer needs, all together, by an order file that
// says what the answer leaves open (docs/use/cost.md).
#pragma once

#include <string>

#include <CLI/App.hpp>

#include "apps/commands/machine_order.h"
#include "apps/commands/rented_machines.h"
#include "apps/context.h"
#include "wavewright/cloud/choice/rental_choice.h"
#include "wavewright/report/rental_report.h"

namespace wavewright::app {

struct CostApplyOptions {
  std::string order;               // a template; empty = nothing is rented
  std::string budget, batch, out;  // of the flags; empty = not given
  bool dry_run = false;
  CloudOptions cloud;  // its flags go before what the template says

  void declare(CLI::App& command);
};

// Rents the machines of an answer, in two steps: before and after the simulation.
class CostApply {
 public:
  // Reads and checks the template before anything is simulated. The batch is that of the flag, else of the
  // template, else the name of the workload's file. The rest must outlive it. Throws InputError, UsageError;
  // Infeasible if the batch has no budget.
  CostApply(const Context& context, const CostApplyOptions& options, const std::string& workload,
            const RentalQuestion& question);

  // Simulates as many machines of one size as the best option rents at once, and says what they would cost.
  // Rents them, unless it is a dry run or the batch has them already. Fills `document["apply"]` and the
  // page's part, and prints unless the context wants JSON. Throws Infeasible if the machines or the budget do
  // not do, and what rent_machines throws; document and page tell what was known by then.
  void apply(const RentalFigures& best, Json& document, AppliedRental& shown) const;

 private:
  void check_template() const;
  void check_answer(const RentalFigures& best, const RentalFigures& together, Duration needed) const;
  [[nodiscard]] MachineOrderFile completed(const RentalTerms& terms, Count machines, Duration length) const;
  void print_plan(const RentOrder& order, const RentalTerms& terms, const Json& told) const;
  void rent(const RentOrder& order, const RentWays& ways, const MachineOrderFile& file, Json& told) const;

  const Context& context_;
  const CostApplyOptions& options_;
  const RentalQuestion& question_;
  MachineOrderFile template_;
  std::string batch_;
};

}  // namespace wavewright::app
