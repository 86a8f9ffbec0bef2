#include "wavewright/plan/methods/demand_fit.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/plan/demand_by_letter.h"
#include "tests/plan/small_batch.h"
#include "wavewright/core/random.h"
#include "wavewright/plan/bounds/lower_bound.h"

namespace wavewright {
namespace {

constexpr double enough = 1e9;  // multiplications
constexpr int rows = 240;

DemandBound bound_of(const std::vector<DemandJob>& jobs, SlotPool pool) {
  std::int64_t known = 1;
  for (const DemandJob& job : jobs) known = std::max(known, job.earliest + job.tail);
  return demand_bound(jobs, pool, known, enough, Stop());
}

double row_of(const DemandBound& bound) {
  return 1.12 * static_cast<double>(bound.makespan) / rows;
}

// By the letter: when all is done, and how late maps are on the way.
double value(const std::vector<DemandJob>& jobs, SlotPool pool, const std::vector<double>& ends,
             double step) {
  double done = 0, late = 0;
  for (int row = 0; row <= rows; ++row) {
    const double t = row * step;
    double maps = 0, reduces = 0;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      maps += maps_before(jobs[j], ends[j], t);
      reduces += reduces_after(jobs[j], ends[j], t);
    }
    late = std::max(late, maps / static_cast<double>(pool.map_slots) - t);
    if (reduces > 0) done = std::max(done, t + reduces / static_cast<double>(pool.reduce_slots));
  }
  return done + late;
}

std::vector<double> in_doubles(const std::vector<std::int64_t>& ends) {
  return {ends.begin(), ends.end()};
}

// Two jobs that want the same slots, their longest maps first, in the middle or last.
Workload two_jobs(int which) {
  const int unit = 1000;
  Workload batch;
  for (int i = 0; i < 2; ++i) {
    Job job;
    job.id = fmt::format("J{}", i);
    for (int map = 0; map < 4; ++map) job.maps.push_back(ms(unit * (1 + (5 * (which + map) + 3 * i) % 7)));
    for (int reduce = 0; reduce < 3; ++reduce)
      job.reduces.push_back(ms(unit * (1 + (3 * (which + i) + 2 * reduce) % 8)));
    batch.jobs.push_back(job);
  }
  return batch;
}

TEST(DemandFit, FindsWhatTryingAllEndsFinds) {
  const SlotPool pool{2, 2};
  int found_least = 0;
  for (int which = 0; which < 8; ++which) {
    const std::vector<DemandJob> jobs = demand_jobs(two_jobs(which), pool);
    const DemandBound bound = bound_of(jobs, pool);
    const double step = row_of(bound);
    double least = 1e300;
    for (int first = 0; first <= rows; first += 4) {
      for (int second = 0; second <= rows; second += 4) {
        const std::vector<double> ends = {first * step, second * step};
        bool may = true;
        for (std::size_t j = 0; j < 2; ++j) {
          may = may && ends[j] >= static_cast<double>(jobs[j].earliest) &&
                ends[j] + static_cast<double>(jobs[j].tail) <= rows * step;
        }
        if (may) least = std::min(least, value(jobs, pool, ends, step));
      }
    }
    const auto found = demand_fit(jobs, pool, bound, 1, enough, Stop());
    const double own = value(jobs, pool, in_doubles(found), step);
    EXPECT_LE(own, 1.04 * least) << which;
    found_least += own <= least + step / 2 ? 1 : 0;
    EXPECT_GE(own, least - 8 * step) << which;
  }
  EXPECT_GE(found_least, 7);  // of two jobs it may keep to the wrong side of a hill
}

TEST(DemandFit, IsBetterThanTheMeanEndsItBeginsWith) {
  const SlotPool pool{8, 8};
  const std::vector<DemandJob> jobs = demand_jobs(small_batch(10), pool);
  const DemandBound bound = bound_of(jobs, pool);
  const double step = row_of(bound);
  const auto found = demand_fit(jobs, pool, bound, 1, enough, Stop());
  const double own = value(jobs, pool, in_doubles(found), step);
  EXPECT_LT(own, value(jobs, pool, in_doubles(bound.map_ends), step) - step);
  // Nor does plain descent by the letter come lower.
  std::vector<double> ends = in_doubles(found);
  Random random(1, "demand_fit_test");
  for (int tried = 0; tried < 1000; ++tried) {
    const std::size_t job = random.below(jobs.size());
    const double before = ends[job];
    ends[job] = std::clamp(before + step * std::round(random.uniform(-20, 20)),
                           static_cast<double>(jobs[job].earliest),
                           rows * step - static_cast<double>(jobs[job].tail));
    EXPECT_GE(value(jobs, pool, ends, step), own - step);
    ends[job] = before;
  }
  for (std::size_t j = 0; j < jobs.size(); ++j) EXPECT_GE(found[j], jobs[j].earliest) << j;
}

TEST(DemandFit, DependsOnItsSeedAlone) {
  const SlotPool pool{8, 8};
  const std::vector<DemandJob> jobs = demand_jobs(small_batch(10), pool);
  const DemandBound bound = bound_of(jobs, pool);
  const auto ends = [&](std::uint64_t seed) { return demand_fit(jobs, pool, bound, seed, 1e7, Stop()); };
  EXPECT_EQ(ends(1), ends(1));
  EXPECT_NE(ends(1), ends(2));
}

TEST(DemandFit, GivesTheEndsItBeganWithWhereItIsStopped) {
  const SlotPool pool{8, 8};
  const std::vector<DemandJob> jobs = demand_jobs(small_batch(10), pool);
  const DemandBound bound = bound_of(jobs, pool);
  const auto found = demand_fit(jobs, pool, bound, 1, enough, Stop(std::chrono::nanoseconds(0)));
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    EXPECT_NEAR(static_cast<double>(found[j]),
                static_cast<double>(std::max(bound.map_ends[j], jobs[j].earliest)), 2 * row_of(bound))
        << j;
  }
}

}  // namespace
}  // namespace wavewright
