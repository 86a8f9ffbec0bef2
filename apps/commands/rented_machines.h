// Machines of the store's ledger: rented, looked after and given back. What `machines` and `run --rent` have
// in common.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/commands/machines_cloud.h"
#include "apps/context.h"
#include "wavewright/cloud/provision/ledger_store.h"

namespace wavewright::app {

// Notes of a step, for the reader and for the document.
void tell(const Context& context, const StepReport& report, std::vector<std::string>& notes);

// The books of the store; empty if there is no store yet. None is made.
[[nodiscard]] Books books_of(const Context& context, bool with_closed = false);

// The books with the order in them, and its batch's budget set where one is given, in USD. Throws Infeasible
// if the budget does not hold it.
void place_within(Books& books, const RentOrder& order, const std::string& budget);

// How an order is placed.
struct RentWays {
  std::string budget{};  // USD; empty = the one that the batch has
  bool wait = true;      // until every machine is up or will not come
  // Not twice: an open order of the batch that asks for the same stands for it.
  bool once = false;
  // A bid that is below the spot price gives way to this price of an hour. The budget must hold it.
  std::optional<Money> on_demand{};
};

// Enters `order` in the books; `priced`, if given, is the same with what it costs now. True if an open order
// stands for it: then `order` is that one. Throws Infeasible if the budget does not hold it, UsageError if
// the batch has other machines and is to rent `once`.
bool enter(Books& books, RentOrder& order, const RentWays& ways, const RentOrder* priced = nullptr);

// The state of an order, together with the orders that replaced machines of it.
struct RentOutcome {
  Count up = 0, coming = 0;
  std::string reason{};  // of machines that are neither
  RentOrder order{};     // as it was placed, or the one that stands for it
  bool taken_up = false;

  // In words, where fewer are up or coming than were asked for; else empty.
  [[nodiscard]] std::string shortfall(Count asked) const;
};

// Places the order and asks the cloud. Throws what `enter` throws, CloudError if the cloud denies it;
// nothing is rented then. Ctrl-C throws Interrupted: what was asked for stays rented.
[[nodiscard]] RentOutcome rent_machines(const Context& context, LedgerStore& ledger,
                                        const CloudOptions& options, RentOrder order, const RentWays& ways,
                                        std::vector<std::string>& notes);

// Steps in every place that has an open order, and in those where one was closed within a day: a machine of
// it may come to light. Only of the former an error ends the step.
class Everywhere {
 public:
  Everywhere(const Context& context, const CloudOptions& options, LedgerStore& ledger)
      : context_(context), options_(options), ledger_(ledger) {}

  StepReport step(std::vector<std::string>& notes);

 private:
  // True for those with an open order.
  [[nodiscard]] std::map<std::string, bool> places();
  MachinesCloud& cloud_of(const std::string& text);

  const Context& context_;
  const CloudOptions& options_;
  LedgerStore& ledger_;
  std::map<std::string, std::unique_ptr<MachinesCloud>> clouds_;
};

// Ends what the ledger says is to be given back. `wait`: returns when all of it has ended.
void end_machines(const Context& context, LedgerStore& ledger, const CloudOptions& options, bool wait,
                  std::vector<std::string>& notes);

}  // namespace wavewright::app
