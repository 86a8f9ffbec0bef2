#include "apps/commands/rented_machines.h"

#include <algorithm>

#include <fmt/format.h>

#include "apps/commands/machines_view.h"
#include "apps/progress.h"
#include "wavewright/core/error.h"
#include "wavewright/core/when.h"

namespace wavewright::app {

namespace {

constexpr Duration until_check = ms(60'000);

// Between looks at machines that come or go: short at first, for a cloud that is quick.
class Waits {
 public:
  void wait(const Context& context) {
    wait_for(next_, &context.interrupted);
    next_ = std::min(2 * next_, longest);
  }

 private:
  static constexpr Duration longest = ms(8'000);
  Duration next_ = ms(500);
};

// `missing`: machines that the last step missed; those of a group have no names.
RentOutcome outcome_of(const Books& books, const RentOrder& asked, bool joins, Count missing) {
  RentOutcome outcome;
  outcome.order = asked;
  for (const RentOrder& order : books.orders) {
    if (order.token != asked.token && order.first != asked.token) continue;
    if (!order.reason.empty()) outcome.reason = order.reason;
    if (order.state == OrderState::closed) continue;
    const Count unnamed = std::max<Count>(0, order.count - std::ssize(order.machines));
    const bool grown = !order.group.empty() && order.state == OrderState::placed && missing == 0;
    if (order.wanted) (grown ? outcome.up : outcome.coming) += unnamed;
    for (const RentedMachine& machine : order.machines) {
      const bool is_up = machine.state >= (joins ? MachineState::joined : MachineState::running);
      if (machine.give_back || machine.state >= MachineState::terminating)
        outcome.reason = machine.reason;
      else
        ++(is_up ? outcome.up : outcome.coming);
    }
  }
  return outcome;
}

// Says so if the spot price is above the bid, or takes the price on demand instead where there is one.
void settle_price(const Context& context, MachinesCloud& cloud, std::optional<Money> on_demand,
                  RentOrder& order) {
  if (!order.terms.bid) return;
  const auto spot = cloud.spot_price(order.terms.type, now_instant());
  const bool above = spot && *spot > *order.terms.bid;
  if (above)
    context.note(fmt::format("the spot price is {} USD now, above the bid{}", usd_text(*spot),
                             on_demand ? ": rented on demand" : ""));
  if (!on_demand || (spot && !above)) return;
  if (!spot) context.note("the cloud tells no spot price: rented on demand");
  order.terms.bid.reset();
  order.hourly = *on_demand;
}

}  // namespace

void tell(const Context& context, const StepReport& report, std::vector<std::string>& notes) {
  for (const auto& lines : {report.notes, report.refused}) {
    for (const std::string& line : lines) {
      context.note(line);
      notes.push_back(line);
    }
  }
}

Books books_of(const Context& context, bool with_closed) {
  try {
    const Store store = Store::open(context.store_url(), Store::Access::existing);
    return LedgerStore(store).read(with_closed);
  } catch (const ExternalError&) {  // there is none yet
    return {};
  }
}

void place_within(Books& books, const RentOrder& order, const std::string& budget) {
  if (!budget.empty()) set_budget(books, order.batch, parse_usd("--budget", budget));
  place(books, order, order.asked, until_check);
}

std::string RentOutcome::shortfall(Count asked) const {
  if (up + coming >= asked) return {};
  if (up + coming == 0) return "nothing is rented: " + reason;
  return fmt::format("{} of {} machines are up: {}", up, asked, reason);
}

bool enter(Books& books, RentOrder& order, const RentWays& ways, const RentOrder* priced) {
  if (const RentOrder* const same = ways.once ? find_same(books, order, ways.on_demand) : nullptr) {
    order = *same;
    if (ways.budget.empty()) return true;
    set_budget(books, order.batch, parse_usd("--budget", ways.budget));
    const Committed sum = committed(books, order.batch, now_instant(), until_check);
    if (sum.left() < Money{})
      throw Infeasible(fmt::format("the budget of {} USD does not hold the machines that batch '{}' has",
                                   usd_text(sum.limit), order.batch),
                       "give them back with 'wavewright machines release', or raise --budget");
    return true;
  }
  if (ways.on_demand) {
    Books trial = books;
    RentOrder dear = order;
    dear.hourly = std::max(order.hourly, *ways.on_demand);
    place_within(trial, dear, ways.budget);
  }
  if (priced != nullptr) order = *priced;
  place_within(books, order, ways.budget);
  return false;
}

RentOutcome rent_machines(const Context& context, LedgerStore& ledger, const CloudOptions& options,
                          RentOrder order, const RentWays& ways, std::vector<std::string>& notes) {
  MachinesCloud cloud(context, options, ledger);
  tell(context, cloud.step(), notes);  // credentials that are wrong show before anything is written
  order.place = cloud.place().text();
  if (!order.group.empty()) cloud.prepare(order);
  const RentOrder wish = order;
  RentOrder priced = order;
  bool taken_up = ways.once && find_same(ledger.read(true), wish, ways.on_demand) != nullptr;
  if (!taken_up) settle_price(context, cloud, ways.on_demand, priced);
  ledger.change(roots_of(ledger.read(false), order.batch), [&](Books& books) {
    order = wish;
    taken_up = enter(books, order, ways, &priced);
  });
  const bool joins = !options.resource_manager.empty();
  const auto look = [&] {
    StepReport report;
    report.missing = order.count;
    try {
      report = cloud.step();
      tell(context, report, notes);
    } catch (const CloudError& error) {  // the intent stands: the next step asks again
      if (error.failure() == CloudFailure::denied) throw;
      context.note(error.what());
    }
    RentOutcome outcome = outcome_of(ledger.read(true), order, joins, report.missing);
    outcome.taken_up = taken_up;
    return outcome;
  };
  RentOutcome outcome = look();
  Progress progress(context);
  Waits waits;
  while (outcome.coming > 0 && ways.wait) {
    progress.show(fmt::format("{} of {} machines up", outcome.up, order.count));
    waits.wait(context);
    outcome = look();
  }
  return outcome;
}

StepReport Everywhere::step(std::vector<std::string>& notes) {
  StepReport sum;
  for (const auto& [text, open] : places()) {
    StepReport report;
    try {
      report = cloud_of(text).step();
    } catch (const Error& error) {
      if (open) throw;
      context_.note(error.what());
    }
    tell(context_, report, notes);
    sum.machines += report.machines;
    sum.missing += report.missing;
    sum.leaving += report.leaving;
    sum.unsettled += report.unsettled;
  }
  return sum;
}

std::map<std::string, bool> Everywhere::places() {
  constexpr Duration day = ms(std::int64_t{24} * 3'600'000);
  std::map<std::string, bool> places;
  for (const RentOrder& order : ledger_.read(true).orders) {
    const bool open = order.state != OrderState::closed;
    if (open || now_instant() - order.sent < day) places[order.place] |= open;
  }
  return places;
}

MachinesCloud& Everywhere::cloud_of(const std::string& text) {
  std::unique_ptr<MachinesCloud>& cloud = clouds_[text];
  if (cloud) return *cloud;
  const CloudPlace place = CloudPlace::of(text);
  CloudOptions options = options_;
  options.region = place.region;
  if (!place.endpoint.empty()) options.endpoint = place.endpoint;
  auto made = std::make_unique<MachinesCloud>(context_, options, ledger_);
  if (made->place().text() != text)
    throw UsageError(fmt::format("these are credentials of account {}, and machines were rented by {}",
                                 made->place().account, place.account),
                     "use credentials of that account: --profile");
  cloud = std::move(made);
  return *cloud;
}

void end_machines(const Context& context, LedgerStore& ledger, const CloudOptions& options, bool wait,
                  std::vector<std::string>& notes) {
  Everywhere everywhere(context, options, ledger);
  StepReport report = everywhere.step(notes);
  Progress progress(context);
  Waits waits;
  while (report.leaving > 0 && wait) {
    progress.show(fmt::format("{} machines are ending", report.leaving));
    waits.wait(context);
    report = everywhere.step(notes);
  }
}

}  // namespace wavewright::app
