// Memory that containers may take so that a further one surely finds room.
#include "wavewright/realtime/containers/container_packing.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "tests/property.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/cluster/container_room.h"
#include "wavewright/core/random.h"

namespace wavewright {
namespace {

TEST(ContainerPacking, OneSizeIsExact) {
  const std::vector<EqualNodes> nodes{{3, 10}, {1, 7}};
  const std::vector<Count> size{4};
  // Two fit on a node of 10 and one on that of 7: seven in all.
  EXPECT_EQ(least_without_room(nodes, size, 4), 28);
  EXPECT_EQ(sure_memory(nodes, size) / 4, 7);
}

TEST(ContainerPacking, SeveralSizesMayLeaveSomeOver) {
  const std::vector<EqualNodes> nodes{{2, 8192}};
  const std::vector<Count> sizes{1024, 1536};
  // No room for 1024: 7,680 are in use, as 1536 and six of 1024. For 1536: 7,168.
  EXPECT_EQ(least_without_room(nodes, sizes, 1024), 2 * 7680);
  EXPECT_EQ(least_without_room(nodes, sizes, 1536), 2 * 7168);
  EXPECT_EQ(sure_memory(nodes, sizes), 2 * 7168 + 1535);
  // Sums skip some numbers: of 5 and 7, no sum is 6, 8, 9, 11 or 13. No room for 5 on 13: 10 are in use.
  EXPECT_EQ(least_without_room(std::vector<EqualNodes>{{1, 13}}, std::vector<Count>{5, 7}, 5), 10);
}

TEST(ContainerPacking, SizesThatNoNodeHoldsDoNotCount) {
  const std::vector<EqualNodes> nodes{{2, 8}};
  EXPECT_EQ(sure_memory(nodes, std::vector<Count>{4, 9}), sure_memory(nodes, std::vector<Count>{4}));
  EXPECT_EQ(sure_memory(nodes, std::vector<Count>{9}), 0);
  EXPECT_EQ(sure_memory({}, std::vector<Count>{4}), 0);
  EXPECT_EQ(sure_memory(nodes, {}), 0);
  // One that only some nodes hold needs room there.
  EXPECT_EQ(sure_memory(std::vector<EqualNodes>{{1, 8}, {5, 3}}, std::vector<Count>{2, 4}), 9);
}

// All ways to fill one node: the least that is in use without room for the size.
Count least_by_trying(Count memory, const std::vector<Count>& sizes, Count size) {
  std::set<Count> seen{0};
  std::vector<Count> next{0};
  Count least = memory + 1;
  while (!next.empty()) {
    const Count used = next.back();
    next.pop_back();
    if (memory - used < size) least = std::min(least, used);
    for (const Count each : sizes) {
      if (used + each <= memory && seen.insert(used + each).second) next.push_back(used + each);
    }
  }
  return least;
}

TEST(ContainerPacking, IsTheLeastOfAllPlacements) {
  holds_always(
      [] {
        const auto sizes = *rc::gen::resize(
            4, rc::gen::nonEmpty(rc::gen::container<std::vector<Count>>(rc::gen::inRange<Count>(1, 12))));
        std::vector<EqualNodes> nodes;
        for (int rows = *rc::gen::inRange(1, 4); rows > 0; --rows)
          nodes.push_back({*rc::gen::inRange<Count>(1, 4), *rc::gen::inRange<Count>(12, 40)});
        Count least = 1'000'000;
        for (const Count size : sizes) {
          Count all = 0;
          for (const EqualNodes& each : nodes) all += each.nodes * least_by_trying(each.memory, sizes, size);
          RC_ASSERT(least_without_room(nodes, sizes, size) == all);
          least = std::min(least, all + size - 1);
        }
        RC_ASSERT(sure_memory(nodes, sizes) == least);
      },
      2'000);
}

// Containers are granted within the sure memory, placed on any node with room, in any order, and end at
// random. Each that is granted finds a node at once; somewhat above the sure memory, some do not.
TEST(ContainerPacking, WhatIsGrantedFindsRoomWhereverTheOthersAre) {
  int placed = 0, without_room = 0;
  for (int seed = 0; seed < sized(2'000); ++seed) {
    Random random(1, "packing", static_cast<std::uint64_t>(seed));
    std::vector<Count> sizes;
    for (std::int64_t i = random.integer(1, 3); i > 0; --i) sizes.push_back(random.integer(1, 9));
    const Count nodes = random.integer(1, 4), memory = random.integer(9, 24);
    const Count sure = sure_memory(std::vector<EqualNodes>{{nodes, memory}}, sizes);
    const Count more = seed % 2 == 0 ? 0 : std::gcd(sizes.front(), sizes.back());
    std::vector<Count> free(static_cast<std::size_t>(nodes), memory);
    struct Placed {
      std::size_t node;
      Count size;
    };
    std::vector<Placed> running;
    Count used = 0;
    for (int step = 0; step < 200; ++step) {
      const Count size = sizes[random.below(sizes.size())];
      if (used + size <= sure + more) {
        std::vector<std::size_t> with_room;
        for (std::size_t node = 0; node < free.size(); ++node) {
          if (free[node] >= size) with_room.push_back(node);
        }
        ASSERT_TRUE(more > 0 || !with_room.empty()) << "seed " << seed;
        without_room += with_room.empty() ? 1 : 0;
        if (with_room.empty()) continue;
        const std::size_t node = with_room[random.below(with_room.size())];
        free[node] -= size;
        used += size;
        running.push_back({node, size});
        ++placed;
      } else {
        const std::size_t over = random.below(running.size());
        free[running[over].node] += running[over].size;
        used -= running[over].size;
        running.erase(running.begin() + static_cast<std::ptrdiff_t>(over));
      }
    }
  }
  EXPECT_GT(placed, sized(50'000));
  EXPECT_GT(without_room, rare(500)) << "with more than is sure";
}

TEST(ContainerRoom, CoresCountAsMemoryWhereTheyLimit) {
  const std::string nodes =
      "[[nodes]]\ncount = 2\nmemory_mb = 8192\nvcores = 4\n[[nodes]]\nmemory_mb = 4096\nvcores = 8\nrent = "
      "true\n";
  const std::string mode =
      "[mode]\nkind = \"containers\"\nheartbeat_ms = 100\n[containers]\nmap_vcores = 2\n";
  const ContainerRoom room = container_room(parse_cluster(mode + "count_vcores = true\n" + nodes, "c"));
  ASSERT_EQ(room.rows.size(), 2U);
  EXPECT_EQ(room.rows[0].nodes, 2);
  EXPECT_EQ(room.rows[1].memory, 4096);
  EXPECT_TRUE(room.rows[1].rented);
  EXPECT_EQ(room.least_map, 4096) << "half of a node's cores, where a core has most memory";
  EXPECT_EQ(room.least_master, 2048);
  EXPECT_TRUE(room.gives_all);
  EXPECT_EQ(container_room(parse_cluster(mode + nodes, "c")).least_map, 1);
  EXPECT_FALSE(container_room(parse_cluster(mode + "per_heartbeat = 1\n" + nodes, "c")).gives_all);
  EXPECT_FALSE(container_room(parse_cluster(mode + "off_switch_per_heartbeat = 1\n" + nodes, "c")).gives_all);
  EXPECT_TRUE(container_room(parse_cluster("[[nodes]]\nmap_slots = 1\n", "c")).rows.empty());
}

}  // namespace
}  // namespace wavewright
