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

// A place that is not known yet is any.
bool is_same(const RentOrder& a, const RentOrder& b, std::optional<Money> on_demand) {
  LaunchTerms terms = a.terms;
  terms.bid = b.terms.bid;
  const bool same_price = a.hourly == b.hourly && a.terms.bid == b.terms.bid;
  const bool dear = on_demand && !a.terms.bid && a.hourly == *on_demand;
  return terms == b.terms && (same_price || dear) && a.group == b.group && a.count == b.count &&
         a.until - a.asked == b.until - b.asked && (b.place.empty() || a.place == b.place);
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

std::vector<std::string> roots_of(const Books& books, const std::string& batch) {
  std::vector<std::string> roots;
  for (const RentOrder& order : books.orders) {
    if (order.batch != batch || order.state == OrderState::closed || !order.wanted) continue;
    const std::string& root = order.first.empty() ? order.token : order.first;
    if (std::find(roots.begin(), roots.end(), root) == roots.end()) roots.push_back(root);
  }
  return roots;
}

const RentOrder* find_same(const Books& books, const RentOrder& order, std::optional<Money> on_demand) {
  const std::vector<std::string> roots = roots_of(books, order.batch);
  if (roots.empty()) return nullptr;
  const auto found = std::find_if(books.orders.begin(), books.orders.end(),
                                  [&](const RentOrder& each) { return each.token == roots.front(); });
  if (roots.size() == 1 && found != books.orders.end() && is_same(*found, order, on_demand)) return &*found;
  throw UsageError(fmt::format("batch '{}' has other machines already", order.batch),
                   "see 'wavewright machines list', give them back with 'release', or name another --batch");
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
