// The machines that a batch brings along (`run --rent`): rented before its first job, given back after its
// last.
#pragma once

#include <string>

#include "apps/commands/machine_order.h"
#include "apps/context.h"

namespace wavewright::app {

// An order of machines for one batch. The batch's name is also the name of the budget.
struct RunMachines {
  MachineOrderFile file;
  CloudOptions cloud;
  RentOrder order;
};

// Reads the order file. Throws InputError; UsageError if it names a batch of its own.
[[nodiscard]] RunMachines read_run_machines(const std::string& file, const std::string& batch,
                                            const std::string& resource_manager, const std::string& ca_file);

// Describes the machines and the most that they may cost. Asks the cloud nothing. Throws Infeasible if the
// budget does not hold it.
[[nodiscard]] Json rent_document(const Context& context, const RunMachines& machines);
void print_rent(const Json& document);

// Returns when all of them have joined the cluster. If not all do, they are given back, and ExternalError
// says why. Throws Infeasible if the budget does not hold them.
void rent_for_run(const Context& context, const RunMachines& machines);

// Gives back what is rented for the batch, and waits until it has ended. Without any it does nothing. False,
// with a note, if the cloud cannot be asked.
[[nodiscard]] bool give_back_after_run(const Context& context, const std::string& batch,
                                       const CloudOptions& cloud);
// For a batch that nobody follows: that its machines stay, and how to give them back. Nothing without any.
void tell_that_machines_stay(const Context& context, const std::string& batch);

}  // namespace wavewright::app
