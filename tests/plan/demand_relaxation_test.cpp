#include "wavewright/plan/bounds/demand_relaxation.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "tests/plan/demand_by_letter.h"
#include "tests/property.h"

namespace wavewright {
namespace {

constexpr std::size_t rows = 12;
constexpr double furthest = 12'000;
const SlotPool pool{2, 3};

struct Drawn {
  std::vector<DemandJob> jobs;
  DemandPrices prices{rows, 0};
  double makespan = 0;
};

Drawn draw(int most) {
  Drawn drawn;
  drawn.jobs.resize(2);
  for (DemandJob& job : drawn.jobs) {
    const int maps = *rc::gen::inRange(0, 5), reduces = *rc::gen::inRange(0, 5);
    for (int i = 0; i < maps; ++i) job.maps.push_back(*rc::gen::inRange(1, most));
    for (int i = 0; i < reduces; ++i) job.reduces.push_back(*rc::gen::inRange(1, most));
    job.earliest = *rc::gen::inRange(0, 4'000);
    job.tail = *rc::gen::inRange(0, 4'000);
  }
  for (std::size_t row = 0; row <= rows; ++row) {
    drawn.prices.maps[row] = *rc::gen::weightedElement<int>({{2, 0}, {1, *rc::gen::inRange(1, 100)}});
    drawn.prices.reduces[row] = *rc::gen::weightedElement<int>({{2, 0}, {1, *rc::gen::inRange(1, 100)}});
  }
  drawn.prices.maps[*rc::gen::inRange<std::size_t>(0, rows + 1)] += 1;
  drawn.prices.scale();
  drawn.makespan = *rc::gen::inRange(8'000, 12'000);
  return drawn;
}

// By the letter: what the job asks for if its maps end then, as priced.
double cost(const Drawn& drawn, const DemandJob& job, double end) {
  double sum = 0;
  for (std::size_t row = 0; row <= rows; ++row) {
    const double t = furthest / rows * static_cast<double>(row);
    sum += drawn.prices.maps[row] * maps_before(job, end, t) / static_cast<double>(pool.map_slots) +
           drawn.prices.reduces[row] * reduces_after(job, end, t) / static_cast<double>(pool.reduce_slots);
  }
  return sum;
}

// Of ends from its earliest to its latest.
std::vector<double> costs(const Drawn& drawn, const DemandJob& job) {
  std::vector<double> all;
  const double from = static_cast<double>(job.earliest), to = drawn.makespan - static_cast<double>(job.tail);
  for (int part = 0; part <= 300; ++part) all.push_back(cost(drawn, job, from + (to - from) * part / 300));
  return all;
}

double least(const std::vector<double>& values) {
  return *std::min_element(values.begin(), values.end());
}

TEST(DemandRelaxation, NoEndCostsLess) {
  holds_always(
      [] {
        const Drawn drawn = draw(*rc::gen::element(300, 6'000));
        DemandRelaxation relaxation(drawn.jobs, pool, furthest, rows);
        relaxation.set(drawn.makespan);
        relaxation.price(drawn.prices, 0);
        for (std::size_t j = 0; j < drawn.jobs.size(); ++j)
          RC_ASSERT(relaxation.least_cost(j) <= least(costs(drawn, drawn.jobs[j])) + 1e-6);
      },
      500);
}

// Six early intervals seem the cheapest, and are not once they are looked at in parts.
TEST(DemandRelaxation, NoEndCostsLessInIntervalsThatItDoesNotLookAt) {
  Drawn drawn{{{{600}, {900}, 0, 0, 0}}, DemandPrices(rows, 1), furthest};
  for (std::size_t row = 0; row <= 6; ++row) drawn.prices.maps[row] = drawn.prices.reduces[row] = 10;
  drawn.prices.reduces[6] += 0.2;
  DemandRelaxation relaxation(drawn.jobs, pool, furthest, rows);
  relaxation.set(drawn.makespan);
  relaxation.price(drawn.prices, 0);
  EXPECT_LE(relaxation.least_cost(0), least(costs(drawn, drawn.jobs[0])) + 1e-6);
}

// Where tasks are long to a step, the least cost is nearly that of the cheapest end.
TEST(DemandRelaxation, IsNear) {
  double sum = 0, by_letter = 0;
  holds_always(
      [&] {
        const Drawn drawn = draw(6'000);
        DemandRelaxation relaxation(drawn.jobs, pool, furthest, rows);
        relaxation.set(drawn.makespan);
        relaxation.price(drawn.prices, 0);
        for (std::size_t j = 0; j < drawn.jobs.size(); ++j) {
          sum += relaxation.least_cost(j);
          by_letter += least(costs(drawn, drawn.jobs[j]));
        }
      },
      500);
  EXPECT_GT(sum, 0.98 * by_letter);
}

// And the soft excess is no larger than the excess.
TEST(DemandRelaxation, LacksAreTheSlopeOfTheSoftExcess) {
  holds_always(
      [] {
        Drawn drawn = draw(6'000);
        // So few intervals that it looks at all of them in parts.
        for (DemandJob& job : drawn.jobs)
          job.earliest = std::max(job.earliest, static_cast<std::int64_t>(drawn.makespan) - job.tail - 5'900);
        DemandRelaxation relaxation(drawn.jobs, pool, furthest, rows);
        relaxation.set(drawn.makespan);
        constexpr double softness = 5, by = 1e-5;
        DemandPrices lacks(rows, 0), unused(rows, 0);
        const auto soft = [&](DemandPrices& slope) {
          relaxation.price(drawn.prices, softness);
          return relaxation.soft_excess(drawn.prices, slope);
        };
        const double here = soft(lacks);
        RC_ASSERT(here <= relaxation.excess(drawn.prices) + 1e-6);
        const auto row = *rc::gen::inRange<std::size_t>(0, rows + 1);
        const bool of_maps = *rc::gen::arbitrary<bool>();
        const double slope = (of_maps ? lacks.maps : lacks.reduces)[row];
        (of_maps ? drawn.prices.maps : drawn.prices.reduces)[row] += by;
        const double there = soft(unused);
        RC_ASSERT(std::abs((there - here) / by - slope) < 4 + 0.02 * std::abs(slope));
      },
      300);
}

// All alike: either end of each quarter of six intervals, and the earliest end.
TEST(DemandRelaxation, MeanEndsAreThoseOfAllCandidates) {
  const std::vector<DemandJob> job = {{{100}, {100}, 0, 6'000, 0}};
  DemandRelaxation relaxation(job, pool, furthest, rows);
  relaxation.set(furthest);
  relaxation.price(DemandPrices(rows, 1), 1e12);
  double steps = 6;
  for (int quarter = 0; quarter < 24; ++quarter) steps += quarter / 4.0 + (quarter + 1) / 4.0;
  EXPECT_NEAR(static_cast<double>(relaxation.mean_ends().front()), 12'000 - steps * 1'000 / 49, 1);
}

TEST(DemandPrices, KeepTheirShapeOnMoreRows) {
  DemandPrices prices(2, 0);
  prices.maps = {4, 0, 0};
  prices.reduces = {0, 2, 2};
  const DemandPrices finer = prices.on(4);
  const double whole = std::accumulate(finer.maps.begin(), finer.maps.end(), 0.0) +
                       std::accumulate(finer.reduces.begin(), finer.reduces.end(), 0.0);
  EXPECT_NEAR(whole, 1, 1e-12);
  EXPECT_NEAR(finer.maps[0], 2 * finer.maps[1], 1e-12);
  EXPECT_EQ(finer.maps[2], 0);
  EXPECT_NEAR(finer.reduces[1], finer.reduces[2] / 2, 1e-12);
  EXPECT_NEAR(finer.reduces[3], finer.reduces[4], 1e-12);
}

}  // namespace
}  // namespace wavewright
