// The time-window bound with weights, beside the best of all schedules: every order of maps and of reduces,
// each task at its earliest start.
#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "tests/plan/small_batch.h"
#include "tests/property.h"
#include "wavewright/core/random.h"
#include "wavewright/plan/bounds/completion_bound.h"
#include "wavewright/plan/bounds/time_window/schedule_tree.h"
#include "wavewright/plan/bounds/time_window/time_unit.h"
#include "wavewright/plan/bounds/time_window/window_bound.h"

namespace wavewright {
namespace {

using rc::gen::inRange;
using Ends = std::vector<std::int64_t>;  // by job, ms

struct OwnTask {
  std::size_t job;
  std::int64_t length;
};

// The ends of tasks that are placed in this order, each where it can start first.
Ends placed(const std::vector<OwnTask>& tasks, const Ends& ready, Count slots) {
  struct Busy {
    std::int64_t from, to;
  };
  std::vector<Busy> busy;
  Ends ends = ready;
  for (const OwnTask& task : tasks) {
    Ends starts = {ready[task.job]};
    for (const Busy& other : busy) starts.push_back(std::max(other.to, ready[task.job]));
    std::sort(starts.begin(), starts.end());
    const auto fits = [&](std::int64_t start) {
      Ends instants = {start};
      for (const Busy& other : busy) {
        if (other.from > start && other.from < start + task.length) instants.push_back(other.from);
      }
      return std::all_of(instants.begin(), instants.end(), [&](std::int64_t at) {
        return std::count_if(busy.begin(), busy.end(),
                             [&](const Busy& other) { return other.from <= at && at < other.to; }) < slots;
      });
    };
    const std::int64_t start = *std::find_if(starts.begin(), starts.end(), fits);
    busy.push_back({start, start + task.length});
    ends[task.job] = std::max(ends[task.job], start + task.length);
  }
  return ends;
}

std::set<Ends> all_ends(std::vector<OwnTask> tasks, const Ends& ready, Count slots) {
  const auto before = [](const OwnTask& a, const OwnTask& b) {
    return std::pair(a.job, a.length) < std::pair(b.job, b.length);
  };
  std::sort(tasks.begin(), tasks.end(), before);
  std::set<Ends> ends;
  do ends.insert(placed(tasks, ready, slots));
  while (std::next_permutation(tasks.begin(), tasks.end(), before));
  return ends;
}

// Every schedule in which no task can start earlier: the ends of its jobs.
std::set<Ends> all_schedules(const Workload& batch, SlotPool pool) {
  std::vector<OwnTask> maps, reduces;
  Ends submits;
  for (std::size_t job = 0; job < batch.jobs.size(); ++job) {
    const Job& own = batch.jobs[job];
    submits.push_back(to_ms(own.submit));
    for (const Duration map : own.maps) maps.push_back({job, to_ms(map)});
    for (std::size_t i = 0; i < own.reduces.size(); ++i) reduces.push_back({job, to_ms(own.least_reduce(i))});
  }
  std::set<Ends> ends;
  for (const Ends& map_ends : all_ends(maps, submits, pool.map_slots))
    ends.merge(all_ends(reduces, map_ends, pool.reduce_slots));
  return ends;
}

double weighted_sum(const Workload& batch, const std::vector<double>& weights, const Ends& ends) {
  double sum = 0;
  for (std::size_t job = 0; job < weights.size(); ++job)
    sum += weights[job] * static_cast<double>(ends[job] - to_ms(batch.jobs[job].submit));
  return sum;
}

double least_weighted(const Workload& batch, const std::vector<double>& weights, SlotPool pool) {
  double least = std::numeric_limits<double>::max();
  for (const Ends& ends : all_schedules(batch, pool))
    least = std::min(least, weighted_sum(batch, weights, ends));
  return least;
}

// The last end if all tasks ran one after the other.
Duration makespan_of(const Workload& batch) {
  Duration last{};
  for (const Job& job : batch.jobs) last = std::max(last, job.submit - Time{});
  for (const Job& job : batch.jobs) {
    for (const Duration map : job.maps) last += map;
    for (const Duration reduce : job.reduces) last += reduce;
  }
  return last;
}

// Up to `most` tasks of a stage; draw(n) gives a number below n.
template <class Draw>
Workload drawn_batch(std::size_t jobs, int most, std::int64_t unit, Draw draw) {
  Workload batch;
  int maps = most, reduces = most - 1;
  const bool together = draw(2) == 0;
  for (std::size_t i = 0; i < jobs; ++i) {
    Job job;
    job.id = fmt::format("J{}", i);
    job.submit = at_ms(together ? 0 : unit * static_cast<std::int64_t>(draw(20)));
    const auto lengths = [&](std::vector<Duration>& tasks, int& left, int own) {
      for (; own > 0 && left > 0; --own, --left)
        tasks.push_back(ms(unit * (1 + static_cast<std::int64_t>(draw(20)))));
    };
    lengths(job.maps, maps, 1 + static_cast<int>(draw(3)));
    lengths(job.reduces, reduces, static_cast<int>(draw(3)));
    batch.jobs.push_back(job);
  }
  return batch;
}

TEST(WeightedBound, IsNeverAboveTheBestOfAllSchedules) {
  int raised = 0, found_better = 0;
  holds_always(
      [&] {
        const auto draw = [](std::uint64_t below) { return *inRange<std::uint64_t>(0, below); };
        Workload batch = drawn_batch(1 + draw(4), 5, *rc::gen::element(1, 7, 1000), draw);
        if (draw(4) == 0) batch.jobs.front().maps.push_back(ms(0));
        if (draw(4) == 0) {
          batch.jobs.front().first_shuffles.assign(batch.jobs.front().reduces.size(), ms(3));
          batch.jobs.front().shuffles.assign(batch.jobs.front().reduces.size(),
                                             ms(static_cast<std::int64_t>(draw(6))));
        }
        const SlotPool pool{*inRange<Count>(1, 4), *inRange<Count>(1, 4)};
        std::vector<double> weights;
        const double part = *rc::gen::element(1.0, 4.0, 10.0, 3.0);
        while (weights.size() < batch.jobs.size())
          weights.push_back(static_cast<double>(1 + draw(draw(2) == 0 ? 10 : 500)) / part);
        const double least = least_weighted(batch, weights, pool);
        const double value = least * (draw(2) == 0 ? 1 : 1 + static_cast<double>(1 + draw(50)) / 100);
        const double known = weighted_completion_bound(batch, pool, weights);
        RC_ASSERT(known <= least);
        const double bound =
            weighted_window_bound(batch, pool, weights, known, value, std::max(ms(1), makespan_of(batch)),
                                  *rc::gen::element(3e5, 5e6, 1e8), Stop());
        RC_ASSERT(bound >= known);
        RC_ASSERT(bound <= least * (1 + 1e-12));
        raised += bound > known ? 1 : 0;
        found_better += value > least && bound >= least * (1 - 1e-9) ? 1 : 0;
      },
      400);
  EXPECT_GT(raised, 40);
  EXPECT_GT(found_better, 20);
}

// Batches as a user might give them, in seconds or to the millisecond. The older bounds are hardly ever
// tight.
TEST(WeightedBound, IsTheBestOfAllSchedulesOfSmallBatches) {
  Random random(11, "weighted bound");
  constexpr int batches = 60;
  int tight = 0, known_tight = 0;
  for (int i = 0; i < batches; ++i) {
    const auto draw = [&](std::uint64_t below) { return random.below(below); };
    Workload batch = drawn_batch(2 + draw(3), 5, 1000, draw);
    if (i % 2 == 1) {
      for (Job& job : batch.jobs) {
        for (Duration& map : job.maps) map += ms(static_cast<std::int64_t>(draw(999)));
        for (Duration& reduce : job.reduces) reduce += ms(static_cast<std::int64_t>(draw(999)));
      }
    }
    const SlotPool pool{1 + static_cast<Count>(draw(2)), 1 + static_cast<Count>(draw(2))};
    std::vector<double> weights;
    while (weights.size() < batch.jobs.size()) weights.push_back(static_cast<double>(1 + draw(10)));
    const double least = least_weighted(batch, weights, pool);
    const double known = weighted_completion_bound(batch, pool, weights);
    const double bound =
        weighted_window_bound(batch, pool, weights, known, 1.1 * least, makespan_of(batch), 1e8, Stop());
    EXPECT_LE(bound, least);
    known_tight += known > least - 1 ? 1 : 0;
    tight += bound > least - 1 ? 1 : 0;
  }
  EXPECT_LT(known_tight, batches / 2);
  EXPECT_GE(tight, 9 * batches / 10);
}

TEST(WeightedBound, RisesWithItsNodesAndIsTheSameAgain) {
  Workload batch = small_batch(7);
  for (std::size_t job = 0; job < batch.jobs.size(); ++job) {
    batch.jobs[job].submit = at_ms(10 * static_cast<std::int64_t>(job));
    for (Duration& map : batch.jobs[job].maps) map *= 3;
  }
  const SlotPool pool{5, 2};
  const std::vector<double> weights = {1, 0.1, 3, 7.5, 2, 1, 4};
  const double known = weighted_completion_bound(batch, pool, weights), value = 1.2 * known;
  const auto bound = [&](double multiplications, const Stop& stop = Stop()) {
    return weighted_window_bound(batch, pool, weights, known, value, ms(600), multiplications, stop);
  };
  const double root = bound(2e7), some = bound(3e8);
  EXPECT_GT(root, known);
  EXPECT_GT(some, root);
  EXPECT_LT(some, value);
  EXPECT_EQ(some, bound(3e8));
  EXPECT_EQ(bound(3e8, Stop(std::chrono::nanoseconds(0))), known);
}

TEST(WeightedBound, IsTheKnownOneWhereItDoesNotApply) {
  Workload batch = small_batch(3);
  const auto bound = [&](const std::vector<double>& weights) {
    return weighted_window_bound(batch, {2, 2}, weights, 7, 1'000, ms(500), 1e7, Stop());
  };
  EXPECT_GT(bound({1, 2, 3}), 7);
  EXPECT_EQ(bound({1, 0, 3}), 7);
  batch.jobs[1].after = {"J0"};
  EXPECT_EQ(bound({1, 2, 3}), 7);
  batch = small_batch(11);
  EXPECT_EQ(bound(std::vector<double>(11, 1)), 7);
}

// Within any windows it finds the best schedule with these ends, or one that is better with earlier ends.
TEST(ScheduleTree, FindsTheBestWithinWindows) {
  int found = 0, none = 0;
  holds_always(
      [&] {
        const auto draw = [](std::uint64_t below) { return *inRange<std::uint64_t>(0, below); };
        const Workload batch = drawn_batch(1 + draw(4), 5, 1, draw);
        const SlotPool pool{*inRange<Count>(1, 4), *inRange<Count>(1, 4)};
        std::vector<WindowJob> jobs = window_jobs(batch, pool);
        std::vector<double> weights;
        for (WindowJob& job : jobs) weights.push_back(job.weight = static_cast<double>(1 + draw(9)));
        std::vector<Windows> windows;
        windows.reserve(jobs.size());
        for (const WindowJob& job : jobs) {
          const double own = job.submit + job.head + job.tail;
          const auto from = own + static_cast<double>(draw(2) == 0 ? 0 : draw(20));
          const double to = from + static_cast<double>(draw(60));
          windows.push_back({job.submit + job.head, to, from, to});
        }
        double submits = 0;
        for (std::size_t job = 0; job < jobs.size(); ++job) submits += weights[job] * jobs[job].submit;
        double least = std::numeric_limits<double>::max(), within = least;
        for (const Ends& ends : all_schedules(batch, pool)) {
          const double sum = weighted_sum(batch, weights, ends) + submits;
          least = std::min(least, sum);
          bool inside = true;
          for (std::size_t job = 0; job < jobs.size(); ++job) {
            const auto end = static_cast<double>(ends[job]);
            inside = inside && end >= windows[job].from && end <= windows[job].to;
          }
          if (inside) within = std::min(within, sum);
        }
        const double aim = least + static_cast<double>(draw(60));
        ScheduleTree tree(jobs, pool);
        const auto best = tree.least(windows, aim, 1'000'000, Stop());
        RC_ASSERT(best.has_value());
        RC_ASSERT(*best <= std::min(aim, within));
        RC_ASSERT(*best >= std::min(aim, least));
        RC_ASSERT(!tree.least(windows, std::numeric_limits<double>::infinity(), 0, Stop()));
        (within < aim ? found : none) += 1;
      },
      300);
  EXPECT_GT(found, 20);
  EXPECT_GT(none, 20);
}

TEST(TimeUnit, DividesTimesAndWeights) {
  Workload batch = small_batch(1);
  batch.jobs[0].maps = {ms(1500), ms(6000)};
  batch.jobs[0].reduces = {ms(4500)};
  EXPECT_EQ(time_unit(batch), 1500);
  batch.jobs[0].submit = at_ms(2000);
  EXPECT_EQ(time_unit(batch), 500);
  batch.jobs[0].first_shuffles = batch.jobs[0].shuffles = {ms(30)};
  EXPECT_EQ(time_unit(batch), 10);
  EXPECT_EQ(time_unit(Workload{}), 0);
  EXPECT_DOUBLE_EQ(latest_end(batch, {2, 1}), 2000 + 7500 / 2.0 + 6000 + 2 * 4530);
  const auto unit = [](std::vector<double> weights) { return weight_unit(weights); };
  EXPECT_EQ(unit({4, 6, 10}), 2);
  EXPECT_EQ(unit({0.5, 0.75}), 0.25);
  EXPECT_EQ(unit({1, 0.1}), 0.1);
  EXPECT_EQ(unit({1.0 / 3}), 0);
  EXPECT_EQ(unit({1, 0}), 0);
}

}  // namespace
}  // namespace wavewright
