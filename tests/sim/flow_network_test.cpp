// Transfers that share links: by hand, and against each one counted down on its own.
#include "wavewright/sim/kernel/flow_network.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <map>

#include "tests/property.h"
#include "wavewright/sim/reference/reference_flows.h"

namespace wavewright::sim {
namespace {

Route over(std::initializer_list<std::uint32_t> links) {
  Route route;
  for (const std::uint32_t link : links) route.add({.link = link});
  return route;
}

// When each transfer is over, by its number.
std::map<int, std::uint64_t> ends(FlowNetwork& network, std::map<FlowNetwork::Id, int> names) {
  std::map<int, std::uint64_t> ends;
  std::uint64_t now = 0;
  while (!network.empty()) {
    now = network.next(now);
    network.run(now, [&](FlowNetwork::Id id) { ends[names.at(id)] = now; });
  }
  return ends;
}

// 100 bytes a ms: both take 50 until the first, of 500, is over at 10; the other has 500 of its 1,000 left,
// and the link to itself.
TEST(FlowNetwork, SharesALinkAlike) {
  FlowNetwork network({100});
  const auto a = network.start(over({0}), 500, 0, 0), b = network.start(over({0}), 1000, 0, 0);
  EXPECT_EQ(ends(network, {{a, 1}, {b, 2}}), (std::map<int, std::uint64_t>{{1, 10}, {2, 15}}));
}

// The second link carries 10 a ms: the flow over both takes no more of the first, and leaves 90 to the other.
TEST(FlowNetwork, WhatAFlowLeavesUnusedGoesToOthers) {
  FlowNetwork network({100, 10});
  const auto a = network.start(over({0, 1}), 100, 0, 0), b = network.start(over({0}), 900, 0, 0);
  EXPECT_EQ(ends(network, {{a, 1}, {b, 2}}), (std::map<int, std::uint64_t>{{1, 10}, {2, 10}}));
}

// A chain: the end of the flow on the first link speeds up the second, which slows down the third.
TEST(FlowNetwork, AChangeSpreadsFromLinkToLink) {
  FlowNetwork network({10, 20, 40});
  const auto a = network.start(over({0}), 5, 0, 0);
  const auto b = network.start(over({0, 1}), 1000, 0, 0), c = network.start(over({1, 2}), 1000, 0, 0);
  const auto d = network.start(over({2}), 1000, 0, 0);
  EXPECT_EQ(network.next(0), 1U);
  EXPECT_THAT((std::vector{network.rate(b), network.rate(c), network.rate(d)}),
              testing::ElementsAre(5, 15, 25));
  network.run(1, [&](FlowNetwork::Id id) { EXPECT_EQ(id, a); });
  (void)network.next(1);
  EXPECT_THAT((std::vector{network.rate(b), network.rate(c), network.rate(d)}),
              testing::ElementsAre(10, 10, 30));
}

// Flows and what they take of each link, in a world of exact fractions: every flow's rate rises from 0 until
// one of its links is full. The smallest common step of a full link is found by trying all.
struct Filling {
  using Number = long double;
  std::vector<Number> capacity;
  std::vector<std::map<std::uint32_t, Number>> flows;  // link -> weight

  [[nodiscard]] std::vector<Number> rates() const {
    std::vector<Number> rates(flows.size(), 0);
    std::vector<bool> stopped(flows.size(), false);
    for (std::size_t round = 0; round < flows.size(); ++round) {
      // The link that fills first, if those not stopped rise to a common rate.
      Number lowest = std::numeric_limits<Number>::infinity();
      std::uint32_t first = 0;
      for (std::uint32_t link = 0; link < capacity.size(); ++link) {
        Number taken = 0, weight = 0;
        for (std::size_t i = 0; i < flows.size(); ++i) {
          const auto on = flows[i].find(link);
          if (on != flows[i].end()) (stopped[i] ? taken : weight) += on->second * (stopped[i] ? rates[i] : 1);
        }
        if (weight > 0 && (capacity[link] - taken) / weight < lowest) {
          lowest = (capacity[link] - taken) / weight;
          first = link;
        }
      }
      for (std::size_t i = 0; i < flows.size(); ++i) {
        if (stopped[i] || !flows[i].contains(first)) continue;
        stopped[i] = true;
        rates[i] = lowest;
      }
    }
    return rates;
  }
};

TEST(FlowNetwork, RatesAreThoseOfProgressiveFilling) {
  holds_always([] {
    Filling filling;
    std::vector<std::uint64_t> links(*rc::gen::inRange<std::size_t>(1, 7));
    for (std::uint64_t& link : links) {
      link = *rc::gen::inRange<std::uint64_t>(20, 2000);
      filling.capacity.push_back(static_cast<long double>(link));
    }
    FlowNetwork network(links);
    std::vector<FlowNetwork::Id> ids;
    const int steps = *rc::gen::inRange(1, 15);
    for (int i = 0; i < steps; ++i) {
      if (!ids.empty() && *rc::gen::inRange(0, 4) == 0) {
        const auto gone = *rc::gen::inRange<std::size_t>(0, ids.size());
        network.cancel(ids[gone]);
        ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(gone));
        filling.flows.erase(filling.flows.begin() + static_cast<std::ptrdiff_t>(gone));
      } else {
        Route route;
        std::map<std::uint32_t, long double> weights;
        const auto start = *rc::gen::inRange<std::uint32_t>(0, static_cast<std::uint32_t>(links.size()));
        for (std::uint32_t link = start; link < links.size() && route.size < 4; ++link) {
          if (link > start && *rc::gen::arbitrary<bool>()) continue;
          const auto part = *rc::gen::inRange<std::uint64_t>(1, 4);
          route.add({link, part, 3});
          weights[link] = static_cast<long double>(part) / 3;
        }
        ids.push_back(network.start(route, 1'000'000, 0, 0));
        filling.flows.push_back(weights);
      }
      if (*rc::gen::arbitrary<bool>()) (void)network.next(0);  // changes one by one, or several at once
    }
    (void)network.next(0);
    const std::vector<long double> rates = filling.rates();
    for (std::size_t i = 0; i < ids.size(); ++i) {
      // Whole bytes a ms, rounded down; at least 1.
      const long double whole = std::max(1.0L, std::floor(rates[i] + 1e-5L));
      RC_ASSERT(static_cast<long double>(network.rate(ids[i])) == whole);
    }
  });
}

// Three quarters of what a reduce fetches cross the uplink: at 30 a ms there 40 arrive.
TEST(FlowNetwork, ALinkThatCarriesAPartLimitsThatPart) {
  FlowNetwork network({100, 30});
  Route route;
  route.add({.link = 0});
  route.add({.link = 1, .part = 3, .whole = 4});
  const auto id = network.start(route, 400, 5, 0);
  EXPECT_EQ(ends(network, {{id, 1}}), (std::map<int, std::uint64_t>{{1, 15}}));
}

TEST(FlowNetwork, AgreesWithEachOneCountedDown) {
  holds_always([] {
    std::vector<std::uint64_t> links(*rc::gen::inRange<std::size_t>(1, 6));
    for (std::uint64_t& link : links) link = *rc::gen::inRange<std::uint64_t>(1, 20);
    FlowNetwork fast(links);
    ReferenceFlows slow(links);
    std::map<FlowNetwork::Id, int> names;
    std::map<ReferenceFlows::Id, int> slow_names;
    std::uint64_t now = 0;
    for (int i = 0; i < 60; ++i) {
      if (*rc::gen::inRange(0, 3) != 0) {
        Route route;
        for (std::uint32_t link = 0; link < links.size() && route.size < 4; ++link) {
          if (*rc::gen::inRange(0, 3) == 0) route.add({link, *rc::gen::inRange<std::uint64_t>(1, 3), 3});
        }
        if (route.size == 0) route.add({.link = 0});
        const auto bytes = *rc::gen::inRange<std::uint64_t>(1, 300);
        const std::uint64_t at = now + *rc::gen::inRange<std::uint64_t>(0, 9);
        names[fast.start(route, bytes, at, now)] = i;
        slow_names[slow.start(route, bytes, static_cast<std::int64_t>(at), static_cast<std::int64_t>(now))] =
            i;
      } else if (!names.empty() && *rc::gen::inRange(0, 3) == 0) {
        const auto victim = names.begin();
        fast.cancel(victim->first);
        for (const auto& [id, name] : slow_names) {
          if (name == victim->second) slow.cancel(id);
        }
        names.erase(victim);
      }
      if (fast.empty() || *rc::gen::arbitrary<bool>()) continue;
      const std::uint64_t next = fast.next(now);
      RC_ASSERT(static_cast<std::int64_t>(next) == slow.next(static_cast<std::int64_t>(now)));
      slow.pass(static_cast<std::int64_t>(next - now));
      now = next;
      std::vector<int> a, b;
      fast.run(now, [&](FlowNetwork::Id id) {
        a.push_back(names.at(id));
        names.erase(id);
      });
      slow.run(static_cast<std::int64_t>(now),
               [&](ReferenceFlows::Id id) { b.push_back(slow_names.at(id)); });
      std::sort(a.begin(), a.end());
      std::sort(b.begin(), b.end());
      RC_ASSERT(a == b);
    }
  });
}

}  // namespace
}  // namespace wavewright::sim
