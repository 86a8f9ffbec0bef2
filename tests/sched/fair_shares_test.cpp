// Water-filling: fair shares by weight, within minima and demands.
#include "tests/property.h"
#include "wavewright/sched/policies/fair_preemption.h"

namespace wavewright {
namespace {

TEST(FairShares, FollowWeightsMinimaAndDemands) {
  const auto near = [](const std::vector<double>& found, std::vector<double> expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-6) << i;
  };
  near(fair_shares({{{0, 2000}, 100}, {{0, 1000}, 100}}, 30), {20, 10});
  near(fair_shares({{{0, 1000}, 4}, {{0, 1000}, 100}}, 30), {4, 26});
  near(fair_shares({{{25, 1000}, 100}, {{0, 1000}, 100}}, 30), {25, 5});
  near(fair_shares({{{0, 1000}, 3}, {{0, 1000}, 4}}, 30), {3, 4});
}

TEST(FairShares, FollowTheWeightsOneTwoThree) {
  const std::vector<double> shares = fair_shares({{{0, 1000}, 100}, {{0, 2000}, 100}, {{0, 3000}, 100}}, 60);
  EXPECT_NEAR(shares[0], 10, 1e-6);
  EXPECT_NEAR(shares[1], 20, 1e-6);
  EXPECT_NEAR(shares[2], 30, 1e-6);
  // A minimum of 30 leaves 30 for weights 2 + 3; a demand below a minimum takes no more than itself.
  const std::vector<double> minimum =
      fair_shares({{{30, 1000}, 100}, {{0, 2000}, 100}, {{0, 3000}, 100}}, 60);
  EXPECT_NEAR(minimum[1], 12, 1e-6);
  EXPECT_NEAR(minimum[2], 18, 1e-6);
  EXPECT_NEAR(fair_shares({{{30, 1000}, 10}, {{0, 1000}, 100}}, 60)[0], 10, 1e-6);
}

TEST(FairShares, GiveOutNoMoreThanThereIsAndAllThatIsWanted) {
  holds_always([] {
    std::vector<Claim> claims(*rc::gen::inRange<std::size_t>(1, 6));
    Count demand = 0, minima = 0;
    for (Claim& claim : claims) {
      claim.share = {*rc::gen::inRange<Count>(0, 9), *rc::gen::inRange<std::int64_t>(1, 5000)};
      claim.demand = *rc::gen::inRange<Count>(0, 50);
      demand += claim.demand;
      minima += std::min(claim.share.minimum, claim.demand);
    }
    const Count capacity = *rc::gen::inRange<Count>(0, 60);
    double sum = 0;
    const std::vector<double> shares = fair_shares(claims, capacity);
    for (std::size_t i = 0; i < claims.size(); ++i) {
      RC_ASSERT(shares[i] <= static_cast<double>(claims[i].demand) + 1e-9);
      sum += shares[i];
    }
    // Minima are promised whatever there is.
    const auto expected = static_cast<double>(std::max(std::min(capacity, demand), minima));
    RC_ASSERT(std::abs(sum - expected) < 1e-6);
  });
}

}  // namespace
}  // namespace wavewright
