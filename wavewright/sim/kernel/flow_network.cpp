#include "wavewright/sim/kernel/flow_network.h"

#include <algorithm>
#include <utility>

namespace wavewright::sim {

FlowNetwork::FlowNetwork(std::vector<std::uint64_t> links) : links_(links.size()) {
  for (std::size_t i = 0; i < links.size(); ++i) links_[i].bytes_per_ms = links[i];
}

FlowNetwork::Id FlowNetwork::start(const Route& route, std::uint64_t bytes, std::uint64_t at,
                                   std::uint64_t now) {
  Id id = none;
  if (free_.empty()) {
    id = static_cast<Id>(flows_.size());
    flows_.emplace_back();
    rate_.emplace_back();
    if (flows_.size() > room_) grow();
  } else {
    id = free_.back();
    free_.pop_back();
  }
  flows_[id] = {.route = route, .left = bytes, .since = at};
  rate_[id] = 0;
  if (at <= now) {
    enter(id, now);
  } else {
    due_.set(id, at);
  }
  return id;
}

void FlowNetwork::grow() {
  room_ *= 2;
  SlotQueue<Wide> larger(room_);
  for (; !due_.empty(); due_.clear(due_.first_slot())) larger.set(due_.first_slot(), due_.first_instant());
  due_ = std::move(larger);
}

void FlowNetwork::touch(const Route& route) {
  for (std::size_t i = 0; i < route.size; ++i) {
    Link& link = links_[route.hops[i].link];
    if (!link.touched) touched_.push_back(route.hops[i].link);
    link.touched = true;
  }
}

void FlowNetwork::enter(Id id, std::uint64_t now) {
  Flow& flow = flows_[id];
  flow.inside = true;
  flow.since = now;
  for (std::size_t i = 0; i < flow.route.size; ++i) {
    std::vector<Id>& flows = links_[flow.route.hops[i].link].flows;
    flow.position[i] = static_cast<std::uint32_t>(flows.size());
    flows.push_back(id);
  }
  touch(flow.route);
}

void FlowNetwork::leave(Id id) {
  const Flow& flow = flows_[id];
  due_.clear(id);
  free_.push_back(id);
  if (!flow.inside) return;
  for (std::size_t i = 0; i < flow.route.size; ++i) {
    const std::uint32_t link = flow.route.hops[i].link;
    std::vector<Id>& flows = links_[link].flows;
    const Id last = flows.back();
    flows[flow.position[i]] = last;
    Flow& moved = flows_[last];
    for (std::size_t j = 0; j < moved.route.size; ++j) {
      if (moved.route.hops[j].link == link) moved.position[j] = flow.position[i];
    }
    flows.pop_back();
  }
  touch(flow.route);
}

void FlowNetwork::cancel(Id id) {
  leave(id);
}

void FlowNetwork::plan(std::uint64_t now) {
  for (const std::uint32_t at : touched_) {
    Link& link = links_[at];
    if (link.flows.empty()) continue;
    link.share = link.bytes_per_ms / link.flows.size();
  }
  for (const std::uint32_t at : touched_) {
    Link& link = links_[at];
    link.touched = false;
    const std::uint64_t before = std::exchange(link.planned, link.share);
    // A flow whose rate is below the old share and not above the new one is limited by another link.
    const std::uint64_t least = std::min(link.share, before == 0 ? 0 : before - 1);
    for (const Id id : link.flows) {
      if (rate_[id] == 0 || rate_[id] > least) plan(id, at, before, now);
    }
  }
  touched_.clear();
}

// Call after the link's share has changed. If the link now limits the flow, the flow becomes slower; if it
// limited the flow before, the flow may become faster.
void FlowNetwork::plan(Id id, std::uint32_t link, std::uint64_t before, std::uint64_t now) {
  const Route& route = flows_[id].route;
  if (rate_[id] == 0) return change_rate(id, slowest(route), now);
  const auto hop = std::find_if(route.hops.begin(), route.hops.end(),
                                [&](const Route::Hop& each) { return each.link == link; });
  const std::uint64_t rate = rate_on(links_[link].share, *hop);
  if (rate < rate_[id]) {
    change_rate(id, rate, now);
  } else if (rate_on(before, *hop) <= rate_[id]) {
    change_rate(id, slowest(route), now);
  }
}

std::uint64_t FlowNetwork::slowest(const Route& route) const {
  std::uint64_t rate = never;
  for (std::size_t i = 0; i < route.size; ++i)
    rate = std::min(rate, rate_on(links_[route.hops[i].link].share, route.hops[i]));
  return rate;
}

void FlowNetwork::change_rate(Id id, std::uint64_t rate, std::uint64_t now) {
  if (rate == rate_[id]) return;
  Flow& flow = flows_[id];
  flow.left -= rate_[id] * (now - flow.since);
  flow.since = now;
  rate_[id] = rate;
  due_.set(id, now + (flow.left + rate - 1) / rate);
}

std::uint64_t FlowNetwork::next(std::uint64_t now) {
  plan(now);
  return due_.empty() ? never : due_.first_instant();
}

void FlowNetwork::run(std::uint64_t now, const std::function<void(Id)>& over) {
  while (!due_.empty() && due_.first_instant() == now) {
    const Id id = due_.first_slot();
    if (flows_[id].inside) {
      leave(id);
      over(id);
    } else {
      due_.clear(id);
      enter(id, now);
    }
  }
}

}  // namespace wavewright::sim
