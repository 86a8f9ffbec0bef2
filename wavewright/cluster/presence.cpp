#include "wavewright/cluster/presence.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "wavewright/cluster/lease_bill.h"

namespace wavewright {

namespace {

constexpr double ms_per_hour = 3'600'000;

// The times at which one price holds, in order, from 0 on; the last has no end.
struct Priced {
  Stay stay;
  double price = 0;
};

std::vector<Priced> priced(const NodeGroup& group) {
  if (group.spot.empty()) return {{{Time{}, {}}, group.price_per_hour}};
  std::vector<Priced> times;
  if (group.spot.front().from > Time{}) times.push_back({{Time{}, {}}, group.price_per_hour});
  for (const SpotPrice& each : group.spot) times.push_back({{each.from, {}}, each.price_per_hour});
  for (std::size_t i = 0; i + 1 < times.size(); ++i) times[i].stay.to = times[i + 1].stay.from;
  return times;
}

// The part of the stay between join and leave; none if they do not overlap.
std::optional<Stay> within(Stay stay, const NodeGroup& group) {
  stay.from = std::max(stay.from, group.join);
  if (group.leave) stay.to = stay.to ? std::min(*stay.to, *group.leave) : *group.leave;
  if (stay.to && *stay.to <= stay.from) return std::nullopt;
  return stay;
}

void join_overlapping(std::vector<Stay>& stays) {
  std::sort(stays.begin(), stays.end(), [](const Stay& a, const Stay& b) { return a.from < b.from; });
  std::vector<Stay> joined;
  for (const Stay& stay : stays) {
    if (joined.empty() || (joined.back().to && *joined.back().to < stay.from)) {
      joined.push_back(stay);
    } else if (joined.back().to) {
      joined.back().to = stay.to ? std::max(*joined.back().to, *stay.to) : stay.to;
    }
  }
  stays = std::move(joined);
}

}  // namespace

std::vector<Stay> stays_of(const NodeGroup& group) {
  std::vector<Stay> stays;
  if (group.rent) return stays;  // present only while leased
  for (const Priced& each : priced(group)) {
    if (group.bid && each.price > *group.bid) continue;
    const std::optional<Stay> stay = within(each.stay, group);
    if (!stay) continue;
    if (!stays.empty() && stays.back().to == stay->from) {
      stays.back().to = stay->to;
    } else {
      stays.push_back(*stay);
    }
  }
  return stays;
}

Duration time_there(const NodeGroup& group, Time from, Time to) {
  Duration sum{};
  for (const Stay& stay : stays_of(group)) {
    const Time end = stay.to ? std::min(*stay.to, to) : to;
    if (end > std::max(stay.from, from)) sum += end - std::max(stay.from, from);
  }
  return sum;
}

std::vector<std::vector<Stay>> absences_of(const Cluster& cluster, const Topology& topology) {
  std::unordered_map<std::string, std::vector<Stay>> outages;
  for (const Outage& outage : cluster.outages) outages[outage.node].push_back({outage.from, outage.to});
  std::vector<std::vector<Stay>> between;  // by group: the gaps between its stays
  for (const NodeGroup& group : cluster.nodes) {
    std::vector<Stay>& gaps = between.emplace_back();
    std::optional<Time> gone = Time{};
    for (const Stay& stay : stays_of(group)) {
      if (gone && *gone < stay.from) gaps.push_back({*gone, stay.from});
      gone = stay.to;
    }
    if (gone) gaps.push_back({*gone, {}});
  }
  std::vector<std::vector<Stay>> absences(topology.size());
  for (std::uint32_t node = 0; node < topology.size(); ++node) {
    absences[node] = between[topology.group[node]];
    const auto own = outages.find(topology.names[node]);
    if (own == outages.end()) continue;
    absences[node].insert(absences[node].end(), own->second.begin(), own->second.end());
    join_overlapping(absences[node]);
  }
  return absences;
}

double cost_of(const NodeGroup& group, Time end) {
  double cost = 0;
  if (group.rent) return cost;
  for (const Priced& each : priced(group)) {
    if (group.bid && each.price > *group.bid) continue;
    const std::optional<Stay> stay = within(each.stay, group);
    if (!stay || stay->from >= end) continue;
    const Time to = stay->to ? std::min(*stay->to, end) : end;
    cost += each.price * static_cast<double>(to_ms(to - stay->from)) / ms_per_hour;
  }
  return cost;
}

namespace {

// The first spot price after the instant.
std::vector<SpotPrice>::const_iterator next_price(const NodeGroup& group, Time at) {
  return std::upper_bound(group.spot.begin(), group.spot.end(), at,
                          [](Time time, const SpotPrice& price) { return time < price.from; });
}

}  // namespace

Money hourly_price(const NodeGroup& group, bool with_bid, Time at) {
  const auto behind = next_price(group, at);
  if (!with_bid || behind == group.spot.begin()) return from_usd(group.price_per_hour);
  return from_usd(std::prev(behind)->price_per_hour);
}

std::optional<Time> outbid_from(const NodeGroup& group, Money bid, Time at) {
  if (hourly_price(group, true, at) > bid) return at;
  for (auto price = next_price(group, at); price != group.spot.end(); ++price) {
    if (from_usd(price->price_per_hour) > bid) return price->from;
  }
  return std::nullopt;
}

Money bill(const NodeGroup& group, bool with_bid, Time from, Time left, bool revoked) {
  return lease_bill(group.billing, group.terms, from, left, revoked, [&](Time at) {
    const auto next = next_price(group, at);
    const bool changes = with_bid && next != group.spot.end();
    return HeldPrice{hourly_price(group, with_bid, at), changes ? std::optional(next->from) : std::nullopt};
  });
}

}  // namespace wavewright
