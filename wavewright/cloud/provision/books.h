// The books of a ledger: budgets of batches, and the orders that are not closed. Rules of the budget.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/cloud/provision/rent_order.h"

namespace wavewright {

// What a batch may spend on machines.
struct RentBudget {
  std::string batch;
  Money limit;
  Money settled;  // cost of its closed orders

  friend bool operator==(const RentBudget&, const RentBudget&) = default;
};

struct Books {
  std::vector<RentBudget> budgets;
  std::vector<RentOrder> orders;
};

// Where the books are kept, so that nothing is lost when a program dies.
class RentLedger {
 public:
  virtual ~RentLedger() = default;

  // Names this ledger in the tags of its machines; never changes.
  [[nodiscard]] virtual std::string id() = 0;

  // Calls `change` with the books as they are now, together with the closed orders of these tokens. Writes
  // what it changed, all or nothing; nobody else changes them meanwhile. `change` may be called again, with
  // other books, if the database gave way to another program. Throws ExternalError if the ledger cannot be
  // reached: then the change was written or not.
  virtual void change(const std::vector<std::string>& closed, const std::function<void(Books&)>& change) = 0;

  // The books as they are; `with_closed`: with every closed order, too.
  [[nodiscard]] virtual Books read(bool with_closed) = 0;
};

// What a batch has spent, and the most that its open orders can still cost.
struct Committed {
  Money limit;
  Money spent;      // closed orders, and open ones until now
  Money set_aside;  // for open orders besides
  [[nodiscard]] Money left() const { return limit - spent - set_aside; }  // negative if a machine is overdue
};
// `until_check`: how long it may take until the books are looked at again. O(orders).
[[nodiscard]] Committed committed(const Books& books, const std::string& batch, Time now,
                                  Duration until_check);

// Adds an order, the budget of whose batch holds it: spent + set aside + the most that it can cost ≤ limit.
// Throws Infeasible if it does not, or if the batch has no budget; then nothing is changed.
void place(Books& books, const RentOrder& order, Time now, Duration until_check);

// The open order that does what `order` asks for: of its batch, for the same time, place, group, terms and
// count of machines. Null without one. To rent anew instead would rent twice. `on_demand`: with this price
// an order without the bid is the same, too. An order that stands in for machines that did not come up is a
// part of the one it stands for, which may be closed and must be among the books then. Throws UsageError if
// the batch has other machines. O(orders).
[[nodiscard]] const RentOrder* find_same(const Books& books, const RentOrder& order,
                                         std::optional<Money> on_demand = std::nullopt);
// The orders that the open ones of a batch began with: their tokens, each once. O(orders).
[[nodiscard]] std::vector<std::string> roots_of(const Books& books, const std::string& batch);

// Sets the limit. It may be lower than what is spent; then nothing more is rented.
void set_budget(Books& books, const std::string& batch, Money limit);

// Moves an order's cost to what its batch has settled. Its machines must have ended. `unproved` machines, of
// which nobody knows whether they ran, count with `hold`.
void close(Books& books, RentOrder& order, Time now, Count unproved = 0);
// Takes a closed order up again: a machine of it has come to light.
void reopen(Books& books, RentOrder& order);

// `0.096`: at least two decimals, at most six.
[[nodiscard]] std::string usd_text(Money money);

}  // namespace wavewright
