#include "wavewright/predict/slots.h"
#include "tests/property.h"

#include <cmath>
#include <tuple>

#include "tests/predict/jobs.h"
#include "wavewright/core/error.h"
#include "wavewright/core/random.h"

namespace wavewright {
namespace {

constexpr Duration eight_minutes = ms(480'000);

std::vector<SlotPool> pools(const std::vector<SlotChoice>& curve) {
  std::vector<SlotPool> all;
  for (const SlotChoice& choice : curve) all.push_back(choice.slots);
  return all;
}

// Every pair, one by one.
std::vector<SlotPool> feasible_pairs(const JobStatistics& job, Duration deadline, TimeModel model) {
  std::vector<SlotPool> all;
  for (Count maps = std::min<Count>(1, job.maps); maps <= job.maps; ++maps) {
    for (Count reduces = std::min<Count>(1, job.reduces); reduces <= job.reduces; ++reduces) {
      if (map_stage_ms(job, maps, model) + reduce_stage_ms(job, reduces, model) + job.overhead_ms <=
          static_cast<double>(deadline.count())) {
        all.push_back({maps, reduces});
      }
    }
  }
  return all;
}

std::vector<SlotPool> minimal_of(const std::vector<SlotPool>& feasible) {
  std::vector<SlotPool> minimal;
  for (const SlotPool& pair : feasible) {
    const bool beaten = std::any_of(feasible.begin(), feasible.end(), [&](const SlotPool& other) {
      return other != pair && other.map_slots <= pair.map_slots && other.reduce_slots <= pair.reduce_slots;
    });
    if (!beaten) minimal.push_back(pair);
  }
  return minimal;
}

// 5 models × 1,500 random profiles against brute force.
TEST(Slots, OptimumAndCurveAreThoseOfBruteForce) {
  for (const TimeModel model : time_models) {
    for (int round = 0; round < 15; ++round) {  // of a hundred each
      holds_always([&] {
        const JobStatistics job = any_job();
        const double fastest = map_stage_ms(job, std::max<Count>(1, job.maps), model) +
                               reduce_stage_ms(job, std::max<Count>(1, job.reduces), model) + job.overhead_ms;
        const Duration deadline =
            ms(1 + std::llround(fastest * *rc::gen::element(0.9, 1.0, 1.2, 1.7, 3.0, 20.0)));
        const std::vector<SlotPool> feasible = feasible_pairs(job, deadline, model);
        if (feasible.empty()) {
          RC_ASSERT_THROWS_AS((void)fewest_slots(job, deadline, model), Infeasible);
          RC_ASSERT_THROWS_AS((void)allocation_curve(job, deadline, model), Infeasible);
          return;
        }
        RC_ASSERT(pools(allocation_curve(job, deadline, model)) == minimal_of(feasible));
        const auto key = [&](const SlotPool& pair) {
          const double time = map_stage_ms(job, pair.map_slots, model) +
                              reduce_stage_ms(job, pair.reduce_slots, model) + job.overhead_ms;
          return std::tuple(pair.map_slots + pair.reduce_slots, time, pair.map_slots);
        };
        const SlotPool best =
            *std::min_element(feasible.begin(), feasible.end(),
                              [&](const SlotPool& a, const SlotPool& b) { return key(a) < key(b); });
        RC_ASSERT(fewest_slots(job, deadline, model).slots == best);
      });
    }
  }
}

// Larger jobs, where the search leaves out most of the curve; the curve itself is held to brute force above.
TEST(Slots, TheOptimumIsTheBestOfTheCurveForLargeJobsToo) {
  Random random(7, "large jobs");
  for (int i = 0; i < 2'000; ++i) {
    JobStatistics job;
    job.maps = random.integer(1, 1'000);
    job.reduces = random.integer(1, 600);
    for (PhaseStatistics* phase : {&job.map, &job.first_shuffle, &job.shuffle, &job.reduce}) {
      phase->min_ms = random.uniform(0, 100);
      phase->avg_ms = phase->min_ms + random.uniform(0, 100);
      phase->max_ms = phase->avg_ms + random.uniform(0, 300);
    }
    for (const TimeModel model : time_models) {
      const double fastest = completion_ms(job, {job.maps, job.reduces}, model);
      const Duration deadline = ms(std::llround(fastest * random.uniform(1.01, 30)) + 1);
      const auto curve = allocation_curve(job, deadline, model);
      const auto best =
          std::min_element(curve.begin(), curve.end(), [](const SlotChoice& a, const SlotChoice& b) {
            return std::tuple(a.total(), a.completion_ms, a.slots.map_slots) <
                   std::tuple(b.total(), b.completion_ms, b.slots.map_slots);
          });
      EXPECT_EQ(fewest_slots(job, deadline, model).slots, best->slots);
    }
  }
}

TEST(Slots, LagrangesBestCornerIsNeverWorseThanItsCeilingAndFeasible) {
  holds_always([] {
    const JobStatistics job = any_job();
    const Duration deadline = ms(*rc::gen::inRange(1, 20'000));
    if (feasible_pairs(job, deadline, TimeModel::simple).empty()) {
      RC_ASSERT_THROWS_AS((void)lagrange_slots(job, deadline), Infeasible);
      return;
    }
    const LagrangeSlots slots = lagrange_slots(job, deadline);
    const auto limit = static_cast<double>(deadline.count()) + 1e-6;
    RC_ASSERT(slots.ceiled.completion_ms <= limit);
    RC_ASSERT(slots.corner.completion_ms <= limit);
    RC_ASSERT(slots.corner.total() <= slots.ceiled.total());
    RC_ASSERT(slots.corner.total() >= fewest_slots(job, deadline, TimeModel::simple).total());
    if (!slots.capped && job.maps > 0 && job.reduces > 0 && slots.map_slots >= 1 && slots.reduce_slots >= 1) {
      RC_ASSERT(slots.corner.total() == fewest_slots(job, deadline, TimeModel::simple).total());
    }
  });
}

// [CLOUD §3.6.4] with its 2 GB in 64 MB blocks: 32 maps.
TEST(EightMinutes, With32MapsIsAbout18And17ByLagrangeAnd16And24ByWaves) {
  const JobStatistics job = anagram_24_24(32);
  const LagrangeSlots lagrange = lagrange_slots(job, eight_minutes);
  EXPECT_NEAR(lagrange.map_slots, 17.98, 0.01);
  EXPECT_NEAR(lagrange.reduce_slots, 16.70, 0.01);
  EXPECT_EQ(lagrange.ceiled.slots, (SlotPool{18, 17}));
  EXPECT_EQ(fewest_slots(job, eight_minutes, TimeModel::wave).slots, (SlotPool{16, 24}));
  EXPECT_EQ(pools(allocation_curve(job, eight_minutes, TimeModel::wave)),
            (std::vector<SlotPool>{{16, 24}, {32, 12}}));
}

// The paper's 42 + 22 is one of several pairs of 64 slots, in model (3.15), for 94 to 96 maps, with the
// profile of the run on 48 + 24 slots; with that of 24 + 24 for no number near it.
TEST(EightMinutes, FortyTwoAndTwentyTwoNeeds94To96Maps) {
  const auto is_among_minima = [](const JobStatistics& job) {
    const SlotChoice best = fewest_slots(job, eight_minutes, TimeModel::simple);
    const auto curve = allocation_curve(job, eight_minutes, TimeModel::simple);
    return std::any_of(curve.begin(), curve.end(), [&](const SlotChoice& choice) {
      return choice.total() == best.total() && choice.slots == SlotPool{42, 22};
    });
  };
  for (Count maps = 24; maps <= 140; ++maps) {
    EXPECT_EQ(is_among_minima(anagram_48_24(maps)), maps >= 94 && maps <= 96) << maps;
    EXPECT_EQ(is_among_minima(anagram_24_24(maps)), maps == 90 || maps == 91) << maps;
  }
}

TEST(Slots, BesideGivenReduceSlotsIsEquation316RoundedUp) {
  const JobStatistics job = anagram_24_24(32);
  const double real = map_slots_beside(job, eight_minutes, 24);
  EXPECT_NEAR(real, 4'480'000 / (480'000 + 500 - 3'864'000 / 24.0), 1e-9);
  EXPECT_EQ(slots_beside(job, eight_minutes, 24, TimeModel::simple).slots.map_slots,
            static_cast<Count>(std::ceil(real)));
  EXPECT_EQ(slots_beside(job, eight_minutes, 24, TimeModel::wave).slots, (SlotPool{16, 24}));
  EXPECT_THROW((void)map_slots_beside(job, eight_minutes, 8), Infeasible) << "T <= C + B/r";
  EXPECT_EQ(slots_beside(job, eight_minutes, 500, TimeModel::wave).slots, (SlotPool{16, 500}));
}

TEST(Slots, StayWithinALimit) {
  const JobStatistics job = anagram_24_24(32);
  const SlotLimit limit = {.reduce_slots = 20};
  EXPECT_EQ(fewest_slots(job, eight_minutes, TimeModel::wave, limit).slots, (SlotPool{32, 12}));
  EXPECT_THROW((void)fewest_slots(job, eight_minutes, TimeModel::wave, {.map_slots = 8}), Infeasible);
  EXPECT_THROW((void)fewest_slots(job, eight_minutes, TimeModel::wave, {.map_slots = 0}), UsageError);
}

TEST(Slots, AnImpossibleDeadlineNamesTheShortestPossibleTime) {
  try {
    (void)fewest_slots(anagram_24_24(32), ms(60'000), TimeModel::wave);
    FAIL();
  } catch (const Infeasible& no) {
    EXPECT_NE(std::string(no.what()).find("32 map and 24 reduce slots take 5min"), std::string::npos)
        << no.what();
  }
  EXPECT_THROW((void)fewest_slots(anagram_24_24(32), ms(0), TimeModel::wave), UsageError);
}

TEST(Slots, AJobOfMapsOnlyNeedsNoReduceSlots) {
  JobStatistics job = anagram_24_24(32);
  job.reduces = 0;
  EXPECT_EQ(fewest_slots(job, eight_minutes, TimeModel::wave).slots, (SlotPool{11, 0}));
  EXPECT_EQ(lagrange_slots(job, eight_minutes).corner.slots, (SlotPool{10, 0}));
  EXPECT_EQ(allocation_curve(job, eight_minutes, TimeModel::bounds).size(), 1U);
}

}  // namespace
}  // namespace wavewright
