#include "wavewright/cloud/provision/reconciler.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace wavewright {

namespace {

RentOrder* find_order(Books& books, const std::string& token) {
  const auto found = std::find_if(books.orders.begin(), books.orders.end(),
                                  [&](const RentOrder& each) { return each.token == token; });
  return found == books.orders.end() ? nullptr : &*found;
}

std::vector<std::string> tokens_of(const std::vector<Instance>& instances) {
  std::vector<std::string> tokens;
  for (const Instance& each : instances)
    if (each.state != InstanceState::gone) tokens.push_back(each.token);
  std::sort(tokens.begin(), tokens.end());
  tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
  return tokens;
}

void count(const Books& books, const RentRules& rules, bool knows_joined, StepReport& report) {
  for (const RentOrder& order : books.orders) {
    if (!concerns(rules, order)) continue;
    if (order.state == OrderState::asked && !order.wanted) ++report.unsettled;
    if (order.state == OrderState::asked && order.wanted)
      report.missing += order.count - std::ssize(order.machines);
    for (const RentedMachine& machine : order.machines) {
      if (machine.state == MachineState::gone) continue;
      const bool leaves = machine.give_back || machine.state == MachineState::terminating;
      ++(leaves ? report.leaving : report.machines);
      const MachineState up = knows_joined ? MachineState::joined : MachineState::running;
      if (!leaves && machine.state < up) ++report.missing;
    }
  }
}

// Requests that are to be sent now; each is written down as sent.
std::vector<std::string> take_requests(Books& books, const RentRules& rules, Time now) {
  std::vector<std::string> tokens;
  for (RentOrder& order : books.orders) {
    if (!concerns(rules, order) || order.state != OrderState::asked || !order.wanted) continue;
    ++order.sends;
    order.sent = now;
    tokens.push_back(order.token);
  }
  return tokens;
}

}  // namespace

LaunchRequest request_of(const RentOrder& order, const std::string& ledger) {
  return {order.token, ledger, order.batch, order.terms, order.count, order.until - order.asked};
}

StepReport Reconciler::step() {
  Look look;
  look.at = outside_.now();
  if (outside_.joined) {
    look.joined = outside_.joined();
    look.knows_joined = true;
  }
  look.instances = cloud_.instances(ledger_.id());
  look.done = outside_.now();
  StepReport report;
  std::vector<std::string> ends, requests;
  ledger_.change(tokens_of(look.instances), [&](Books& books) {
    report = {};
    const Time now = outside_.now();
    const std::vector<std::string> strangers = observe(books, look, rules_, report.notes);
    judge(books, now, rules_, look.knows_joined, outside_.token, report.notes);
    ends = to_terminate(books, rules_);
    ends.insert(ends.end(), strangers.begin(), strangers.end());
    for (const std::string& id : strangers)
      report.notes.push_back(fmt::format("{} has this ledger's tag and no order: it is ended", id));
    requests = take_requests(books, rules_, now);
  });
  if (!ends.empty()) cloud_.terminate(ends);
  for (const std::string& token : requests) launch(token, report);
  count(ledger_.read(false), rules_, look.knows_joined, report);
  return report;
}

void Reconciler::launch(const std::string& token, StepReport& report) {
  const Books books = ledger_.read(false);
  const auto order = std::find_if(books.orders.begin(), books.orders.end(),
                                  [&](const RentOrder& each) { return each.token == token; });
  if (order == books.orders.end() || !order->wanted) return;  // another program gave it up meanwhile
  std::vector<Instance> machines;
  std::optional<CloudError> failed;
  try {
    machines = cloud_.launch(request_of(*order, ledger_.id()));
  } catch (const CloudError& error) {
    failed = error;
  }
  const bool unsure = failed && failed->failure() == CloudFailure::unsure;
  const bool throttled = failed && failed->failure() == CloudFailure::throttled;
  if (failed)
    (failed->failure() == CloudFailure::refused ? report.refused : report.notes).push_back(failed->what());
  if (unsure) return;  // it stands as sent: the next step asks again
  ledger_.change({token}, [&](Books& now_books) {
    RentOrder* const now_order = find_order(now_books, token);
    if (now_order == nullptr) return;
    if (!failed) {
      if (now_order->state == OrderState::closed) reopen(now_books, *now_order);
      adopt(*now_order, machines, outside_.now());
    } else if (throttled) {
      --now_order->sends;  // it had no effect
    } else if (now_order->state == OrderState::asked) {
      refuse(now_books, *now_order, outside_.now(), failed->problem());
    }
  });
  if (failed && failed->failure() == CloudFailure::denied) throw CloudError(*failed);
}

}  // namespace wavewright
