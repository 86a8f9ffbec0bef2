#include "apps/commands/machines_view.h"

#include <algorithm>
#include <charconv>
#include <iostream>

#include <fmt/format.h>

#include "apps/table.h"
#include "wavewright/core/error.h"
#include "wavewright/core/when.h"

namespace wavewright::app {

namespace {

constexpr Duration until_check = ms(60'000);

std::string kind_of(const RentOrder& order) {
  return order.group.empty() ? order.terms.type : order.group;
}

// Machines of an order that the cloud has not named: of a request without an answer, or of a group of EMR.
Count unnamed(const RentOrder& order) {
  if (order.state == OrderState::closed) return 0;
  return std::max<Count>(0, order.count - std::ssize(order.machines));
}

std::string state_of(const RentOrder& order) {
  if (!order.wanted) return order.group.empty() ? "given up" : "terminating";
  return order.state == OrderState::placed ? "placed" : "requested";
}

Json json_of(const RentOrder& order) {
  return {{"batch", order.batch},
          {"order", order.token},
          {"place", order.place},
          {"type", order.terms.type.empty() ? Json(nullptr) : Json(order.terms.type)},
          {"group", order.group.empty() ? Json(nullptr) : Json(order.group)},
          {"attempt", order.attempt},
          {"bid_usd", order.terms.bid ? Json(to_usd(*order.terms.bid)) : Json(nullptr)},
          {"hourly_usd", to_usd(order.hourly)},
          {"asked_ms", to_ms(order.asked)},
          {"until_ms", to_ms(order.until)}};
}

Json json_of(const RentOrder& order, const RentedMachine& machine, Time now) {
  Json json = json_of(order);
  json["id"] = machine.id;
  json["host"] = machine.host;
  json["state"] = to_string(machine.state);
  json["reason"] = machine.reason;
  json["launched_ms"] = to_ms(machine.launched);
  json["gone_ms"] = machine.state == MachineState::gone ? Json(to_ms(machine.gone)) : Json(nullptr);
  json["cost_usd"] = to_usd(spent(order, machine, now));
  return json;
}

Json json_of_unnamed(const RentOrder& order, Time now) {
  Json json = json_of(order);
  json["id"] = nullptr;
  json["host"] = "";
  json["state"] = state_of(order);
  json["reason"] = order.reason;
  json["launched_ms"] = nullptr;
  json["gone_ms"] = nullptr;
  const bool billed = !order.group.empty() && order.sends > 0;
  json["cost_usd"] = billed ? to_usd(most_cost(order.hourly, now - order.asked)) : 0.0;
  return json;
}

}  // namespace

Json machines_document(const Books& books, Time now, bool dry_run, const std::vector<std::string>& notes) {
  Json budgets = Json::array(), machines = Json::array();
  for (const RentBudget& budget : books.budgets) {
    const Committed sum = committed(books, budget.batch, now, until_check);
    budgets.push_back({{"batch", budget.batch},
                       {"limit_usd", to_usd(sum.limit)},
                       {"spent_usd", to_usd(sum.spent)},
                       {"set_aside_usd", to_usd(sum.set_aside)},
                       {"left_usd", to_usd(sum.left())}});
  }
  for (const RentOrder& order : books.orders) {
    for (const RentedMachine& machine : order.machines) machines.push_back(json_of(order, machine, now));
    for (Count i = 0; i < unnamed(order); ++i) machines.push_back(json_of_unnamed(order, now));
  }
  return {{"dry_run", dry_run}, {"budgets", budgets}, {"machines", machines}, {"notes", notes}};
}

void print_machines(const Books& books, Time now) {
  Table table{{{"batch", "batch", false, true},
               {"type", "type"},
               {"state", "state"},
               {"until", "until"},
               {"cost_usd", "cost USD", true},
               {"id", "machine"},
               {"reason", "reason", false, true}},
              {}};
  for (const RentOrder& order : books.orders) {
    const Cell until(format_instant(order.until), to_ms(order.until));
    for (const RentedMachine& machine : order.machines)
      table.rows.push_back({order.batch, kind_of(order),
                            std::string(machine.give_back && machine.state < MachineState::terminating
                                            ? "to be ended"
                                            : to_string(machine.state)),
                            until, usd_text(spent(order, machine, now)), machine.id, machine.reason});
    for (Count i = 0; i < unnamed(order); ++i)
      table.rows.push_back(
          {order.batch, kind_of(order), state_of(order), until, usd_text({}), std::string(), order.reason});
  }
  if (!table.rows.empty()) write_table(std::cout, table);
  for (const RentBudget& budget : books.budgets) {
    const Committed sum = committed(books, budget.batch, now, until_check);
    std::cout << fmt::format("{}: of {} USD, {} are spent, {} set aside, {} left\n", harmless(budget.batch),
                             usd_text(sum.limit), usd_text(sum.spent), usd_text(sum.set_aside),
                             usd_text(sum.left()));
  }
}

Money parse_usd(const std::string& flag, const std::string& text) {
  const auto refuse = [&] {
    throw UsageError(fmt::format("{} '{}' is no amount of dollars", flag, text),
                     "write it like 2.00 or 0.0315, with six decimals at most");
  };
  constexpr std::size_t most_digits = 9, decimals = 6;
  const std::size_t point = std::min(text.find('.'), text.size());
  std::string fraction = text.substr(std::min(point + 1, text.size()));
  if (point == 0 || point > most_digits || fraction.size() > decimals) refuse();
  fraction.resize(decimals, '0');
  const std::string digits = text.substr(0, point) + fraction;
  std::int64_t micro = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), micro);
  if (error != std::errc{} || end != digits.data() + digits.size() || digits.starts_with('-')) refuse();
  return {micro};
}

}  // namespace wavewright::app
