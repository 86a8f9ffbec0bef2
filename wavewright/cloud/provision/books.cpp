#include "wavewright/cloud/provision/books.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

RentBudget* find_budget(Books& books, const std::string& batch) {
  const auto found = std::find_if(books.budgets.begin(), books.budgets.end(),
                                  [&](const RentBudget& each) { return each.batch == batch; });
  return found == books.budgets.end() ? nullptr : &*found;
}

RentBudget& budget_of(Books& books, const std::string& batch) {
  if (RentBudget* const budget = find_budget(books, batch)) return *budget;
  books.budgets.push_back({batch, {}, {}});
  return books.budgets.back();
}

}  // namespace

Committed committed(const Books& books, const std::string& batch, Time now, Duration until_check) {
  Committed sum;
  for (const RentBudget& budget : books.budgets) {
    if (budget.batch != batch) continue;
    sum.limit = budget.limit;
    sum.spent = budget.settled;
  }
  for (const RentOrder& order : books.orders) {
    if (order.batch != batch || order.state == OrderState::closed) continue;
    const Money until_now = spent(order, now);
    sum.spent += until_now;
    sum.set_aside += most_cost(order, now + until_check) - until_now;
  }
  return sum;
}

void place(Books& books, const RentOrder& order, Time now, Duration until_check) {
  if (find_budget(books, order.batch) == nullptr)
    throw Infeasible(fmt::format("batch '{}' has no budget", order.batch), "give it one with --budget");
  const Committed sum = committed(books, order.batch, now, until_check);
  const Money needed = most_cost(order, now);
  if (needed > sum.left())
    throw Infeasible(
        fmt::format(
            "the budget of batch '{}' does not hold it: of {} USD, {} are spent and {} set aside, and it may "
            "cost {}",
            order.batch, usd_text(sum.limit), usd_text(sum.spent), usd_text(sum.set_aside), usd_text(needed)),
        "rent fewer machines or for a shorter time, or raise --budget");
  books.orders.push_back(order);
}

void set_budget(Books& books, const std::string& batch, Money limit) {
  budget_of(books, batch).limit = limit;
}

void close(Books& books, RentOrder& order, Time now, Count unproved) {
  order.cost = spent(order, now);
  for (Count i = 0; i < unproved; ++i) order.cost += most_cost(order.hourly, order.hold);
  order.state = OrderState::closed;
  budget_of(books, order.batch).settled += order.cost;
}

void reopen(Books& books, RentOrder& order) {
  RentBudget& budget = budget_of(books, order.batch);
  budget.settled = budget.settled - order.cost;
  order.cost = {};
  order.state = OrderState::placed;
  order.wanted = false;
}

std::string usd_text(Money money) {
  std::string text =
      fmt::format("{}{}.{:06}", money.micro_usd < 0 ? "-" : "", std::abs(money.micro_usd / micro_per_usd),
                  std::abs(money.micro_usd % micro_per_usd));
  while (text.ends_with('0') && text[text.size() - 3] != '.') text.pop_back();
  return text;
}

}  // namespace wavewright
