// How long launches can be at most: histories made up with known launches, which maps alone do not show.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <optional>

#include "wavewright/sim/calibration/calibrate.h"

namespace wavewright {
namespace {

// A node with one processor, on which launches of `launch` ms and work share: n attempts that start together
// take n times as long, all of them. Jobs of maps in waves of 1, 2, 3 and 6, `work` ms each, then reduces in
// waves of 1 and 2, which fetch for 120 ms after their launch and reduce for 2 s. Times follow from the
// widths alone.
std::vector<JobRun> on_one_processor(std::int64_t launch, std::int64_t work, bool with_reduces) {
  std::vector<JobRun> runs;
  std::int64_t now = 1'000'000;
  for (int index = 0; index < 4; ++index) {
    JobRun run;
    run.name = index % 2 == 0 ? "even" : "odd";
    run.state = RunState::succeeded;
    run.id = fmt::format("job_1_{:04}", index);
    run.submit = run.launch = at_ms(now);
    const auto add = [&](TaskKind kind, std::int64_t length, std::optional<std::int64_t> shuffled) {
      TaskRun& task = run.tasks.emplace_back();
      task.kind = kind;
      Attempt& attempt = task.attempts.emplace_back();
      attempt.state = task.state = AttemptState::succeeded;
      attempt.id = task.successful_attempt = fmt::format("{}_{}", run.id, run.tasks.size());
      attempt.node = "node1";
      attempt.start = at_ms(now);
      attempt.finish = at_ms(now + length);
      if (shuffled) attempt.shuffle_finish = attempt.sort_finish = at_ms(now + *shuffled);
    };
    for (const std::int64_t width : {1, 2, 3, 6}) {
      for (std::int64_t i = 0; i < width; ++i) add(TaskKind::map, width * (launch + work), std::nullopt);
      now += width * (launch + work) + 500;
    }
    run.total_maps = 12;
    for (const std::int64_t width : {1, 2}) {
      if (!with_reduces) break;
      const std::int64_t shuffled = width * launch + 120;
      for (std::int64_t i = 0; i < width; ++i) add(TaskKind::reduce, shuffled + 2'000, shuffled);
      now += shuffled + 2'500;
    }
    run.finish = at_ms(now);
    now += 60'000;
    runs.push_back(run);
  }
  return runs;
}

double learnt_launch(const std::vector<JobRun>& runs) {
  Cluster cluster;
  cluster.nodes.resize(1);
  cluster.launches = {{}, {}, 1, true};
  return static_cast<double>(to_ms(learn_overheads(runs, cluster).launches.work));
}

// Maps alone cannot tell launches from work that shares the processor, too. Reduces that fetch for 120 ms
// can.
TEST(LearnOverheads, ReducesTellHowLongLaunchesCanBe) {
  EXPECT_NEAR(learnt_launch(on_one_processor(1'000, 1'500, false)), 2'500, 40) << "what maps alone show";
  const double learnt = learnt_launch(on_one_processor(1'000, 1'500, true));
  EXPECT_GE(learnt, 1'000 - 40);
  EXPECT_LE(learnt, 1'000 + 120);
}

// Maps of 3 to 6.3 s that start alone: launches of 6.3 s would explain all of their lengths, and leave no
// work.
TEST(LearnOverheads, LaunchesDoNotSwallowMaps) {
  JobRun run;
  run.id = run.name = "J";
  run.submit = at_ms(0);
  run.state = RunState::succeeded;
  for (int i = 0; i < 12; ++i) {
    TaskRun& task = run.tasks.emplace_back();
    Attempt& attempt = task.attempts.emplace_back();
    attempt.state = task.state = AttemptState::succeeded;
    attempt.id = task.successful_attempt = fmt::format("a{}", i);
    attempt.start = at_ms(10'000 * i);
    attempt.finish = *attempt.start + ms(3'000 + 300 * i);
  }
  run.finish = at_ms(200'000);
  Cluster cluster;
  cluster.nodes.resize(1);
  EXPECT_EQ(learn_overheads(std::vector{run}, cluster).launches.work, Duration{});
}

// Without reduces, but with the processor time of the maps' work, of which no more can be taken for launches.
TEST(LearnOverheads, LaunchesLeaveTasksTheirProcessorTime) {
  std::vector<JobRun> runs = on_one_processor(1'000, 1'500, false);
  for (JobRun& run : runs) run.counters["TaskCounter/CPU_MILLISECONDS"] = 12 * 1'500;
  // Lengths add up to (1 + 4 + 9 + 36) x 2.5 s = 125 s, launches to 50 times one: 125 - 50 x >= 18 / 1.01.
  EXPECT_LE(learnt_launch(runs), 2'145);
  EXPECT_GE(learnt_launch(runs), 2'100) << "what is left is blamed on launches: more is not known";
}

}  // namespace
}  // namespace wavewright
