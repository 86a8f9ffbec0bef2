// Power curves that are known come back from drawn samples, and the intervals hold them as often as they say.
#include "wavewright/energy/fit/curve_fit.h"

#include <algorithm>

#include <gmock/gmock.h>

#include "tests/property.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/cluster/power.h"
#include "wavewright/core/error.h"
#include "wavewright/core/random.h"
#include "wavewright/energy/fit/busy_time.h"

namespace wavewright {
namespace {

const std::vector<double> truth{50, 90, 84, 120};  // W with 0, 1, 2 and 3 tasks: it need not rise

// A node that runs 0 to 3 tasks for times of any length, measured each second.
class CurveNode {
 public:
  CurveNode(std::uint64_t seed, double noise) : random_(seed, "curve") {
    energy_.node = "n";
    std::int64_t at = 0;
    while (at < length) {
      const auto running = static_cast<std::size_t>(random_.below(truth.size()));
      const std::int64_t until = std::min(length, at + random_.integer(300, 20'000));
      for (std::size_t i = 0; i < running; ++i) {
        const TaskKind kind = random_.below(3) == 0 ? TaskKind::reduce : TaskKind::map;
        tasks_.tasks.push_back({at_ms(at), at_ms(until), kind, "j", true});
      }
      for (; at < until; ++at) running_.push_back(running);
    }
    for (std::int64_t from = 0; from < length; from += 1000) {
      double joules = random_.normal(0, noise);
      for (std::int64_t t = from; t < from + 1000; ++t)
        joules += truth[running_[static_cast<std::size_t>(t)]] / 1000;
      energy_.spans.push_back({at_ms(from), at_ms(from + 1000), static_cast<MicroJoules>(joules * 1e6)});
    }
  }
  [[nodiscard]] std::vector<MeasuredNode> nodes() const { return {{&energy_, &tasks_}}; }
  [[nodiscard]] PowerCurve fit() const { return fit_curve("cpu", nodes(), ms(5000)); }
  NodeEnergy energy_;
  NodeTasks tasks_;

 private:
  static constexpr std::int64_t length = 900'000;  // ms
  Random random_;
  std::vector<std::size_t> running_;
};

TEST(BusyTime, TellsTheTimeWithEachNumberOfTasks) {
  holds_always([] {
    std::vector<std::pair<Time, Time>> tasks;
    for (int i = *rc::gen::inRange(0, 8); i > 0; --i) {
      const int from = *rc::gen::inRange(0, 50);
      tasks.emplace_back(at_ms(from), at_ms(from + *rc::gen::inRange(0, 30)));
    }
    const int from = *rc::gen::inRange(-5, 60), to = from + *rc::gen::inRange(0, 40);
    std::vector<std::int64_t> expected(1, 0);
    for (int t = from; t < to; ++t) {
      const auto n =
          static_cast<std::size_t>(std::count_if(tasks.begin(), tasks.end(), [&](const auto& each) {
            return each.first <= at_ms(t) && at_ms(t) < each.second;
          }));
      expected.resize(std::max(expected.size(), n + 1));
      ++expected[n];
    }
    RC_ASSERT(BusyTime(tasks).levels_within(at_ms(from), at_ms(to)) == expected);
  });
}

TEST(CurveFit, WithoutNoiseTheCurveComesBack) {
  const PowerCurve curve = CurveNode(1, 0).fit();
  ASSERT_EQ(curve.watts.size(), truth.size());
  for (std::size_t n = 0; n < truth.size(); ++n) EXPECT_NEAR(curve.watts[n].value, truth[n], 1e-3);
  EXPECT_TRUE(curve.remarks.empty());
}

TEST(CurveFit, IntervalsHoldTheTruthAsOftenAsTheySay) {
  int held = 0, all = 0;
  for (int seed = 0; seed < sized(200); ++seed) {
    const PowerCurve curve = CurveNode(2000 + static_cast<std::uint64_t>(seed), 8).fit();
    ASSERT_EQ(curve.watts.size(), truth.size());
    for (std::size_t n = 0; n < truth.size(); ++n) {
      held += curve.watts[n].low <= truth[n] && truth[n] <= curve.watts[n].high ? 1 : 0;
      ++all;
    }
  }
  EXPECT_NEAR(double(held) / double(all), 0.95, sized(200) == 200 ? 0.03 : 0.06);
}

TEST(CurveFit, EndsBeforeANumberOfTasksThatWasHardlySeen) {
  CurveNode node(3, 0);
  // Five tasks for 9 s: less than two bins of 5 s.
  for (int i = 0; i < 5; ++i) node.tasks_.masters.emplace_back(at_ms(100'000), at_ms(109'000));
  const PowerCurve curve = node.fit();
  EXPECT_EQ(curve.watts.size(), truth.size());
  ASSERT_EQ(curve.remarks.size(), 1U);
  EXPECT_THAT(curve.remarks[0], testing::HasSubstr("bins with more than 3 tasks are left out"));
  for (std::size_t n = 0; n < truth.size(); ++n) EXPECT_NEAR(curve.watts[n].value, truth[n], 1e-3);
}

TEST(CurveFit, IsNeverBelowIdle) {
  CurveNode node(4, 0);
  for (EnergySpan& span : node.energy_.spans)
    span.energy = 90'000'000 - span.energy / 2;  // less, the more run
  const PowerCurve curve = node.fit();
  for (const FittedValue& of : curve.watts) EXPECT_GE(of.value, curve.watts.front().value);
  EXPECT_EQ(curve.remarks.size(), 3U);
}

TEST(CurveFit, TheBlockFitsIntoAClusterFile) {
  const CurveNode node(5, 3);
  TaskIntervals tasks;
  JobRun run;
  run.name = "j";
  for (const TaskInterval& each : node.tasks_.tasks) {
    Attempt attempt;
    attempt.id = "a";
    attempt.state = AttemptState::succeeded;
    attempt.start = each.start;
    attempt.finish = each.end;
    attempt.node = "n";
    TaskRun task;
    task.kind = each.kind;
    task.state = AttemptState::succeeded;
    task.successful_attempt = "a";
    task.attempts = {attempt};
    run.tasks.push_back(task);
  }
  tasks.add(run);
  PowerFitOptions options;
  options.classes.emplace_back("cpu", std::vector<std::string>{"n"});
  options.curve = true;
  const ClassPowers powers = fit_powers({node.energy_}, tasks, options).front();
  const Cluster cluster =
      parse_cluster(class_block(powers) + "[[nodes]]\nclass = \"cpu\"\nmap_slots = 3\n", "block");
  const NodeClass& of = cluster.classes.at("cpu");
  ASSERT_EQ(of.curve_w.size(), 3U);
  for (std::size_t n = 0; n < 3; ++n) EXPECT_NEAR(of.curve_w[n], powers.curve_w[n].value, 0.0005);
  EXPECT_NEAR(*of.idle_w, powers.idle_w.value, 0.0005);
  // From it follows what a map takes, for policies that rank classes by it: a third of the way to three
  // tasks.
  Job job;
  job.id = "j";
  const double step = (powers.curve_w[2].value - powers.idle_w.value) / 3;
  EXPECT_NEAR(PowerModel(cluster).map_energy(job, 0).value(), step, 0.002);
}

TEST(CurveFit, SaysWhatIsMissing) {
  CurveNode idle(6, 0), busy(7, 0);
  idle.tasks_.tasks.clear();
  EXPECT_THROW((void)idle.fit(), Infeasible);
  busy.tasks_.masters.emplace_back(at_ms(0), at_ms(900'000));  // never idle
  EXPECT_THROW((void)busy.fit(), Infeasible);
}

}  // namespace
}  // namespace wavewright
