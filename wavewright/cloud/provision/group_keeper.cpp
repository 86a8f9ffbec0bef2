#include "wavewright/cloud/provision/group_keeper.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "wavewright/cloud/provision/observe.h"

namespace wavewright {

namespace {

bool is_open(const RentOrder& order, const std::string& group) {
  return order.group == group && order.state != OrderState::closed;
}

// The same for all its open orders.
Count base_of(const Books& books, const std::string& group) {
  for (const RentOrder& order : books.orders)
    if (is_open(order, group)) return order.base;
  return 0;
}

// The largest size that the ledger can have asked for.
Count most_of(const Books& books, const std::string& group) {
  Count size = base_of(books, group);
  for (const RentOrder& order : books.orders)
    if (is_open(order, group)) size += order.count;
  return size;
}

// Moves orders on to what the size of the group shows. Returns how large it is to be: once all its orders are
// closed nobody knows that any more.
Count enter_size(Books& books, const std::string& group, const GroupSize& size, Time now) {
  for (RentOrder& order : books.orders)
    if (is_open(order, group) && order.wanted && now >= order.until) give_back(order, "its time is over");
  const Count target = target_of(books, group);
  for (RentOrder& order : books.orders) {
    if (!is_open(order, group)) continue;
    if (order.wanted && size.requested == target) {
      order.state = OrderState::placed;
      order.sends = std::max(order.sends, 1);  // it may have machines of an order that is over
    }
    const bool shrunk = size.requested <= target && size.running <= target;
    if (!order.wanted && (shrunk || order.sends == 0)) close(books, order, now);
  }
  return target;
}

void write_sends(Books& books, const std::string& group, Time now) {
  for (RentOrder& order : books.orders) {
    if (!is_open(order, group) || !order.wanted) continue;
    ++order.sends;
    order.sent = now;
  }
}

// What was asked for is refused: the group is as it was.
void refuse_asked(Books& books, const std::string& group, Time now, const std::string& why) {
  for (RentOrder& order : books.orders) {
    if (!is_open(order, group) || order.state != OrderState::asked) continue;
    give_back(order, why);
    order.sends = 0;
    close(books, order, now);
  }
}

}  // namespace

Count target_of(const Books& books, const std::string& group) {
  Count size = base_of(books, group);
  for (const RentOrder& order : books.orders)
    if (is_open(order, group) && order.wanted) size += order.count;
  return size;
}

void GroupKeeper::prepare(RentOrder& order) {
  const Books books = ledger_.read(false);
  for (const RentOrder& each : books.orders)
    if (is_open(each, order.group)) {
      order.base = each.base;
      return;
    }
  const GroupSize size = groups_.size(order.group);
  if (!size.is_task)
    throw Infeasible(fmt::format("'{}' is no task group", order.group),
                     "add a task group to the cluster, and name that one");
  order.base = size.requested;
}

StepReport GroupKeeper::step() {
  std::set<std::string> groups;
  for (const RentOrder& order : ledger_.read(false).orders)
    if (!order.group.empty() && order.place == place_) groups.insert(order.group);
  StepReport report;
  for (const std::string& group : groups) step(group, report);
  return report;
}

void GroupKeeper::step(const std::string& group, StepReport& report) {
  const GroupSize size = groups_.size(group);
  Count target = 0, wanted = 0, leaving = 0;
  bool foreign = false;
  ledger_.change({}, [&](Books& books) {
    const Time now = now_();
    const Count most = most_of(books, group);
    const Count base = base_of(books, group);
    target = enter_size(books, group, size, now);
    wanted = leaving = 0;
    for (const RentOrder& order : books.orders) {
      if (!is_open(order, group)) continue;
      (order.wanted ? wanted : leaving) += order.count;
    }
    foreign = size.requested != target && (size.requested < base || size.requested > most);
    if (size.requested != target && !foreign) write_sends(books, group, now);
  });
  report.machines += wanted;
  report.missing += std::clamp(target - size.running, Count{0}, wanted);
  report.leaving += leaving;
  if (foreign) {
    report.refused.push_back(
        fmt::format("group '{}' was resized by somebody else to {}, not {}: it is left as it is", group,
                    size.requested, target));
    return;
  }
  if (size.requested == target) return;
  try {
    groups_.resize(group, target);
    report.notes.push_back(fmt::format("group '{}' is resized from {} to {}", group, size.requested, target));
  } catch (const CloudError& error) {
    if (error.failure() != CloudFailure::refused) throw;
    report.refused.emplace_back(error.what());
    ledger_.change({}, [&](Books& books) { refuse_asked(books, group, now_(), error.problem()); });
  }
}

}  // namespace wavewright
