#include "wavewright/sim/model/lease_book.h"

#include <algorithm>

#include <fmt/format.h>

#include "wavewright/cluster/presence.h"
#include "wavewright/core/error.h"

namespace wavewright::sim {

namespace {

Time at(std::uint64_t instant) {
  return at_ms(static_cast<std::int64_t>(instant));
}

}  // namespace

LeaseBook::LeaseBook(const NodeModel& model) : model_(model), there_(model.cluster.nodes.size()) {
  if (!model.rents) return;
  const auto nodes = static_cast<std::uint32_t>(model.topology.size());
  free_.assign(model.topology.classes.size(), NumberSet(nodes, false));
  for (NodeIndex node = 0; node < nodes; ++node) {
    if (group_of(node).rent) free_[class_of(node)].insert(node);
  }
}

ClassId LeaseBook::class_of(NodeIndex node) const {
  return model_.topology.node_class[model_.topology.group[node]];
}

const NodeGroup& LeaseBook::group_of(NodeIndex node) const {
  return model_.cluster.nodes[model_.topology.group[node]];
}

LeaseId LeaseBook::rent(const LeaseRequest& request, std::uint64_t now, const std::string& policy) {
  const Count left = offer(request.node_class, now).machines;
  if (request.machines < 1 || request.machines > left) {
    throw InternalError(fmt::format("policy '{}' rented {} machines of class '{}', of which {} are left",
                                    policy, request.machines, model_.topology.classes[request.node_class],
                                    left));
  }
  const auto first = static_cast<LeaseId>(leases_.size());
  for (Count more = request.machines; more > 0; --more) {
    const NodeIndex node = free_[request.node_class].lowest();
    if (request.bid && group_of(node).spot.empty()) {
      throw InternalError(fmt::format("policy '{}' bid for a machine of class '{}', which has no spot market",
                                      policy, model_.topology.classes[request.node_class]));
    }
    free_[request.node_class].erase(node);
    const auto boot = static_cast<std::uint64_t>(std::max<std::int64_t>(1, to_ms(group_of(node).boot)));
    queue_.push({now + boot, sequence_++, static_cast<LeaseId>(leases_.size()), Due::Step::join});
    leases_.push_back({.node = node, .bid = request.bid, .requested = at(now)});
    if (group_of(node).terms.boot) start(static_cast<LeaseId>(leases_.size() - 1), now);
  }
  return first;
}

void LeaseBook::give_back(LeaseId lease, std::uint64_t now, const std::string& policy) {
  if (lease >= leases_.size())
    throw InternalError(fmt::format("policy '{}' gave back lease {}, which it does not have", policy, lease));
  queue_.push({now + 1, sequence_++, lease, Due::Step::give_back});
}

LeaseOffer LeaseBook::offer(ClassId node_class, std::uint64_t now) const {
  LeaseOffer offer;
  if (free_.empty() || free_[node_class].empty()) return offer;
  const NodeGroup& group = group_of(free_[node_class].lowest());
  offer.machines = free_[node_class].count();
  offer.machine = model_.resources_of(group);
  offer.boot = group.boot;
  offer.notice = group.notice;
  offer.on_demand_per_hour = hourly_price(group, false, at(now));
  if (!group.spot.empty()) offer.spot = hourly_price(group, true, at(now));
  offer.billing = group.billing;
  offer.terms = group.terms;
  return offer;
}

std::uint64_t LeaseBook::next() const {
  return queue_.empty() ? ~std::uint64_t{0} : queue_.top().at;
}

std::optional<LeaseBook::Change> LeaseBook::pop(std::uint64_t now) {
  while (!queue_.empty() && queue_.top().at <= now) {
    const Due due = queue_.top();
    queue_.pop();
    if (const auto change = step(due)) return change;
  }
  return std::nullopt;
}

void LeaseBook::start(LeaseId id, std::uint64_t now) {
  Lease& lease = leases_[id];
  std::optional<Time> outbid;
  if (lease.bid) outbid = outbid_from(group_of(lease.node), *lease.bid, at(now));
  if (outbid != at(now)) lease.billed_from = at(now);
  if (!outbid) return;
  const Time when = std::max(*outbid, at(now + 1));  // a request is not refused at its own instant
  queue_.push({static_cast<std::uint64_t>(to_ms(when)), sequence_++, id, Due::Step::outbid});
}

std::optional<LeaseBook::Change> LeaseBook::step(const Due& due) {
  Lease& lease = leases_[due.lease];
  if (lease.left) return std::nullopt;  // it has ended in the meantime
  Count& there = there_[model_.topology.group[lease.node]];
  if (due.step == Due::Step::join) {
    const bool outbid = lease.bid && hourly_price(group_of(lease.node), true, at(due.at)) > *lease.bid;
    if (!outbid) {
      lease.joined = at(due.at);
      ++there;
      if (!lease.billed_from) start(due.lease, due.at);
      return Change{What::joins, due.lease, lease.node};
    }
  }
  const Duration notice = group_of(lease.node).notice;
  if (due.step == Due::Step::outbid && lease.joined && notice > Duration{}) {
    lease.noticed = at(due.at);
    --there;
    queue_.push(
        {due.at + static_cast<std::uint64_t>(to_ms(notice)), sequence_++, due.lease, Due::Step::revoke});
    return Change{What::noticed, due.lease, lease.node, notice};
  }
  lease.ended_by = due.step == Due::Step::give_back ? LeaseEnd::policy : LeaseEnd::market;
  lease.left = at(due.at);
  free_[class_of(lease.node)].insert(lease.node);
  if (!lease.joined) return Change{What::never_joins, due.lease, lease.node};
  if (!lease.noticed) --there;
  return Change{What::leaves, due.lease, lease.node};
}

std::vector<Lease> LeaseBook::billed(std::uint64_t end) const {
  std::vector<Lease> all = leases_;
  for (Lease& lease : all) {
    if (!lease.billed_from) continue;
    const Time left = lease.left.value_or(std::max(at(end), *lease.billed_from));
    lease.cost = bill(group_of(lease.node), lease.bid.has_value(), *lease.billed_from, left, lease.revoked());
  }
  return all;
}

}  // namespace wavewright::sim
