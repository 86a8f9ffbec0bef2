#include "wavewright/cloud/provision/observe.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

MachineState state_of(const Instance& instance, const Look& look) {
  switch (instance.state) {
    case InstanceState::pending:
      return MachineState::pending;
    case InstanceState::running:
      return look.joined.contains(instance.host) ? MachineState::joined : MachineState::running;
    case InstanceState::terminating:
      return MachineState::terminating;
    case InstanceState::gone:
      break;
  }
  return MachineState::gone;
}

void enter(RentedMachine& machine, const Instance& instance, MachineState state, Time at, Time done) {
  if (machine.state == MachineState::gone) return;
  if (state != MachineState::gone) machine.seen = std::max(machine.seen, at);
  if (!instance.host.empty()) machine.host = instance.host;
  if (state <= machine.state) return;
  machine.state = state;
  if (state == MachineState::gone) machine.gone = std::max(done, machine.launched);
  if (state >= MachineState::terminating && machine.reason.empty())
    machine.reason = instance.reason.empty() ? "ended by the cloud" : instance.reason;
}

RentedMachine& machine_of(RentOrder& order, const Instance& instance, Time at) {
  const auto known = std::find_if(order.machines.begin(), order.machines.end(),
                                  [&](const RentedMachine& each) { return each.id == instance.id; });
  if (known != order.machines.end()) return *known;
  RentedMachine& machine = order.machines.emplace_back();
  machine.id = instance.id;
  // The clock of the cloud may be ahead of ours: then the time of the order, which was not later.
  machine.launched = instance.launched > at ? order.asked : instance.launched;
  machine.seen = instance.state == InstanceState::gone ? machine.launched : at;
  return machine;
}

// A request whose answer was lost: all its machines are there.
void settle(RentOrder& order) {
  if (order.state == OrderState::asked && std::ssize(order.machines) >= order.count)
    order.state = OrderState::placed;
}

bool is_up(const RentedMachine& machine, bool knows_joined) {
  return machine.state >= (knows_joined ? MachineState::joined : MachineState::running);
}

bool all_gone(const RentOrder& order) {
  return std::all_of(order.machines.begin(), order.machines.end(),
                     [](const RentedMachine& each) { return each.state == MachineState::gone; });
}

bool has_ended(const RentOrder& order, Time now, const RentRules& rules) {
  if (!all_gone(order)) return false;
  if (order.state == OrderState::placed) return true;
  return !order.wanted && (order.sends == 0 || now - order.sent > rules.settling);
}

// Machines that a lost answer may have been about, and that the cloud may have forgotten since they ended.
Count unproved(const RentOrder& order, Time now, const RentRules& rules) {
  if (order.sends == 0 || now - order.sent <= rules.remembered) return 0;
  return std::max<Count>(0, order.count - std::ssize(order.machines));
}

// Gives up machines that are not up in time; returns how many there were.
Count give_up_late(RentOrder& order, Time now, bool knows_joined) {
  Count late = 0;
  for (RentedMachine& machine : order.machines) {
    if (machine.give_back || is_up(machine, knows_joined) || now - machine.launched <= order.boot) continue;
    machine.give_back = true;
    machine.reason = fmt::format("was not up within {}", format_duration(order.boot));
    ++late;
  }
  return late;
}

RentOrder in_place_of(const RentOrder& order, Count count, Time now, std::string token) {
  RentOrder next = order;
  next.first = order.first.empty() ? order.token : order.first;
  next.token = std::move(token);
  next.count = count;
  next.asked = now;
  next.hold = longest_hold(order.until - now, order.boot);
  ++next.attempt;
  next.state = OrderState::asked;
  next.sends = 0;
  next.sent = {};
  next.machines.clear();
  next.reason.clear();
  return next;
}

}  // namespace

std::vector<std::string> observe(Books& books, const Look& look, const RentRules& rules,
                                 std::vector<std::string>& notes) {
  std::map<std::string, RentOrder*> orders;
  for (RentOrder& order : books.orders) orders[order.token] = &order;
  std::vector<std::string> strangers;
  for (const Instance& instance : look.instances) {
    const auto found = orders.find(instance.token);
    const bool ended = instance.state == InstanceState::gone;
    if (found == orders.end()) {
      if (!ended) strangers.push_back(instance.id);
      continue;
    }
    RentOrder& order = *found->second;
    if (order.state == OrderState::closed) {
      if (ended) continue;
      reopen(books, order);
      notes.push_back(fmt::format("{} came to light after its order was closed: it is ended", instance.id));
    }
    enter(machine_of(order, instance, look.at), instance, state_of(instance, look), look.at, look.done);
    settle(order);
  }
  for (RentOrder& order : books.orders) {
    if (!concerns(rules, order)) continue;
    for (RentedMachine& machine : order.machines)
      if (machine.state != MachineState::gone && look.at - machine.seen > rules.settling) {
        machine.state = MachineState::gone;
        machine.gone = look.done;
        if (machine.reason.empty()) machine.reason = "no longer known to the cloud";
      }
  }
  return strangers;
}

void judge(Books& books, Time now, const RentRules& rules, bool knows_joined,
           const std::function<std::string()>& token, std::vector<std::string>& notes) {
  std::vector<RentOrder> others;
  for (RentOrder& order : books.orders) {
    if (!concerns(rules, order)) continue;
    if (order.wanted && now >= order.until) give_back(order, "its time is over");
    for (auto i = static_cast<std::size_t>(order.count); i < order.machines.size(); ++i) {
      if (order.machines[i].give_back) continue;
      order.machines[i].give_back = true;
      order.machines[i].reason = "the cloud made more than were asked for";
    }
    if (!order.wanted)
      for (RentedMachine& machine : order.machines) machine.give_back = true;
    const Count late = order.wanted ? give_up_late(order, now, knows_joined) : 0;
    if (late > 0) {
      notes.push_back(fmt::format("{} of {} {} not up within {}", late, order.terms.type,
                                  late == 1 ? "was" : "were", format_duration(order.boot)));
      if (order.attempt < order.attempts && order.until - now > order.boot)
        others.push_back(in_place_of(order, late, now, token()));
    }
  }
  for (RentOrder& order : others) {
    try {
      place(books, order, now, rules.check);
      notes.push_back(fmt::format("asking anew, attempt {} of {}", order.attempt, order.attempts));
    } catch (const Infeasible& error) {
      notes.push_back(std::string("not asked anew: ") + error.problem());
    }
  }
  for (RentOrder& order : books.orders)
    if (concerns(rules, order) && has_ended(order, now, rules))
      close(books, order, now, unproved(order, now, rules));
}

bool concerns(const RentRules& rules, const RentOrder& order) {
  return order.state != OrderState::closed && order.group.empty() && order.place == rules.place;
}

std::vector<std::string> to_terminate(const Books& books, const RentRules& rules) {
  std::vector<std::string> ids;
  for (const RentOrder& order : books.orders) {
    if (!concerns(rules, order)) continue;
    for (const RentedMachine& machine : order.machines)
      if (machine.give_back && machine.state < MachineState::terminating) ids.push_back(machine.id);
  }
  return ids;
}

void adopt(RentOrder& order, const std::vector<Instance>& machines, Time now) {
  for (const Instance& instance : machines) {
    RentedMachine& machine = machine_of(order, instance, now);
    enter(machine, instance, state_of(instance, {}), now, now);
  }
  settle(order);
}

void refuse(Books& books, RentOrder& order, Time now, const std::string& why) {
  give_back(order, why);
  if (order.sends <= 1 && order.machines.empty()) close(books, order, now);
}

void give_back(RentOrder& order, const std::string& why) {
  order.wanted = false;
  order.reason = why;
  for (RentedMachine& machine : order.machines) {
    if (!machine.give_back && machine.state < MachineState::terminating) machine.reason = why;
    machine.give_back = true;
  }
}

}  // namespace wavewright
