// Powers that are known come back from drawn samples, and the intervals hold them as often as they say.
#include "wavewright/energy/fit/power_fit.h"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>

#include "tests/property.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/error.h"
#include "wavewright/core/random.h"
#include "wavewright/energy/fit/busy_time.h"

namespace wavewright {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<RegressionRow> rows_of(const std::vector<std::pair<std::vector<double>, double>>& points) {
  std::vector<RegressionRow> rows;
  for (const auto& [x, y] : points) rows.push_back({x, y, 1, 0});
  return rows;
}

TEST(LeastSquares, FindsTheLineThroughPoints) {
  // y = 3 + 2x with errors 1, -2, 1: their sum and their product with x are 0, so the line stays.
  const auto fit = fit_not_negative(rows_of({{{1, 0}, 4}, {{1, 1}, 3}, {{1, 2}, 8}, {{1, 1}, 5}}));
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->coefficients[0].value, 3, 1e-12);
  EXPECT_NEAR(fit->coefficients[1].value, 2, 1e-12);
  // Squared error 1 + 4 + 1 + 0 over 2 degrees of freedom; about the mean of 5: 1 + 4 + 9 + 0.
  EXPECT_NEAR(fit->deviation, std::sqrt(3), 1e-12);
  EXPECT_NEAR(fit->r_squared, 1 - 6.0 / 14, 1e-12);
}

TEST(LeastSquares, IntervalsAreThoseOfTheTextbook) {
  // x = 0..4 four times over; errors ±1 that sum up to nothing with 1 and x. Slope's error: s/√Σ(x − 2)².
  std::vector<std::pair<std::vector<double>, double>> points;
  for (const double error : {1.0, -1.0, -1.0, 1.0})
    for (int x = 0; x < 5; ++x) points.push_back({{1, double(x)}, 10 + 4 * x + error});
  std::vector<RegressionRow> rows = rows_of(points);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].series = i;  // no neighbours
  const auto fit = fit_not_negative(rows);
  ASSERT_TRUE(fit);
  const double deviation = std::sqrt(20.0 / 18), error = deviation / std::sqrt(40);
  EXPECT_NEAR(fit->coefficients[1].error, error, 1e-12);
  EXPECT_NEAR(fit->coefficients[1].high - 4, 2.1009 * error, 1e-4) << "Student's t with 18 degrees";
  EXPECT_EQ(fit->correlation, 0);
  EXPECT_NEAR(fit->effective, 20, 1e-12);
}

TEST(LeastSquares, WeightsCountAsRepeatedRows) {
  std::vector<RegressionRow> weighted = rows_of({{{1, 0}, 4}, {{1, 1}, 3}, {{1, 2}, 9}, {{1, 3}, 9}});
  std::vector<RegressionRow> repeated = weighted;
  weighted[2].weight = 3;
  repeated.push_back(repeated[2]);
  repeated.push_back(repeated[2]);
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_NEAR(fit_not_negative(weighted)->coefficients[i].value,
                fit_not_negative(repeated)->coefficients[i].value, 1e-12);
}

TEST(LeastSquares, NeighboursThatErrAlikeWidenTheIntervals) {
  const auto with_errors = [](const std::vector<double>& errors) {
    std::vector<std::pair<std::vector<double>, double>> points;
    for (std::size_t i = 0; i < 40; ++i)
      points.push_back({{1, double(i % 5)}, 50 + double(i % 5) + errors[i % errors.size()]});
    return *fit_not_negative(rows_of(points));
  };
  std::vector<double> slow, fast;
  for (int i = 0; i < 20; ++i) {
    slow.push_back(i < 10 ? 1 : -1);
    fast.push_back(i % 2 == 0 ? 1 : -1);
  }
  EXPECT_GT(with_errors(slow).correlation, 0.7);
  EXPECT_LT(with_errors(slow).effective, 8);
  EXPECT_EQ(with_errors(fast).correlation, 0) << "errors that alternate do not narrow them";
  EXPECT_GT(with_errors(slow).coefficients[1].error, 2 * with_errors(fast).coefficients[1].error);
}

TEST(LeastSquares, ColumnsThatFollowFromOthersAreFound) {
  const auto rows = rows_of({{{1, 2, 3, 0}, 1},
                             {{1, 3, 4, 0}, 2},
                             {{1, 5, 6, 0}, 2},
                             {{1, 5, 6, 0}, 3},
                             {{1, 1, 2, 0}, 3},
                             {{1, 0, 1, 0}, 3}});
  EXPECT_THAT(dependent_columns(rows), ElementsAre(2, 3));
  EXPECT_EQ(fit_not_negative(rows), std::nullopt);
  EXPECT_EQ(fit_not_negative(rows_of({{{1, 0}, 1}, {{1, 1}, 2}, {{1, 2}, 2}})), std::nullopt)
      << "no freedom for an error";
  EXPECT_EQ(fit_not_negative({}), std::nullopt);
}

// Against the best of all subsets of columns whose own least squares are not negative.
double squared_error(const std::vector<RegressionRow>& rows, const std::vector<double>& c) {
  double sum = 0;
  for (const RegressionRow& row : rows) {
    double error = row.y;
    for (std::size_t i = 0; i < c.size(); ++i) error -= row.x[i] * c[i];
    sum += row.weight * error * error;
  }
  return sum;
}

// By gradient steps on one coefficient at a time, cut off at 0: slow, and sure to end at the optimum.
std::vector<double> by_coordinates(const std::vector<RegressionRow>& rows) {
  std::vector<double> c(rows.front().x.size(), 0);
  for (int round = 0; round < 20'000; ++round) {
    for (std::size_t i = 0; i < c.size(); ++i) {
      double slope = 0, square = 0;
      for (const RegressionRow& row : rows) {
        double error = row.y;
        for (std::size_t k = 0; k < c.size(); ++k) error -= row.x[k] * c[k];
        slope += row.weight * row.x[i] * error;
        square += row.weight * row.x[i] * row.x[i];
      }
      c[i] = std::max(0.0, c[i] + slope / square);
    }
  }
  return c;
}

TEST(LeastSquares, CoefficientsAreTheBestThatAreNotNegative) {
  int at_zero = 0;
  holds_always(
      [&] {
        Random random(*rc::gen::arbitrary<std::uint64_t>(), "rows");
        const int width = *rc::gen::inRange(1, 5);
        std::vector<RegressionRow> rows;
        for (int i = 0; i < 12; ++i) {
          RegressionRow row{{1}, random.uniform(-1, 3), random.uniform(0.5, 2), 0};
          for (int k = 1; k < width; ++k) row.x.push_back(random.uniform(0, 3));
          rows.push_back(row);
        }
        const auto fit = fit_not_negative(rows);
        RC_ASSERT(fit.has_value());
        std::vector<double> found;
        for (const Estimate& each : fit->coefficients) found.push_back(each.value);
        for (const double each : found) RC_ASSERT(each >= 0);
        const std::vector<double> slow = by_coordinates(rows);
        RC_ASSERT(squared_error(rows, found) <= squared_error(rows, slow) * (1 + 1e-9) + 1e-12);
        at_zero += static_cast<int>(std::count(found.begin(), found.end(), 0.0));
      },
      60);
  EXPECT_GT(at_zero, rare(20));
}

TEST(BusyTime, IsTheIntegralOfRunningTasks) {
  const BusyTime busy({{at_ms(10), at_ms(20)}, {at_ms(15), at_ms(30)}, {at_ms(40), at_ms(40)}});
  EXPECT_EQ(busy.within(at_ms(0), at_ms(100)), 25);
  EXPECT_EQ(busy.within(at_ms(12), at_ms(18)), 6 + 3);
  EXPECT_EQ(busy.within(at_ms(30), at_ms(40)), 0);
  EXPECT_EQ(BusyTime({}).within(at_ms(0), at_ms(9)), 0);
}

TEST(BusyTime, EqualsACountMsByMs) {
  holds_always([] {
    std::vector<std::pair<Time, Time>> tasks;
    for (int i = *rc::gen::inRange(0, 8); i > 0; --i) {
      const Time start = at_ms(*rc::gen::inRange(0, 30));
      tasks.emplace_back(start, start + ms(*rc::gen::inRange(-2, 12)));
    }
    const int from = *rc::gen::inRange(0, 40), to = from + *rc::gen::inRange(0, 40);
    std::int64_t sum = 0;
    for (int t = from; t < to; ++t)
      for (const auto& [start, end] : tasks) sum += start <= at_ms(t) && at_ms(t) < end ? 1 : 0;
    RC_ASSERT(BusyTime(tasks).within(at_ms(from), at_ms(to)) == sum);
  });
}

// A cluster of known powers: runs of jobs on its nodes, and the series that meters of it would give.
struct World {
  double idle = 0, map = 0, reduce = 0;
  double slow_map = 0;  // of the job `slow`
};
constexpr World cpu{180, 12, 7, 20}, gpu{95, 30, 9, 16};

class Drawn {
 public:
  Drawn(std::uint64_t seed, double noise, double alike)
      : random_(seed, "energy"), noise_(noise), alike_(alike) {}

  void node(const std::string& name, const World& of, double speed) {
    JobRun fast = run("fast"), slow = run("slow");
    std::vector<std::pair<std::int64_t, double>> steps;  // ms, change in W
    for (std::int64_t at = 20'000; at < length - 60'000; at += random_.integer(4'000, 40'000)) {
      const bool is_slow = random_.below(2) == 0, reduce = random_.below(4) == 0;
      const auto task =
          static_cast<std::int64_t>(static_cast<double>(random_.integer(5'000, 40'000)) / speed);
      add(is_slow ? slow : fast, name, reduce, at, at + task);
      const double power = reduce ? of.reduce : is_slow ? of.slow_map : of.map;
      steps.emplace_back(at, power);
      steps.emplace_back(at + task, -power);
    }
    intervals_.add(fast);
    intervals_.add(slow);
    std::sort(steps.begin(), steps.end());
    measure(name, of.idle, steps);
  }

  [[nodiscard]] std::vector<ClassPowers> fit(Duration bin = ms(5000)) const {
    const NodeEnergies energies = energy_by_node(series_);
    return fit_powers(energies.nodes, intervals_, {{{"cpu", {"c1", "c2"}}, {"gpu", {"g1"}}}, bin});
  }
  [[nodiscard]] const std::vector<SourceSeries>& series() const { return series_; }

 private:
  static constexpr std::int64_t length = 900'000;  // ms

  static JobRun run(const std::string& name) {
    JobRun run;
    run.name = name;
    return run;
  }
  static void add(JobRun& run, const std::string& node, bool reduce, std::int64_t from, std::int64_t to) {
    Attempt attempt;
    attempt.id = "a";
    attempt.state = AttemptState::succeeded;
    attempt.start = at_ms(from);
    attempt.finish = at_ms(to);
    attempt.node = node;
    TaskRun task;
    task.kind = reduce ? TaskKind::reduce : TaskKind::map;
    task.state = AttemptState::succeeded;
    task.successful_attempt = "a";
    task.attempts = {attempt};
    run.tasks.push_back(task);
  }

  // A counter of 61 kJ that wraps, read each second; one reading in thirty is dropped.
  void measure(const std::string& name, double idle,
               const std::vector<std::pair<std::int64_t, double>>& steps) {
    constexpr std::int64_t range = 61'000'000'000;
    SourceSeries of{name, {"rapl/package-0", MeterUnit::energy, range}, {{at_ms(0), 60'900'000'000}}};
    double power = idle, error = 0, energy = 60.9e9;
    std::size_t next = 0;
    std::int64_t at = 0;
    for (std::int64_t second = 1000; second <= length; second += 1000) {
      for (; next < steps.size() && steps[next].first <= second; ++next) {
        energy += power * 1000 * static_cast<double>(steps[next].first - at);
        at = steps[next].first;
        power += steps[next].second;
      }
      energy += power * 1000 * static_cast<double>(second - at);
      at = second;
      error = alike_ * error + random_.normal(0, noise_);
      energy += error * 1e6;
      if (random_.below(30) != 0)
        of.readings.push_back({at_ms(second), static_cast<std::int64_t>(energy) % range});
    }
    series_.push_back(of);
  }

  Random random_;
  double noise_, alike_;
  TaskIntervals intervals_;
  std::vector<SourceSeries> series_;
};

Drawn drawn(std::uint64_t seed, double noise, double alike) {
  Drawn world(seed, noise, alike);
  world.node("c1", cpu, 1);
  world.node("c2", cpu, 1);
  world.node("g1", gpu, 4);
  return world;
}

TEST(PowerFit, WithoutNoiseThePowersComeBack) {
  const Drawn world = drawn(3, 0, 0);
  EXPECT_GT(spans_of(world.series()[0]).found.wraps, 1);
  EXPECT_GT(spans_of(world.series()[0]).found.dropped, 10);
  const auto classes = world.fit();
  ASSERT_EQ(classes.size(), 2U);
  EXPECT_EQ(classes[0].name, "cpu");
  EXPECT_THAT(classes[0].nodes, ElementsAre("c1", "c2"));
  EXPECT_NEAR(classes[0].idle_w.value, cpu.idle, 1) << "maps of two powers under one";
  EXPECT_NEAR(classes[0].reduce_w->value, cpu.reduce, 1);
  EXPECT_EQ(classes[0].master_w, std::nullopt);
  for (const std::size_t c : {0U, 1U}) {
    const World& of = c == 0 ? cpu : gpu;
    ASSERT_EQ(classes[c].jobs.size(), 2U);
    EXPECT_EQ(classes[c].jobs[0].job, "fast");
    EXPECT_NEAR(classes[c].jobs[0].map_w.value, of.map, 1e-3);
    EXPECT_NEAR(classes[c].jobs[1].map_w.value, of.slow_map, 1e-3);
  }
  const JobOnClass &there = classes[1].jobs[0], &here = classes[0].jobs[0];
  EXPECT_EQ(here.energy_factor, std::nullopt);
  EXPECT_NEAR(there.energy_factor->value, cpu.map * here.mean_map_ms / (gpu.map * there.mean_map_ms), 1e-3);
  EXPECT_NEAR(there.speed, here.mean_map_ms / there.mean_map_ms, 1e-12);
}

// How often the intervals hold what is true, of 95 in 100.
struct Held {
  int held = 0, all = 0;
  void look(const Estimate& of, double truth) {
    held += of.low <= truth && truth <= of.high ? 1 : 0;
    ++all;
  }
  [[nodiscard]] double share() const { return double(held) / double(all); }
};

std::array<Held, 3> held(double noise, double alike) {
  std::array<Held, 3> of;  // idle, maps, factors
  for (int seed = 0; seed < sized(200); ++seed) {
    const auto classes = drawn(1000 + static_cast<std::uint64_t>(seed), noise, alike).fit();
    for (const std::size_t c : {0U, 1U}) {
      const World& world = c == 0 ? cpu : gpu;
      of[1].look(classes[c].jobs[0].map_w, world.map);
      of[1].look(classes[c].jobs[1].map_w, world.slow_map);
    }
    of[0].look(*classes[0].reduce_w, cpu.reduce);
    const JobOnClass &here = classes[0].jobs[0], &there = classes[1].jobs[0];
    if (there.energy_factor)
      of[2].look(*there.energy_factor, cpu.map * here.mean_map_ms / (gpu.map * there.mean_map_ms));
  }
  return of;
}

TEST(PowerFit, IntervalsHoldTheTruthAsOftenAsTheySay) {
  const auto of = held(8, 0);
  EXPECT_GT(of[1].all, 4 * sized(200) - 1);
  // Of 800 (200) intervals, 95 % are within ±2.3 % (±4.6 %) in 997 of 1,000 tests.
  EXPECT_NEAR(of[1].share(), 0.95, sized(200) == 200 ? 0.03 : 0.06);
  EXPECT_NEAR(of[2].share(), 0.95, sized(200) == 200 ? 0.05 : 0.1);
  EXPECT_GT(of[2].all, sized(200) / 2);
}

TEST(PowerFit, AlsoWhereNeighboursErrAlike) {
  const auto of = held(5, 0.9);
  EXPECT_GE(of[1].share(), 0.92);
  EXPECT_GE(of[2].share(), 0.92);
}

TEST(PowerFit, TheBlockFitsIntoAClusterFile) {
  const ClassPowers powers = drawn(5, 3, 0).fit()[1];
  const Cluster cluster =
      parse_cluster(class_block(powers) + "[[nodes]]\nclass = \"gpu\"\nmap_slots = 1\n", "block");
  EXPECT_NEAR(*cluster.classes.at("gpu").idle_w, powers.idle_w.value, 0.0005);
  EXPECT_NEAR(*cluster.classes.at("gpu").map_w, powers.map_w->value, 0.0005);
  EXPECT_NEAR(*cluster.classes.at("gpu").reduce_w, powers.reduce_w->value, 0.0005);
}

template <class Work>
std::string refusal(Work work) {
  try {
    static_cast<void>(work());
  } catch (const Infeasible& error) {
    return error.what();
  }
  return "accepted";
}

NodeEnergy energy_of(const std::string& node, std::int64_t seconds) {
  NodeEnergy of{node, {"plug/node"}, {}};
  for (std::int64_t s = 0; s < seconds; ++s)
    of.spans.push_back({at_ms(1000 * s), at_ms(1000 * (s + 1)), 100'000'000 + s % 3});
  return of;
}

JobRun one_task(const std::string& node, std::int64_t from, std::int64_t to) {
  Attempt attempt;
  attempt.start = at_ms(from);
  attempt.finish = at_ms(to);
  attempt.node = node;
  TaskRun task;
  task.attempts = {attempt};
  JobRun run;
  run.tasks = {task};
  return run;
}

TEST(PowerFit, SaysWhatIsMissing) {
  TaskIntervals none, elsewhere, always;
  elsewhere.add(one_task("node9", 0, 100'000));
  always.add(one_task("node3", -5, 200'000));
  const auto fit = [](const TaskIntervals& tasks, std::int64_t seconds) {
    return refusal([&] { return fit_powers({energy_of("node3", seconds)}, tasks, {}); });
  };
  EXPECT_THAT(fit(none, 100), HasSubstr("no task ran while the samples were taken"));
  EXPECT_THAT(fit(elsewhere, 100), HasSubstr("no task ran on node3, but on node9"));
  EXPECT_THAT(fit(always, 100),
              AllOf(HasSubstr("what maps draw cannot be told apart"), HasSubstr("node is idle")));
  EXPECT_THAT(fit(always, 0), HasSubstr("no node has usable samples"));
  TaskIntervals some;
  some.add(one_task("node3", 0, 7000));
  EXPECT_THAT(fit(some, 15), HasSubstr("3 bins are too few for 2 powers"));
}

TEST(TaskIntervals, FindsANodeByItsShortName) {
  TaskIntervals tasks;
  tasks.add(one_task("node3.example.org", 0, 1));
  tasks.add(one_task("NODE4", 0, 1));
  tasks.add(one_task("127.0.0.2", 0, 1));
  tasks.add(one_task("node5.a.org", 0, 1));
  tasks.add(one_task("node5.b.org", 0, 1));
  EXPECT_NE(tasks.on("node3"), nullptr);
  EXPECT_NE(tasks.on("node4.example.org"), nullptr);
  EXPECT_NE(tasks.on("127.0.0.2"), nullptr);
  EXPECT_EQ(tasks.on("127.0.0.3"), nullptr);
  EXPECT_EQ(tasks.on("node5"), nullptr) << "two of them";
  EXPECT_NE(tasks.on("node5.b.org"), nullptr);
  EXPECT_EQ(tasks.on("node"), nullptr);
}

TEST(TaskIntervals, TakesAttemptsThatFailedAndMasters) {
  JobRun run = one_task("n", 5, 9);
  run.tasks[0].attempts[0].state = AttemptState::failed;
  run.tasks[0].attempts.push_back({});  // without anything
  run.tasks.push_back(run.tasks[0]);
  run.tasks.back().kind = TaskKind::setup;
  run.finish = at_ms(20);
  run.masters = {{1, at_ms(3), "m"}, {2, std::nullopt, "m"}, {3, at_ms(20), "m"}};
  TaskIntervals tasks;
  tasks.add(run);
  EXPECT_EQ(tasks.on("n")->tasks.size(), 1U);
  EXPECT_FALSE(tasks.on("n")->tasks[0].done);
  EXPECT_EQ(tasks.left_out(), 1);
  EXPECT_THAT(tasks.on("m")->masters, ElementsAre(std::pair(at_ms(3), at_ms(20))));
}

}  // namespace
}  // namespace wavewright
