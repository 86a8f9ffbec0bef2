#include "apps/commands/run_rent.h"

#include <algorithm>
#include <iostream>

#include <fmt/format.h>

#include "apps/commands/machines_view.h"
#include "apps/commands/rented_machines.h"
#include "apps/table.h"
#include "wavewright/core/error.h"
#include "wavewright/core/when.h"
#include "wavewright/live/submission/submission.h"

namespace wavewright::app {

namespace {

bool is_rented(const Books& books, const std::string& batch) {
  return std::any_of(books.orders.begin(), books.orders.end(), [&](const RentOrder& order) {
    return order.batch == batch && order.state != OrderState::closed;
  });
}

void give_back_all(RentLedger& ledger, const std::string& batch) {
  ledger.change({}, [&](Books& books) {
    for (RentOrder& order : books.orders) {
      if (order.batch == batch) give_back(order, "the batch is over");
    }
  });
}

std::string release_command(const std::string& batch) {
  return "wavewright machines release --batch " + shell_text({batch});
}

}  // namespace

RunMachines read_run_machines(const std::string& file, const std::string& batch,
                              const std::string& resource_manager, const std::string& ca_file) {
  RunMachines machines;
  machines.file = read_machine_order(file);
  if (!machines.file.batch.empty())
    throw UsageError(fmt::format("{} names the batch '{}', and 'run' has its own", file, machines.file.batch),
                     "leave 'batch' out, or name the run so: --run");
  machines.cloud = cloud_of(machines.file, {.ca_file = ca_file, .resource_manager = resource_manager});
  machines.order = order_of(machines.file.order, batch, now_instant());
  return machines;
}

Json rent_document(const Context& context, const RunMachines& machines) {
  const RentOrder& order = machines.order;
  Books books = books_of(context);
  place_within(books, order, machines.file.order.budget);
  Json document = machines_document(books, now_instant(), true, {});
  const auto budget = std::find_if(document["budgets"].begin(), document["budgets"].end(),
                                   [&](const Json& each) { return each["batch"] == order.batch; });
  return {{"machines", order.count},
          {"type", order.terms.type.empty() ? Json(nullptr) : Json(order.terms.type)},
          {"group", order.group.empty() ? Json(nullptr) : Json(order.group)},
          {"bid_usd", order.terms.bid ? Json(to_usd(*order.terms.bid)) : Json(nullptr)},
          {"hourly_usd", to_usd(order.hourly)},
          {"for_ms", to_ms(order.until - order.asked)},
          {"most_cost_usd", to_usd(most_cost(order, order.asked))},
          {"budget_usd", (*budget)["limit_usd"]}};
}

void print_rent(const Json& document) {
  const std::string kind = document["group"].is_null() ? document["type"] : document["group"];
  std::cout << fmt::format("would rent {} x {} for {}, {}, at {} USD an hour at most: {} of {} USD\n",
                           document["machines"].get<Count>(), harmless(kind),
                           format_duration(ms(document["for_ms"].get<std::int64_t>())),
                           document["bid_usd"].is_null() ? "on demand" : "spot",
                           document["hourly_usd"].get<double>(), document["most_cost_usd"].get<double>(),
                           document["budget_usd"].get<double>());
}

void rent_for_run(const Context& context, const RunMachines& machines) {
  const Store store = Store::open(context.store_url(), Store::Access::create);
  LedgerStore ledger(store);
  context.ends_itself = true;
  std::vector<std::string> notes;
  RentOutcome outcome;
  try {
    outcome = rent_machines(context, ledger, machines.cloud, machines.order,
                            {.budget = machines.file.order.budget}, notes);
  } catch (const Interrupted&) {
    tell_that_machines_stay(context, machines.order.batch);
    throw;
  }
  const std::string shortfall = outcome.shortfall(machines.order.count);
  if (shortfall.empty()) {
    context.note(fmt::format("{} machines are there, rented until {}", machines.order.count,
                             format_instant(machines.order.until)));
    return;
  }
  const bool back = give_back_after_run(context, machines.order.batch, machines.cloud);
  throw ExternalError({}, shortfall,
                      back ? "the others were given back, and nothing was submitted"
                           : "nothing was submitted; " + release_command(machines.order.batch));
}

bool give_back_after_run(const Context& context, const std::string& batch, const CloudOptions& cloud) {
  if (!is_rented(books_of(context), batch)) return true;
  try {
    const Store store = Store::open(context.store_url(), Store::Access::existing);
    LedgerStore ledger(store);
    give_back_all(ledger, batch);
    std::vector<std::string> notes;
    end_machines(context, ledger, cloud, true, notes);
    context.note("the machines of the batch were given back");
    return true;
  } catch (const Error& error) {
    context.note(fmt::format("machines of the batch may still be rented: {}; try again: {}", error.what(),
                             release_command(batch)));
    return false;
  }
}

void tell_that_machines_stay(const Context& context, const std::string& batch) {
  if (!is_rented(books_of(context), batch)) return;
  context.note("its machines stay rented; to give them back: " + release_command(batch));
}

}  // namespace wavewright::app
