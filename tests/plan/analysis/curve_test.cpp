// Makespan over the number of slots.
#include "wavewright/plan/analysis/curve.h"

#include "tests/plan/analysis/some_plan.h"
#include "tests/plan/small_batch.h"
#include "tests/property.h"
#include "wavewright/core/error.h"
#include "wavewright/plan/analysis/slot_range.h"
#include "wavewright/plan/bounds/lower_bound.h"
#include "wavewright/sched/plan_check.h"
#include "wavewright/sched/plan_file.h"
#include "wavewright/sched/policies/plan_policy.h"
#include "wavewright/sim/simulate.h"

namespace wavewright {
namespace {

const auto quiet = [](std::size_t) {};

std::vector<CurvePool> pools_of(const SlotRange& range, SlotPool like) {
  std::vector<CurvePool> pools;
  for (const Count count : range.counts()) pools.push_back({count, pool_at(range.axis, like, count)});
  return pools;
}

CurveProblem problem_of(const Workload& batch, Objective objective) {
  CurveProblem problem{shared(batch), objective};
  problem.evaluations = 30;
  return problem;
}

TEST(MakespanCurve, NeverRisesAndEachPointIsAPlanThatGivesItsValue) {
  holds_always(
      [] {
        const Workload batch = worlds::some_workload();
        const auto objective = *rc::gen::element(Objective::makespan, Objective::total_completion);
        const SlotAxis axis = *rc::gen::element(SlotAxis::slots, SlotAxis::map_slots, SlotAxis::reduce_slots);
        CurveProblem problem = problem_of(batch, objective);
        problem.slowstart = *rc::gen::element(1.0, 0.3);
        if (*rc::gen::arbitrary<bool>()) problem.method = *rc::gen::element<std::string>("spt", "random");
        const SlotRange range{axis, 2, 9, 1};
        const MakespanCurve curve = makespan_curve(problem, pools_of(range, {2, 3}), quiet, {});
        RC_ASSERT(curve.points.size() == 8U);
        RC_ASSERT(!curve.partial);
        for (std::size_t i = 0; i < curve.points.size(); ++i) {
          const CurvePoint& point = curve.points[i];
          check_plan(point.plan, batch, point.pool, "curve");
          const auto policy = make_plan_policy(point.plan, point.pool);
          const SimulationResult result = simulate(batch, *policy, {point.pool, problem.slowstart, false});
          RC_ASSERT(result.makespan == point.plan.makespan);
          RC_ASSERT(result.total_completion == point.plan.total_completion);
          RC_ASSERT(point.plan.lower_bound >= lower_bound(batch, point.pool, objective));
          RC_ASSERT(point.plan.lower_bound <= point.plan.value());
          RC_ASSERT(point.plan.proved_optimal == (point.plan.lower_bound == point.plan.value()));
          SlotPool used;
          for (const PlanPool& pool : point.plan.pools) {
            used.map_slots += pool.slots.map_slots;
            used.reduce_slots += pool.slots.reduce_slots;
          }
          RC_ASSERT(used.map_slots + point.idle.map_slots == point.pool.map_slots);
          RC_ASSERT(used.reduce_slots + point.idle.reduce_slots == point.pool.reduce_slots);
          if (i == 0) continue;
          RC_ASSERT(point.plan.value() <= curve.points[i - 1].plan.value());
          RC_ASSERT(point.plan.lower_bound <= curve.points[i - 1].plan.lower_bound);
        }
      },
      60);
}

TEST(MakespanCurve, IsTheSameAgain) {
  const Workload batch = small_batch(9);
  const CurveProblem problem = problem_of(batch, Objective::makespan);
  const std::vector<CurvePool> pools = pools_of({SlotAxis::slots, 2, 14, 1}, {1, 1});
  const MakespanCurve once = makespan_curve(problem, pools, quiet, {}),
                      again = makespan_curve(problem, pools, quiet, {});
  ASSERT_EQ(once.points.size(), again.points.size());
  for (std::size_t i = 0; i < once.points.size(); ++i)
    EXPECT_EQ(once.points[i].plan.order, again.points[i].plan.order);
}

// [Graham 1969]: a list's makespan can grow with the pool. Here Johnson's order is asked for by name.
TEST(MakespanCurve, LeavesSlotsIdleWhereAMethodDoesWorse) {
  int idle = 0;
  holds_always(
      [&] {
        const Workload batch = worlds::some_workload();
        CurveProblem problem = problem_of(batch, Objective::total_completion);
        problem.method = "random";
        const MakespanCurve curve =
            makespan_curve(problem, pools_of({SlotAxis::map_slots, 1, 6, 1}, {0, 2}), quiet, {});
        for (const CurvePoint& point : curve.points) {
          idle += point.idle.map_slots > 0 ? 1 : 0;
          RC_ASSERT(point.plan.pools.front().slots.map_slots + point.idle.map_slots == point.pool.map_slots);
        }
      },
      300);
  EXPECT_GT(idle, 0);
}

TEST(MakespanCurve, WithoutTimeItHasItsFirstPoint) {
  const Workload batch = small_batch(5);
  const MakespanCurve curve =
      makespan_curve(problem_of(batch, Objective::makespan), pools_of({SlotAxis::slots, 2, 9, 1}, {1, 1}),
                     quiet, Stop(std::chrono::nanoseconds(0)));
  EXPECT_TRUE(curve.partial);
  ASSERT_EQ(curve.points.size(), 1U);
  EXPECT_EQ(curve.points[0].count, 2);
  EXPECT_GE(curve.points[0].plan.makespan, curve.points[0].plan.lower_bound);
}

TEST(MakespanCurve, StoppedAtOnceItHasNoPointsAndSaysSo) {
  const std::atomic<bool> stopped{true};
  const Workload batch = small_batch(5);
  const MakespanCurve curve =
      makespan_curve(problem_of(batch, Objective::makespan), pools_of({SlotAxis::slots, 2, 9, 1}, {1, 1}),
                     quiet, Stop(std::nullopt, &stopped));
  EXPECT_TRUE(curve.partial);
  EXPECT_TRUE(curve.points.empty());
}

TEST(Knee, IsThePointFarthestBelowTheChord) {
  // 1/x: the chord from (1, 12) to (12, 1) has slope −1; 12/x has it at √12 = 3.46.
  std::vector<std::pair<double, double>> points;
  for (int x = 1; x <= 12; ++x) points.emplace_back(x, 12.0 / x);
  EXPECT_EQ(knee_of(points),
            2U);  // of x = 3: 9 − 3 − 4 = … below 13 − x by 6; x = 4 the same, the first counts
  EXPECT_EQ(knee_of({{1, 10}, {2, 3}, {3, 2}, {4, 1}}), 1U);
  EXPECT_EQ(knee_of({{1, 10}, {2, 9}, {3, 8}}), std::nullopt);    // a line
  EXPECT_EQ(knee_of({{1, 10}, {2, 9.9}, {3, 8}}), std::nullopt);  // above it
  EXPECT_EQ(knee_of({{1, 10}, {2, 10}, {3, 10}}), std::nullopt);  // flat
  EXPECT_EQ(knee_of({{1, 10}, {2, 5}}), std::nullopt);
  EXPECT_EQ(knee_of({}), std::nullopt);
}

TEST(SlotRange, IsRead) {
  const SlotRange range = parse_slot_range("map-slots=20..31:5");
  EXPECT_EQ(range.axis, SlotAxis::map_slots);
  EXPECT_EQ(range.counts(), (std::vector<Count>{20, 25, 30, 31}));
  EXPECT_EQ(parse_slot_range("slots=20..200").counts().size(), 37U);  // steps of 5
  EXPECT_EQ(parse_slot_range("slots=20..200").step, 5);
  EXPECT_EQ(parse_slot_range("reduce-slots=1..1").counts(), std::vector<Count>{1});
  EXPECT_EQ(parse_slot_range("slots=2..41").counts().size(), 40U);
}

TEST(SlotRange, WithoutAStepHasFewPoints) {
  holds_always([] {
    const auto from = *rc::gen::inRange<Count>(2, 5000), to = from + *rc::gen::inRange<Count>(0, 100'000);
    const std::vector<Count> counts = parse_slot_range(fmt::format("slots={}..{}", from, to)).counts();
    RC_ASSERT(counts.size() <= usual_curve_points);
    RC_ASSERT(counts.front() == from && counts.back() == to);
    RC_ASSERT(to - from < 39 || counts.size() > 20);
    for (std::size_t i = 1; i < counts.size(); ++i) RC_ASSERT(counts[i] > counts[i - 1]);
  });
}

TEST(SlotRange, RefusesWhatIsNone) {
  for (const char* const text : {"",
                                 "slots",
                                 "slots=",
                                 "slots=20",
                                 "slots=20..",
                                 "slots=..20",
                                 "20..200",
                                 "slot=20..200",
                                 "slots=200..20",
                                 "slots=0..5",
                                 "slots=1..5",
                                 "map-slots=0..5",
                                 "slots=-5..5",
                                 "slots=2..1e3",
                                 "slots=2..9:0",
                                 "slots=2..9:",
                                 "slots=2..9:-1",
                                 "slots=2..99999999999999999999",
                                 "slots=2..20000000",
                                 "slots=2..9999:1",
                                 "slots=2..9 ",
                                 "slots=a..b",
                                 "slots=2...9",
                                 "..=slots"}) {
    EXPECT_THROW((void)parse_slot_range(text), UsageError) << text;
  }
}

TEST(PoolLike, KeepsTheProportionAndNeverShrinksAKind) {
  holds_always([] {
    const SlotPool like{*rc::gen::inRange<Count>(1, 50), *rc::gen::inRange<Count>(1, 50)};
    SlotPool before;
    for (Count count = 2; count < 120; ++count) {
      const SlotPool pool = pool_like(like, count);
      RC_ASSERT(pool.map_slots + pool.reduce_slots == count);
      RC_ASSERT(pool.map_slots >= 1 && pool.reduce_slots >= 1);
      RC_ASSERT(pool.map_slots >= before.map_slots && pool.reduce_slots >= before.reduce_slots);
      const double exact = static_cast<double>(count * like.map_slots) /
                           static_cast<double>(like.map_slots + like.reduce_slots);
      RC_ASSERT(std::abs(static_cast<double>(pool.map_slots) - exact) <= 1.0);
      before = pool;
    }
    RC_ASSERT(pool_like({0, 3}, 7).reduce_slots == 7);
  });
}

}  // namespace
}  // namespace wavewright
