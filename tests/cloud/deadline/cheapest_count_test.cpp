// How many machines are worth their price.
#include <gtest/gtest.h>

#include "tests/property.h"
#include "wavewright/cloud/deadline/cheapest_count.h"

namespace wavewright {
namespace {

TEST(CheapestCount, IsNoneWhereNothingIsLate) {
  EXPECT_EQ(cheapest_count(100, 1, [](Count) { return 0.0; }), 0);
  EXPECT_EQ(cheapest_count(0, 1, [](Count) { return 9.0; }), 0);
}

TEST(CheapestCount, IsTheLeastSumOfOneValley) {
  // Work that takes w / (n + 1): with n machines w / (n + 1) + n · price.
  holds_always([] {
    const double work = *rc::gen::inRange(0, 20'000), price = *rc::gen::inRange(1, 50) / 10.0;
    const Count most = *rc::gen::inRange(0, 300);
    const auto late = [&](Count machines) { return work / static_cast<double>(machines + 1); };
    const auto sum = [&](Count machines) { return late(machines) + static_cast<double>(machines) * price; };
    double least = sum(0);
    for (Count machines = 1; machines <= most; ++machines) least = std::min(least, sum(machines));
    const Count found = cheapest_count(most, price, late);
    RC_ASSERT(found >= 0);
    RC_ASSERT(found <= most);
    RC_ASSERT(sum(found) <= least * 1.02 + 1e-9);
  });
}

}  // namespace
}  // namespace wavewright
