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

// Changes the tree at random: jobs come, go, start and end tasks, hide, and classes open and close to them.
void change(OrderTree& tree, Random& random) {
  const auto job = static_cast<JobIndex>(random.below(jobs));
  const auto group = static_cast<GroupId>(random.below(11));
  switch (random.below(10)) {
    case 0:
      return tree.add(job);
    case 1:
      return tree.remove(job);
    case 2:
      return tree.started(job);
    case 3:
      return tree.held(job) > 0 ? tree.ended(job) : tree.started(job, 2);
    case 4:
      return tree.rank(job, random.integer(0, 3));
    case 5:
      return tree.cap(job, random.below(2) == 0 ? unlimited : random.integer(0, 4));
    case 6:
      return tree.order(group, static_cast<Ordering>(random.below(3)));
    case 7:
      return tree.rank_group(1 + group % 10, random.integer(0, 3));
    case 8:
      return tree.hide(job, random.below(2) == 0);
    default:
      return tree.open(job, random.below(8));
  }
}

// A job that is closed everywhere, or hidden, stays in the walk of all jobs.
TEST(OrderTree, AWalkForAClassGivesTheJobsToWhichItIsOpen) {
  std::size_t left_out = 0, given = 0, hidden = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Random random(seed, "order-tree-classes");
    OrderTree tree = random_tree(random);
    EXPECT_FALSE(tree.keeps_classes());
    tree.keep_classes();
    const bool hides = seed % 2 == 0;
    if (hides) tree.allow_hiding();
    OrderTree::Walk all(tree), some(tree);
    for (int step = 0; step < 60; ++step) {
      change(tree, random);
      all.restart();
      std::vector<JobIndex> order;
      OrderTree::Classes open = 0;
      while (const std::optional<JobIndex> job = all.next()) {
        order.push_back(*job);
        open |= tree.is_hidden(*job) ? 0 : tree.open(*job);
        hidden += tree.is_hidden(*job) ? 1 : 0;
      }
      ASSERT_EQ(tree.open(), open) << "seed " << seed << ", step " << step;
      const OrderTree::Classes asked = 1 + random.below(7);
      std::vector<JobIndex> expected;
      for (const JobIndex job : order) {
        if (!tree.is_hidden(job) && (tree.open(job) & asked) != 0) expected.push_back(job);
      }
      if (!expected.empty()) {
        ASSERT_EQ(tree.first(asked), expected.front()) << "seed " << seed << ", step " << step;
      }
      some.restart(asked);
      for (const JobIndex job : expected)
        ASSERT_EQ(some.next(), std::optional(job)) << "seed " << seed << ", step " << step;
      ASSERT_EQ(some.next(), std::nullopt) << "seed " << seed << ", step " << step;
      left_out += order.size() - expected.size();
      given += expected.size();
    }
  }
  EXPECT_GT(left_out, 10'000U);
  EXPECT_GT(given, 10'000U);
  EXPECT_GT(hidden, 5'000U);
}

TEST(OrderTree, HidesJobsOnceThatIsAllowed) {
  OrderTree tree(3, Kind::map);
  for (JobIndex job = 0; job < 3; ++job) {
    tree.admit(job, root_group, job);
    tree.add(job);
  }
  tree.hide(1, true);
  EXPECT_FALSE(tree.is_hidden(1)) << "nobody looks for hidden jobs";
  tree.allow_hiding();
  EXPECT_FALSE(tree.keeps_classes()) << "which costs time, before one is hidden";
  tree.hide(1, true);
  OrderTree::Walk walk(tree);
  const auto given = [&] {
    walk.restart(OrderTree::classes_of(0));
    std::vector<JobIndex> listed;
    while (const std::optional<JobIndex> job = walk.next()) listed.push_back(*job);
    return listed;
  };
  EXPECT_EQ(given(), (std::vector<JobIndex>{0, 2}));
  tree.hide(0, true);
  tree.hide(2, true);
  EXPECT_EQ(tree.open(), 0U);
  EXPECT_TRUE(tree.any());
  tree.hide(2, false);
  EXPECT_EQ(given(), (std::vector<JobIndex>{2}));
}

TEST(OrderTree, ClassesAreBitsThatSomeShare) {
  EXPECT_EQ(OrderTree::classes_of(0), 1U);
  EXPECT_EQ(OrderTree::classes_of(63), OrderTree::Classes{1} << 63);
  EXPECT_EQ(OrderTree::classes_of(64), OrderTree::classes_of(0));
}

}  // namespace
}  // namespace wavewright
