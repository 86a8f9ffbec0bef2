// Windows of ends: prices of tasks beside a scan, sets and the dual beside schedules, the bound beside the
// best of every pair of orders.
#include "wavewright/plan/bounds/time_window/window_bound.h"

#include <algorithm>
#include <numeric>

#include "tests/plan/small_batch.h"
#include "tests/property.h"
#include "tests/sim/worlds.h"
#include "wavewright/core/random.h"
#include "wavewright/plan/bounds/lower_bound.h"
#include "wavewright/plan/bounds/time_window/bundle.h"
#include "wavewright/plan/bounds/time_window/set_ends.h"
#include "wavewright/plan/bounds/time_window/timetable.h"
#include "wavewright/plan/bounds/time_window/window_dual.h"
#include "wavewright/plan/schedule/priority_schedule.h"

namespace wavewright {
namespace {

using rc::gen::inRange;

TEST(TaskPrices, AreCheapestWhereAScanFindsThem) {
  holds_always(
      [] {
        const Cells cells{static_cast<std::size_t>(*inRange(1, 7)), *inRange(1, 40) / 8.0};
        std::vector<double> prices;
        for (std::size_t cell = 0; cell < cells.count; ++cell) prices.push_back(*inRange(0, 4));
        PriceLine line(cells);
        line.set(prices);
        TaskPrices tasks(*inRange(1, 80) / 8.0, cells);
        tasks.set(line);
        std::vector<double> starts = {*inRange(0, 80) / 8.0};
        for (int i = *inRange(1, 4); i > 0; --i) starts.push_back(starts.back() + *inRange(0, 60) / 8.0);
        std::vector<double> least(starts.size());
        tasks.least_between(starts, least);
        for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
          double scanned = tasks.at(starts[i]);
          for (double start = starts[i]; start <= starts[i + 1]; start += 1.0 / 8)
            scanned = std::min(scanned, tasks.at(start));
          RC_ASSERT(std::abs(least[i] - scanned) < 1e-9);
          const double cheapest = tasks.cheapest_start(starts[i], starts[i + 1]);
          RC_ASSERT(cheapest >= starts[i] && cheapest <= starts[i + 1]);
          RC_ASSERT(std::abs(tasks.at(cheapest) - scanned) < 1e-9);
        }
        // By hand: the price of every eighth of a ms that it runs.
        double sum = 0;
        for (double t = starts[0]; t < starts[0] + tasks.length(); t += 1.0 / 8) {
          const auto cell = static_cast<std::size_t>(t / cells.width);
          sum += cell < cells.count ? prices[cell] / 8 : 0;
        }
        RC_ASSERT(std::abs(tasks.at(starts[0]) - sum) < 1e-9);
      },
      2'000);
}

Workload some_batch(int most_jobs) {
  Workload batch = worlds::some_workload();
  if (batch.jobs.size() > static_cast<std::size_t>(most_jobs))
    batch.jobs.resize(static_cast<std::size_t>(most_jobs));
  worlds::lengthen(batch);
  return batch;
}

PriorityRule some_priority_rule(const Workload& batch, SlotPool pool) {
  std::vector<JobIndex> order(batch.jobs.size());
  std::iota(order.begin(), order.end(), JobIndex{0});
  PriorityRule rule = priority_rule_of_orders(batch, pool, order, order);
  for (PriorityRule::Stage* const stage : {&rule.maps, &rule.reduces}) {
    for (JobIndex job = 0; job < batch.jobs.size(); ++job) {
      stage->due[job] = *inRange(0, 200);
      if (*inRange(0, 4) == 0) stage->cap[job] = *inRange(1U, 4U);
      if (*inRange(0, 4) == 0) stage->steps[job] = {*inRange(1U, 4U), *inRange(0, 60)};
    }
  }
  return rule;
}

// As the bound makes them, each length for itself.
std::vector<WindowJob> jobs_of(const Workload& batch, SlotPool pool) {
  std::vector<WindowJob> jobs;
  for (const Job& job : batch.jobs) {
    WindowJob own;
    own.submit = static_cast<double>(to_ms(job.submit));
    double map_work = 0, reduce_work = 0, map = 0, reduce = 0;
    for (const Duration length : job.maps) {
      const auto in_ms = static_cast<double>(to_ms(length));
      own.maps.push_back({in_ms, 1});
      map_work += in_ms;
      map = std::max(map, in_ms);
    }
    for (std::size_t i = 0; i < job.reduces.size(); ++i) {
      const auto in_ms = static_cast<double>(to_ms(job.least_reduce(i)));
      own.reduces.push_back({in_ms, 1});
      reduce_work += in_ms;
      reduce = std::max(reduce, in_ms);
    }
    own.head = std::max(map, map_work / static_cast<double>(pool.map_slots));
    own.tail = std::max(reduce, reduce_work / static_cast<double>(pool.reduce_slots));
    jobs.push_back(own);
  }
  return jobs;
}

struct Schedule {
  std::vector<double> maps, all;  // ends by job

  [[nodiscard]] bool in(const std::vector<Windows>& windows) const {
    constexpr double rounding = 1e-5;
    for (std::size_t job = 0; job < all.size(); ++job) {
      const Windows& own = windows[job];
      if (maps[job] < own.maps_from - rounding || maps[job] > own.maps_to + rounding ||
          all[job] < own.from - rounding || all[job] > own.to + rounding)
        return false;
    }
    return true;
  }
  [[nodiscard]] bool breaks(const SetCut& cut, Cells cells) const {
    const std::vector<double>& ends = cut.maps ? maps : all;
    for (std::size_t job = 0; job < all.size(); ++job) {
      if ((cut.jobs >> job & 1) != 0 && ends[job] > cells.begin_of(cut.cell)) return false;
    }
    return true;
  }
};

Schedule schedule_of(const Workload& batch, const PriorityRule& rule, double slowstart) {
  PrioritySchedule schedule(batch, slowstart);
  (void)schedule.value(rule);
  return {{schedule.map_ends().begin(), schedule.map_ends().end()},
          {schedule.ends().begin(), schedule.ends().end()}};
}

// Windows around the ends of a schedule, now and then up to them.
std::vector<Windows> windows_around(const Schedule& schedule) {
  std::vector<Windows> windows;
  const auto some = [] { return *inRange(0, 3) == 0 ? 0 : *inRange(0, 150); };
  for (std::size_t job = 0; job < schedule.all.size(); ++job) {
    const double maps = schedule.maps[job], all = schedule.all[job];
    windows.push_back(
        {std::max(0.0, maps - some()), maps + some(), std::max(0.0, all - some()), all + some()});
  }
  return windows;
}

TEST(WindowDual, BoundsEverySchedule) {
  int narrowed = 0, cut = 0, moved = 0;
  holds_always(
      [&] {
        const Workload batch = some_batch(5);
        const SlotPool pool{*inRange<Count>(1, 5), *inRange<Count>(1, 5)};
        RC_PRE(PrioritySchedule::models(batch, pool) && !batch.jobs.empty());
        std::vector<WindowJob> jobs = jobs_of(batch, pool);
        const bool weighted = *inRange(0, 2) == 0;
        const double unit = *inRange(0, 2);  // ms: all times are whole
        for (WindowJob& job : jobs) {
          if (weighted) job.weight = *inRange(1, 40) / 4.0;
          if (unit > 0) job.head = std::ceil(job.head), job.tail = std::ceil(job.tail);
        }
        const double slowstart = *inRange(0, 2) == 0 ? 1.0 : *inRange(0, 20) / 20.0;
        const Schedule schedule = schedule_of(batch, some_priority_rule(batch, pool), slowstart);
        std::vector<Windows> windows = windows_around(schedule);
        RC_ASSERT(agree(jobs, windows));
        RC_ASSERT(schedule.in(windows));

        SetEnds sets(batch, pool, jobs, Stop());
        const std::vector<Windows> before = windows;
        RC_ASSERT(sets.narrow(windows));
        shrink_to_units(windows, unit);
        RC_ASSERT(agree(jobs, windows));
        RC_ASSERT(schedule.in(windows));
        for (std::size_t job = 0; job < jobs.size(); ++job)
          narrowed += windows[job].from > before[job].from + 1 ? 1 : 0;
        const Cells cells{static_cast<std::size_t>(*inRange(1, 30)), *inRange(1, 400) * 0.105, unit};
        const std::vector<SetCut> cuts = sets.cuts(cells);
        for (const SetCut& each : cuts) RC_ASSERT(!schedule.breaks(each, cells));
        cut += cuts.empty() ? 0 : 1;

        WindowDual dual(jobs, pool, cells);
        const std::vector<double> limits = dual.limits(cuts);
        const std::size_t of_cells = 3 * cells.count;
        RC_ASSERT(limits.size() == of_cells + cuts.size());
        const auto some_prices = [&] {
          std::vector<double> prices;
          const int dear = *inRange(1, 40);
          for (std::size_t i = 0; i < limits.size(); ++i)
            prices.push_back(*inRange(0, 3) == 0 ? 0 : *inRange(0, dear));
          return prices;
        };
        const std::vector<double> prices = some_prices(), others = some_prices();
        double sum = 0;
        for (std::size_t job = 0; job < jobs.size(); ++job) sum += jobs[job].weight * schedule.all[job];
        const double bound = dual.bound(prices, cuts, windows);
        RC_ASSERT(bound <= sum + 1e-6);
        // What the jobs choose costs that, and at other prices no less than what they choose then.
        const std::vector<Bundle::Linear> choices = dual.choices(cuts);
        const auto cost = [&](const std::vector<double>& at) {
          double value = -std::inner_product(at.begin(), at.end(), limits.begin(), 0.0);
          for (const Bundle::Linear& choice : choices) {
            value += choice.value;
            for (const Bundle::Use use : choice.uses) value += at[use.price] * use.use;
          }
          return value;
        };
        RC_ASSERT(std::abs(cost(prices) - bound) < 1e-6);
        RC_ASSERT(cost(others) >= dual.bound(others, cuts, windows) - 1e-6);
        // One price alone, in the narrowest windows: that of a cut, or of more than half of the slots.
        std::vector<Windows> exact;
        for (std::size_t job = 0; job < jobs.size(); ++job)
          exact.push_back({schedule.maps[job], schedule.maps[job], schedule.all[job], schedule.all[job]});
        std::vector<double> one(limits.size());
        one[*inRange<std::size_t>(2 * cells.count, limits.size())] = 100;
        RC_ASSERT(dual.bound(one, cuts, exact) <= sum + 1e-6);

        Timetable busy(jobs, pool, cells);
        const std::vector<Windows> then = windows;
        RC_ASSERT(busy.narrow(windows));
        shrink_to_units(windows, unit);
        RC_ASSERT(schedule.in(windows));
        RC_ASSERT(busy.narrow(exact));
        for (std::size_t job = 0; job < jobs.size(); ++job)
          moved +=
              windows[job].from > then[job].from + 1 || windows[job].maps_to < then[job].maps_to - 1 ? 1 : 0;
        RC_ASSERT(dual.bound(prices, cuts, windows) <= sum + 1e-6);
        RC_ASSERT(dual.narrow(windows, sum + 1e-3));
        RC_ASSERT(schedule.in(windows));
      },
      3'000);
  EXPECT_GT(narrowed, 0);
  EXPECT_GT(cut, 0);
  EXPECT_GT(moved, 0);
}

// Four slots: three of them busy from 40 to 60 in any case, as three reduces of 60 run between 0 and 100.
TEST(Timetable, LeaveOthersWhatIsFree) {
  const WindowJob three{{}, {{60, 3}}, 0, 0, 60}, two{{}, {{30, 2}}, 0, 0, 30};
  const std::vector<WindowJob> jobs = {three, two};
  Timetable busy(jobs, {4, 4}, {20, 10});
  std::vector<Windows> windows = {{0, 40, 60, 100}, {20, 70, 50, 100}};
  ASSERT_TRUE(busy.narrow(windows));
  // The one slot left takes one from 20 to 50; the other starts at 50, or where three are free again, at 60.
  EXPECT_DOUBLE_EQ(windows[1].from, 80);
  EXPECT_DOUBLE_EQ(windows[1].maps_to, 70);
  EXPECT_DOUBLE_EQ(windows[0].from, 60);
  windows = {{0, 40, 60, 100}, {20, 70, 50, 75}};
  EXPECT_FALSE(busy.narrow(windows));
  windows = {{0, 40, 60, 100}, {0, 70, 50, 80}};  // one from 50 to 80, one from 20 to 50
  ASSERT_TRUE(busy.narrow(windows));
  EXPECT_DOUBLE_EQ(windows[1].maps_to, 20);
}

// Borders of cells that are no exact numbers: 85 · 0.315 lies a bit below the border, and what is busy until
// then is over.
TEST(Timetable, EndAtTheBordersOfTheirCells) {
  const WindowJob busy_one{{}, {{38, 1}}, 42, 0, 38}, other{{}, {{2, 1}}, 0, 0, 2};
  const std::vector<WindowJob> jobs = {busy_one, other};
  const Cells cells{240, 0.315};
  Timetable busy(jobs, {1, 1}, cells);
  std::vector<Windows> windows = {{42, 42.1, 80, 80.1}, {0, 47, 2, 49}};
  ASSERT_TRUE(busy.narrow(windows));
  EXPECT_NEAR(windows[1].maps_to, 40.1, cells.width);
}

// Two busy for the same instants: six slots of four and four.
TEST(Timetable, RefuseMoreThanThereAre) {
  const WindowJob four{{{50, 4}}, {{10, 1}}, 0, 50, 10};
  const std::vector<WindowJob> jobs = {four, four};
  Timetable busy(jobs, {6, 6}, {30, 5});
  std::vector<Windows> windows = {{50, 60, 60, 200}, {50, 60, 60, 200}};
  EXPECT_FALSE(busy.narrow(windows));
  windows[1].maps_to = 150;
  ASSERT_TRUE(busy.narrow(windows));
  EXPECT_DOUBLE_EQ(windows[1].maps_from, 100);  // two of them from 0 on, two after those
}

Duration best_of_orders(const Workload& batch, SlotPool pool) {
  PrioritySchedule schedule(batch, 1);
  std::vector<JobIndex> maps(batch.jobs.size());
  std::iota(maps.begin(), maps.end(), JobIndex{0});
  Duration best = Duration::max();
  do {
    std::vector<JobIndex> reduces = maps;
    std::sort(reduces.begin(), reduces.end());
    do {
      best = std::min(best,
                      schedule.value(priority_rule_of_orders(batch, pool, maps, reduces)).total_completion);
    } while (std::next_permutation(reduces.begin(), reduces.end()));
  } while (std::next_permutation(maps.begin(), maps.end()));
  return best;
}

// Given a plan's value that is worse than the best.
TEST(WindowBound, IsNoMoreThanTheBestOfEveryPairOfOrders) {
  int raised = 0;
  holds_always(
      [&] {
        Workload batch = some_batch(4);
        const Workload more = small_batch(2);
        for (JobIndex job = 0; batch.jobs.size() < 2; ++job) batch.jobs.push_back(more.jobs[job]);
        const SlotPool pool{*inRange<Count>(1, 4), *inRange<Count>(1, 4)};
        RC_PRE(PrioritySchedule::models(batch, pool));
        const Duration best = best_of_orders(batch, pool);
        const Duration worse = best + ms(*inRange(0, 3) == 0 ? 0 : *inRange(1, 100));
        const Duration known = lower_bound(batch, pool, Objective::total_completion);
        const Duration bound =
            time_window_bound(batch, pool, known, worse, ms(*inRange(20, 300)), 2e7, Stop());
        RC_ASSERT(bound >= known);
        RC_ASSERT(bound <= best);
        raised += bound > known ? 1 : 0;
      },
      250);
  EXPECT_GT(raised, 5);
}

Workload six_jobs() {
  struct Alike {
    std::size_t maps;
    int map;
    std::size_t reduces;
    int reduce;
  };
  Workload batch;
  for (const Alike& of : {Alike{6, 49, 3, 41}, Alike{9, 128, 4, 15}, Alike{2, 108, 5, 212},
                          Alike{1, 2, 3, 50}, Alike{10, 43, 1, 38}, Alike{2, 146, 4, 159}}) {
    Job job;
    job.id = fmt::format("J{}", batch.jobs.size());
    job.maps.assign(of.maps, ms(of.map));
    job.reduces.assign(of.reduces, ms(of.reduce));
    batch.jobs.push_back(job);
  }
  return batch;
}

TEST(WindowBound, RisesWithItsNodesAndIsTheSameAgain) {
  const Workload batch = six_jobs();
  const SlotPool pool{7, 7};
  const Duration known = lower_bound(batch, pool, Objective::total_completion);
  const Duration value = best_of_orders(batch, pool);
  const auto bound = [&](double multiplications, const Stop& stop = Stop()) {
    return time_window_bound(batch, pool, known, value, ms(900), multiplications, stop);
  };
  const Duration root = bound(6e7), some = bound(1e9);
  EXPECT_GT(root, known);
  EXPECT_GT(some, root);
  EXPECT_LE(some, value);
  // Half a minute under the sanitizers, where the fewer nodes have to do.
  EXPECT_EQ(under_sanitizers ? root : some, bound(under_sanitizers ? 6e7 : 1e9));
  EXPECT_EQ(bound(1e9, Stop(std::chrono::nanoseconds(0))), known);
}

// A flow shop of one slot each, where the best order is the best of all schedules.
TEST(WindowBound, ProvesTheBestOfAFlowShop) {
  Workload batch = small_batch(5);
  for (Job& job : batch.jobs) job.maps.resize(1), job.reduces.resize(1);
  const SlotPool pool{1, 1};
  const Duration known = ms(1), value = best_of_orders(batch, pool);
  EXPECT_EQ(time_window_bound(batch, pool, known, value, ms(300), 3e9, Stop()), value);
}

TEST(WindowBound, IsForAFewJobsOfWhichNoneWaits) {
  EXPECT_FALSE(has_time_window_bound(small_batch(1)));
  EXPECT_TRUE(has_time_window_bound(small_batch(10)));
  EXPECT_FALSE(has_time_window_bound(small_batch(11)));
  Workload batch = small_batch(3);
  batch.jobs[1].after = {"J0"};
  EXPECT_FALSE(has_time_window_bound(batch));
  EXPECT_EQ(time_window_bound(batch, {2, 2}, ms(7), ms(1'000), ms(500), 1e6, Stop()), ms(7));
}

}  // namespace
}  // namespace wavewright
