#include "wavewright/sim/kernel/flow_network.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace wavewright::sim {

FlowNetwork::FlowNetwork(std::vector<std::uint64_t> links)
    : links_(links.size()), level_(links.size() + 1, unlimited) {
  for (std::size_t i = 0; i < links.size(); ++i)
    links_[i].bytes_per_ms = links_[i].room = static_cast<double>(links[i]);
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

void FlowNetwork::touch(std::uint32_t link) {
  if (!links_[link].touched) touched_.push_back(link);
  links_[link].touched = true;
}

// A flow on the link may be faster by so much.
void FlowNetwork::may_grow(std::uint32_t link, double by) {
  if (by <= 0) return;
  links_[link].room -= by;
  if (level_[link] < unlimited || links_[link].room < 0) touch(link);
}

void FlowNetwork::look_at(Id id) {
  if (!flows_[id].changed) changed_.push_back(id);
  flows_[id].changed = true;
}

void FlowNetwork::enter(Id id, std::uint64_t now) {
  Flow& flow = flows_[id];
  flow.inside = true;
  flow.since = now;
  for (std::size_t i = 0; i < flow.route.size; ++i) {
    const Route::Hop& hop = flow.route.hops[i];
    OnLink on{.id = id, .weight = hop.weight()};
    on.others.fill(no_link());
    std::size_t other = 0;
    for (std::size_t j = 0; j < flow.route.size; ++j) {
      if (j != i) on.others[other++] = flow.route.hops[j].link;
    }
    std::vector<OnLink>& flows = links_[hop.link].flows;
    flow.position[i] = static_cast<std::uint32_t>(flows.size());
    flows.push_back(on);
    may_grow(hop.link, elsewhere(on));
  }
  look_at(id);
}

void FlowNetwork::leave(Id id) {
  Flow& flow = flows_[id];
  due_.clear(id);
  free_.push_back(id);
  if (!flow.inside) return;
  flow.inside = false;
  for (std::size_t i = 0; i < flow.route.size; ++i) {
    const std::uint32_t link = flow.route.hops[i].link;
    std::vector<OnLink>& flows = links_[link].flows;
    flows[flow.position[i]] = flows.back();
    Flow& moved = flows_[flows.back().id];
    for (std::size_t j = 0; j < moved.route.size; ++j) {
      if (moved.route.hops[j].link == link) moved.position[j] = flow.position[i];
    }
    flows.pop_back();
    if (level_[link] < unlimited) touch(link);
  }
}

void FlowNetwork::cancel(Id id) {
  leave(id);
}

void FlowNetwork::plan(std::uint64_t now) {
  while (!touched_.empty()) {
    const std::uint32_t link = touched_.front();
    touched_.pop_front();
    links_[link].touched = false;
    level_again(link);
  }
  for (const Id id : changed_) {
    flows_[id].changed = false;
    if (flows_[id].inside) change_rate(id, whole_rate(least(flows_[id].route)), now);
  }
  changed_.clear();
}

void FlowNetwork::level_again(std::uint32_t link) {
  const double level = level_of(links_[link]);
  const double before = std::exchange(level_[link], level);
  constexpr double rounding = 1e-11;
  if (level == before || std::fabs(level - before) <= rounding * std::min(level, before)) return;
  const double lower = std::min(level, before);
  for (const OnLink& flow : links_[link].flows) {
    const double others = elsewhere(flow);
    if (others <= lower) continue;  // another link limits it, before and now
    look_at(flow.id);
    for (const std::uint32_t other : flow.others) {
      if (other == no_link()) break;
      if (level_[other] == unlimited) {
        may_grow(other, std::min(others, level) - std::min(others, before));
      } else if (lower < level_[other]) {
        touch(other);  // a link notices flows that are slower than its level, or were
      }
    }
  }
}

// Its flows share what those leave that are slower because of other links.
double FlowNetwork::level_of(Link& link) {
  limited_.clear();
  double weight = 0, wanted = 0;
  for (const OnLink& flow : link.flows) {
    limited_.push_back({elsewhere(flow), flow.weight});
    weight += flow.weight;
    wanted += limited_.back().elsewhere * flow.weight;
  }
  link.room = link.bytes_per_ms - wanted;
  if (link.room >= 0) return unlimited;
  double left = link.bytes_per_ms, level = left / weight;
  for (auto kept = limited_.end(); kept != limited_.begin();) {
    const auto faster =
        std::partition(limited_.begin(), kept, [&](const Limited& each) { return each.elsewhere >= level; });
    if (faster == kept) return level;
    for (auto each = faster; each != kept; ++each) {
      left -= each->elsewhere * each->weight;
      weight -= each->weight;
    }
    kept = faster;
    if (kept != limited_.begin()) level = left / weight;
  }
  return unlimited;
}

double FlowNetwork::least(const Route& route) const {
  double level = unlimited;
  for (std::size_t i = 0; i < route.size; ++i) level = std::min(level, level_[route.hops[i].link]);
  return level;
}

double FlowNetwork::elsewhere(const OnLink& flow) const {
  return std::min({level_[flow.others[0]], level_[flow.others[1]], level_[flow.others[2]]});
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
