// A task group that grows and shrinks with its orders, while programs die and answers are lost.
#include "wavewright/cloud/provision/group_keeper.h"

#include <gtest/gtest.h>

#include "tests/cloud/provision/simulated_cloud.h"
#include "tests/property.h"

namespace wavewright {
namespace {

constexpr Duration minute = ms(60'000);

class SimulatedGroup : public TaskGroups {
 public:
  SimulatedGroup(std::uint64_t seed, double fails) : random_(seed, "group"), fails_(fails) {}
  [[nodiscard]] GroupSize size(const std::string&) override {
    fail(CloudFailure::unsure);
    running = std::min(requested, running + 1);  // it grows one by one
    return {requested, running, true, "RUNNING"};
  }
  void resize(const std::string&, Count machines) override {
    fail(CloudFailure::unsure);
    if (quota > 0 && machines > quota) throw CloudError(CloudFailure::refused, {"emr"}, "the quota", "less");
    requested = machines;
    running = std::min(running, requested);
    fail(CloudFailure::unsure);
  }
  void heal() { fails_ = 0; }
  Count requested = 2, running = 2, quota = 0;

 private:
  void fail(CloudFailure failure) {
    if (random_.unit() < fails_) throw Killed();
    if (random_.unit() < fails_) throw CloudError(failure, {"emr"}, "as told", "go on");
  }
  Random random_;
  double fails_;
};

struct Kept {
  Time now = at_ms(1'700'000'000'000);
  SimulatedGroup group;
  MemoryLedger ledger;
  int tokens = 0;

  Kept(std::uint64_t seed, double fails) : group(seed, fails), ledger(seed, fails) {}
  GroupKeeper keeper() {
    return {ledger, group, "here", [this] { return now; }};
  }
  bool rent(Count count, Duration wanted) {
    RentOrder order;
    order.token = fmt::format("order{}", ++tokens);
    order.batch = "night";
    order.place = "here";
    order.group = "j-1/ig-1";
    order.count = count;
    order.hourly = Money{100'000};
    order.asked = now;
    order.until = now + wanted;
    order.hold = longest_hold(wanted, {});
    try {
      keeper().prepare(order);
      ledger.change({}, [&](Books& books) {
        set_budget(books, "night", Money{100'000'000});
        place(books, order, now, minute);
      });
      return true;
    } catch (const CloudError&) {
    } catch (const Killed&) {
    }
    return false;
  }
  StepReport step() {
    try {
      return keeper().step();
    } catch (const CloudError&) {
    } catch (const Killed&) {
    }
    return {};
  }
  [[nodiscard]] Count open() const {
    return std::count_if(ledger.books().orders.begin(), ledger.books().orders.end(),
                         [](const RentOrder& each) { return each.state != OrderState::closed; });
  }
};

TEST(GroupKeeper, GrowsAndShrinks) {
  Kept kept(1, 0);
  ASSERT_TRUE(kept.rent(3, 60 * minute));
  (void)kept.step();
  EXPECT_EQ(kept.group.requested, 5);
  ASSERT_TRUE(kept.rent(1, 10 * minute));
  (void)kept.step();
  EXPECT_EQ(kept.group.requested, 6);
  for (int i = 0; i < 5; ++i) (void)kept.step();
  EXPECT_EQ(kept.step().missing, 0);
  kept.now += 11 * minute;
  (void)kept.step();
  EXPECT_EQ(kept.group.requested, 5) << "the time of one is over";
  (void)kept.step();
  EXPECT_EQ(kept.open(), 1);
  kept.group.requested = 50;
  EXPECT_EQ(kept.step().refused.size(), 1U);
  EXPECT_EQ(kept.group.requested, 50) << "somebody else's wish stands";
  kept.group.requested = 5;
  kept.now += 60 * minute;
  for (int i = 0; i < 3; ++i) (void)kept.step();
  EXPECT_EQ(kept.group.requested, 2) << "as it was before";
  EXPECT_EQ(kept.open(), 0);
}

TEST(GroupKeeper, ARefusedOrderIsClosedAndCostsNothing) {
  Kept kept(1, 0);
  kept.group.quota = 4;
  ASSERT_TRUE(kept.rent(2, 60 * minute));
  (void)kept.step();
  (void)kept.step();
  ASSERT_TRUE(kept.rent(3, 60 * minute));
  EXPECT_EQ(kept.step().refused.size(), 1U);
  EXPECT_EQ(kept.open(), 1);
  EXPECT_EQ(kept.ledger.books().orders[1].cost, Money{});
  (void)kept.step();
  EXPECT_EQ(kept.group.requested, 4);
}

TEST(GroupKeeper, IsAsLargeAsTheLedgerSaysWhateverDies) {
  for (int seed = 1; seed <= sized(1'000); ++seed) {
    Kept kept(static_cast<std::uint64_t>(seed), 0.15);
    Random random(static_cast<std::uint64_t>(seed), "steps");
    for (int i = 0; i < 40; ++i) {
      if (random.below(5) == 0) (void)kept.rent(random.integer(1, 4), minute * random.integer(1, 60));
      (void)kept.step();
      kept.now += ms(random.integer(0, 240'000));
    }
    kept.group.heal();
    kept.ledger.heal();
    for (int i = 0; i < 3; ++i) (void)kept.step();
    Count wanted = 2;
    for (const RentOrder& order : kept.ledger.books().orders)
      if (order.state != OrderState::closed) {
        EXPECT_GT(order.until, kept.now) << seed;
        wanted += order.count;
      }
    ASSERT_EQ(kept.group.requested, wanted) << "seed " << seed;
    kept.now += 120 * minute;
    for (int i = 0; i < 4; ++i) (void)kept.step();
    ASSERT_EQ(kept.group.requested, 2) << "seed " << seed;
    ASSERT_EQ(kept.open(), 0) << "seed " << seed;
  }
}

}  // namespace
}  // namespace wavewright
