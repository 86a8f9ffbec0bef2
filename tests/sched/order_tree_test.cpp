// Two jobs compared, against a walk through all of them.
#include "wavewright/sched/ledger/order_tree.h"

#include <gtest/gtest.h>

#include "wavewright/core/random.h"

namespace wavewright {
namespace {

constexpr std::size_t jobs = 24;

// Groups up to four levels deep, of all three orderings, with jobs in any of them. Keys tie often.
OrderTree random_tree(Random& random) {
  OrderTree tree(jobs, Kind::map);
  constexpr GroupId groups = 10;
  std::uint64_t sequence = 0;
  const auto limits = [&] {
    return Limits{.map_slots = random.below(4) == 0 ? random.integer(0, 6) : unlimited};
  };
  const auto share = [&] {
    return Share{.minimum = random.integer(0, 3), .weight_thousandths = random.integer(1, 3) * 500};
  };
  for (GroupId group = 1; group <= groups; ++group) {
    tree.group(group, static_cast<GroupId>(random.below(group)), {}, limits(), sequence++);
    tree.rank_group(group, random.integer(0, 3));
    tree.share_group(group, share());
  }
  for (GroupId group = 0; group <= groups; ++group) tree.order(group, static_cast<Ordering>(random.below(3)));
  for (JobIndex job = 0; job < jobs; ++job) {
    tree.admit(job, static_cast<GroupId>(random.below(groups + 1)), sequence++);
    tree.rank(job, random.integer(0, 3));
    tree.share(job, share());
    tree.started(job, random.integer(0, 3));
    if (random.below(6) == 0) tree.cap(job, random.integer(0, 3));
    if (random.below(6) != 0) tree.add(job);
  }
  return tree;
}

TEST(OrderTree, ComparesTwoJobsAsAWalkGivesThem) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    Random random(seed, "order-tree");
    const OrderTree tree = random_tree(random);
    OrderTree::Walk walk(tree);
    walk.restart();
    std::vector<JobIndex> order;
    while (const std::optional<JobIndex> job = walk.next()) order.push_back(*job);
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (std::size_t j = 0; j < order.size(); ++j) {
        ASSERT_EQ(tree.before(order[i], order[j]), i < j) << "seed " << seed << ", " << i << " and " << j;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 100'000U);
}

}  // namespace
}  // namespace wavewright
