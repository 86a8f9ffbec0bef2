// The paired t-test, by the numbers of UNL's tables 6.11 to 6.15 and by counting sign patterns.
#include "wavewright/sim/experiment/paired_test.h"

#include <cmath>
#include <vector>

#include <gmock/gmock.h>

#include "tests/property.h"

namespace wavewright {
namespace {

using Values = std::vector<double>;

const Values fifo_time{4.49, 4.56, 4.57}, noae_time{4.87, 4.83, 4.83}, efh_time{4.57, 4.62, 4.59};
const Values fifo_local{76, 73, 82}, noae_local{69, 70, 73}, efh_local{75, 77, 73};
const Values fifo_energy{13.13, 13.22, 13.21}, noae_energy{11.66, 11.73, 11.87},
    efh_energy{11.85, 11.69, 11.80};

double p_of(const Values& a, const Values& b) {
  return paired_t_test(a, b).p.value();
}

// [UNL table 6.13]: the p-values of locality follow from the printed runs, those of time within the rounding
// of the runs (0.047 to 0.163, 0.0106 to 0.0219, 0.0063 to 0.0173), those of energy do not.
TEST(PairedTest, GivesThePapersPValuesOrShowsThatTheyDoNotFollow) {
  constexpr double printed = 0.0001;
  EXPECT_NEAR(p_of(fifo_time, efh_time), 0.0942, printed) << "0.0793 is printed";
  EXPECT_NEAR(p_of(fifo_time, noae_time), 0.0157, printed) << "0.0129 is printed";
  EXPECT_NEAR(p_of(efh_time, noae_time), 0.0110, printed) << "0.0105 is printed";
  EXPECT_NEAR(p_of(fifo_local, efh_local), 0.65, 0.005);
  EXPECT_NEAR(p_of(fifo_local, noae_local), 0.0696, printed);
  EXPECT_NEAR(p_of(efh_local, noae_local), 0.1859, printed);
  EXPECT_NEAR(p_of(fifo_energy, efh_energy), 0.0026, 0.00005) << "0.0014 is printed";
  EXPECT_NEAR(p_of(fifo_energy, noae_energy), 0.0011, 0.00005) << "0.0021 is printed";
  EXPECT_NEAR(p_of(efh_energy, noae_energy), 0.776, 0.0005) << "0.4266 is printed";
}

// [UNL table 6.14], which has 0.1 for the time without adaptive execution and 0.13 for EFH's energy.
TEST(PairedTest, GivesThePapersIntervals) {
  EXPECT_NEAR(*statistics_of(fifo_time).half, 0.1, 0.01);
  EXPECT_NEAR(*statistics_of(efh_time).half, 0.06, 0.005);
  EXPECT_NEAR(*statistics_of(noae_time).half, 0.057, 0.0005);
  EXPECT_NEAR(*statistics_of(fifo_local).half, 11, 0.5);
  EXPECT_NEAR(*statistics_of(efh_local).half, 5, 0.05);
  EXPECT_NEAR(*statistics_of(noae_local).half, 5, 0.5);
  EXPECT_NEAR(*statistics_of(fifo_energy).half, 0.13, 0.01);
  EXPECT_NEAR(*statistics_of(noae_energy).half, 0.28, 0.015);
  EXPECT_NEAR(*statistics_of(efh_energy).half, 0.20, 0.005);
}

// [UNL table 6.15] has the deviation from n, not from n − 1.
TEST(PairedTest, GivesThePapersStandardErrors) {
  EXPECT_NEAR(statistics_of(fifo_time).population_error, 0.02, 0.005);
  EXPECT_NEAR(statistics_of(fifo_local).population_error, 2.16, 0.005);
  EXPECT_NEAR(statistics_of(efh_local).population_error, 0.94, 0.005);
  EXPECT_NEAR(statistics_of(noae_local).population_error, 0.98, 0.005);
  EXPECT_NEAR(*statistics_of(fifo_local).error, 2.65, 0.005);
}

TEST(PairedTest, SaysNothingOfOnePairOrOfEqualRuns) {
  const PairedTest one = paired_t_test(Values{3}, Values{1});
  EXPECT_EQ(one.difference.mean, 2);
  EXPECT_EQ(one.p, std::nullopt);
  EXPECT_EQ(one.difference.half, std::nullopt);
  EXPECT_EQ(paired_t_test(Values{0.1, 0.3, 0.7}, Values{0.1, 0.3, 0.7}).p, std::nullopt);
  const PairedTest always = paired_t_test(Values{0, 1, 2}, Values{1, 2, 3});
  EXPECT_EQ(always.p, 0);
  EXPECT_EQ(always.t, -INFINITY);
  EXPECT_EQ(*always.difference.half, 0);
}

// In binary these differences are not quite equal.
TEST(PairedTest, TakesDifferencesOfDecimalsForEqual) {
  const std::vector<double> a = {0.3, 0.4, 0.7}, b = {0.4, 0.5, 0.8}, c = {0.4, 0.5, 0.8 + 1e-14};
  ASSERT_NE(a[0] - b[0], a[2] - b[2]);
  const PairedTest equal = paired_t_test(a, b);
  EXPECT_EQ(equal.difference.error, 0);
  EXPECT_NEAR(equal.difference.mean, -0.1, 1e-15);
  EXPECT_EQ(equal.p, 0);
  EXPECT_GT(*paired_t_test(a, c).difference.error, 0);
}

TEST(PairedTest, IsSymmetricAndDoesNotDependOnScale) {
  holds_always([] {
    const auto n = *rc::gen::inRange<std::size_t>(2, 9);
    Values a, b, far_a, far_b;
    for (std::size_t i = 0; i < n; ++i) {
      a.push_back(*rc::gen::inRange(0, 50));
      b.push_back(*rc::gen::inRange(0, 50));
      far_a.push_back(8 * a.back());
      far_b.push_back(8 * b.back());
    }
    const PairedTest there = paired_t_test(a, b), back = paired_t_test(b, a),
                     far = paired_t_test(far_a, far_b);
    RC_ASSERT(there.p == back.p);
    RC_ASSERT(there.difference.mean == -back.difference.mean);
    RC_ASSERT(there.p.has_value() == far.p.has_value());
    if (!there.p) return;
    RC_ASSERT(std::abs(*there.p - *far.p) < 1e-9);
    // The 95 % interval leaves out 0 just where p is below 5 %.
    const double distance = std::abs(there.difference.mean) - *there.difference.half;
    if (std::abs(distance) > 1e-9) RC_ASSERT((distance > 0) == (*there.p < 0.05));
  });
}

}  // namespace
}  // namespace wavewright
