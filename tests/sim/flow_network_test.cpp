// Transfers that share links: by hand, and against each one counted down on its own.
#include "wavewright/sim/kernel/flow_network.h"
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

// The second link carries 10 a ms: the flow over both takes no more of the first either, and the other flow
// on the first still gets its half only.
TEST(FlowNetwork, AFlowIsAsFastAsTheSlowestOfItsLinks) {
  FlowNetwork network({100, 10});
  const auto a = network.start(over({0, 1}), 100, 0, 0), b = network.start(over({0}), 500, 0, 0);
  EXPECT_EQ(ends(network, {{a, 1}, {b, 2}}), (std::map<int, std::uint64_t>{{1, 10}, {2, 10}}));
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
