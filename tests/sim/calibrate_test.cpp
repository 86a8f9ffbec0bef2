// What a cluster adds to the work of tasks, learnt from runs that were made up with known launches.
#include "wavewright/sim/calibration/calibrate.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <map>

#include "wavewright/core/error.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/calibration/launch_history.h"
#include "wavewright/sim/reference/reference_launches.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {
namespace {

struct World {
  Count processors = 0;  // 0 = launches take no time
  bool of_node = false;
  std::int64_t work = 0, master_work = 0;
  std::int64_t start = 0, finish = 0;  // of masters
  std::vector<int> widths = {1, 2, 3, 6};
};

// Jobs one after another, each of maps in waves of these widths on two nodes, 20 s of work each; the maps of
// a wave start a few ms apart.
std::vector<JobRun> made_up(const World& world) {
  std::vector<JobRun> runs;
  std::int64_t now = 1'000'000;
  for (int index = 0; index < 6; ++index) {
    JobRun run;
    run.id = fmt::format("job_1_{:04}", index);
    run.name = fmt::format("job {}", index % 3);
    run.state = RunState::succeeded;
    run.submit = at_ms(now);
    const auto alone = world.processors == 0 ? 0 : world.master_work;  // its launch: nothing else starts
    now += alone + world.start;
    run.launch = at_ms(now);
    now += 1'500;
    run.total_maps = 12;
    for (const int width : world.widths) {
      sim::ReferenceLaunches launches(world.processors == 0 ? 1 : world.processors, world.of_node ? 2 : 1);
      std::vector<std::int64_t> over(static_cast<std::size_t>(width), now), begun;
      std::map<sim::ReferenceLaunches::Id, std::size_t> which;
      for (int i = 0; i < width; ++i) {
        begun.push_back(now + 7 * i);
        over[static_cast<std::size_t>(i)] = begun.back();
        if (world.processors == 0) continue;
        const auto pool = static_cast<std::size_t>(world.of_node ? i % 2 : 0);
        which[launches.enter(pool, begun.back(), static_cast<std::uint64_t>(world.work), 0)] =
            static_cast<std::size_t>(i);
      }
      for (std::int64_t at = now; !which.empty();) {
        launches.run(at, [&](sim::ReferenceLaunches::Id id) {
          over[which.at(id)] = at;
          which.erase(id);
        });
        if (which.empty()) break;
        const std::int64_t next = launches.next(at);
        launches.pass(next - at);
        at = next;
      }
      for (int i = 0; i < width; ++i) {
        const auto k = static_cast<std::size_t>(i);
        TaskRun task;
        task.id = fmt::format("task_1_{:04}_m_{:06}", index, run.tasks.size());
        task.number = static_cast<std::int32_t>(run.tasks.size());
        task.state = AttemptState::succeeded;
        Attempt attempt;
        attempt.id = fmt::format("attempt_1_{:04}_m_{:06}_0", index, run.tasks.size());
        attempt.state = AttemptState::succeeded;
        attempt.start = at_ms(begun[k]);
        attempt.finish = at_ms(over[k] + 20'000 + 1'000 * (index % 3) + 13 * (i % 3));
        attempt.node = i % 2 == 0 ? "node1" : "node2";
        task.start = attempt.start;
        task.finish = attempt.finish;
        task.successful_attempt = attempt.id;
        task.attempts.push_back(attempt);
        run.tasks.push_back(task);
        now = std::max(now, to_ms(*attempt.finish));
      }
      now += 1'000;
    }
    now -= 1'000;
    run.finish = at_ms(now + world.finish);
    now += 60'000;
    runs.push_back(run);
  }
  return runs;
}

Cluster containers() {
  Cluster cluster;
  cluster.nodes.resize(1);
  cluster.nodes[0].count = 2;
  cluster.mode.kind = ClusterMode::Kind::containers;
  cluster.mode.heartbeat = ms(1'000);
  return cluster;
}

TEST(LearnOverheads, FindsLaunchesThatShareTheProcessorsOfTheCluster) {
  const World world{2, false, 2'400, 3'000, 4'000, 700};
  const Overheads learnt = learn_overheads(made_up(world), containers());
  EXPECT_EQ(learnt.runs, 6);
  EXPECT_EQ(learnt.maps, 72);
  EXPECT_EQ(learnt.launches.processors, 2);
  EXPECT_FALSE(learnt.launches.of_node);
  EXPECT_NEAR(static_cast<double>(to_ms(learnt.launches.work)), 2'400, 40);
  EXPECT_LT(learnt.spread_without_launch, learnt.spread / 20);
  EXPECT_EQ(learnt.master_finish, ms(700));
  ASSERT_EQ(learnt.jobs.size(), 3U);
  EXPECT_EQ(learnt.jobs[2].name, "job 2");
  EXPECT_NEAR(static_cast<double>(to_ms(learnt.jobs[2].map)), 22'013, 60);
  ASSERT_EQ(learnt.jobs[2].map_deciles.size(), 11U);
  EXPECT_NEAR(static_cast<double>(to_ms(learnt.jobs[2].map_deciles.front())), 22'000, 60);
  EXPECT_NEAR(static_cast<double>(to_ms(learnt.jobs[2].map_deciles.back())), 22'026, 60);
  EXPECT_GE(learnt.jobs[2].map_deciles.back() - learnt.jobs[2].map_deciles.front(), ms(20));
}

TEST(LearnOverheads, FindsLaunchesThatShareThoseOfTheirNode) {
  const World world{1, true, 1'800, 1'800, 4'000, 0};
  const Overheads learnt = learn_overheads(made_up(world), containers());
  EXPECT_EQ(learnt.launches.processors, 1);
  EXPECT_TRUE(learnt.launches.of_node);
  EXPECT_NEAR(static_cast<double>(to_ms(learnt.launches.work)), 1'800, 40);
}

TEST(LearnOverheads, TakesProcessorsAsTheClusterTellsThem) {
  const World world{2, false, 2'400, 3'000, 4'000, 700};
  Cluster cluster = containers();
  cluster.launches = {ms(1), ms(1), 1, false};
  const Overheads learnt = learn_overheads(made_up(world), cluster);
  EXPECT_EQ(learnt.launches.processors, 1);
  EXPECT_LT(to_ms(learnt.launches.work), 1'500) << "half as long, on half as many";
  EXPECT_GT(to_ms(learnt.launches.work), 900);
}

// All maps start with three others, so that they differ by nothing.
TEST(LearnOverheads, TakesLaunchesThatAreGiven) {
  const World world{2, false, 2'400, 2'400, 4'000, 700, {4, 4, 4}};
  Cluster cluster = containers();
  cluster.launches = {{}, {}, 2, false};
  const Overheads alike = learn_overheads(made_up(world), cluster);
  EXPECT_EQ(alike.launches.work, Duration{});
  ASSERT_EQ(alike.jobs.size(), 3U);
  EXPECT_GT(to_ms(alike.jobs[2].map), 25'000) << "with launches";
  const Launches given{ms(2'400), ms(2'400), 2, false};
  const Overheads learnt = learn_overheads(made_up(world), cluster, given);
  EXPECT_EQ(learnt.launches.work, given.work);
  ASSERT_EQ(learnt.jobs.size(), 3U);
  EXPECT_NEAR(static_cast<double>(to_ms(learnt.jobs[2].map)), 22'013, 60) << "without launches";
}

TEST(LearnOverheads, FindsNoneWhereThereAreNone) {
  const World world{0, false, 0, 0, 4'000, 300};
  const Overheads learnt = learn_overheads(made_up(world), containers());
  EXPECT_EQ(learnt.launches.processors, 0);
  EXPECT_EQ(learnt.launches.work, Duration{});
  EXPECT_EQ(learnt.spread, learnt.spread_without_launch);
  // Of its 24 maps 10 take 22,000 ms, 8 take 22,013 and 6 take 22,026: in order, each tenth of the way.
  const Duration a = ms(22'000), b = ms(22'013), c = ms(22'026);
  EXPECT_EQ(learnt.jobs.at(2).map_deciles, (std::vector{a, a, a, a, a, b, b, b, c, c, c}));
  // 4 s, and 1.5 s to the first map: half a heartbeat of a node before the launch and one of the master
  // after.
  EXPECT_EQ(learnt.master_start, ms(4'000 - 500 + 1'500 - 1'000));
}

TEST(LearnOverheads, LearnsSetupAndCommitWhereThereAreSlots) {
  Cluster cluster = containers();
  cluster.mode.kind = ClusterMode::Kind::slots;
  const Overheads learnt = learn_overheads(made_up({2, false, 2'400, 0, 4'000, 700}), cluster);
  EXPECT_EQ(learnt.launches.processors, 2);
  EXPECT_EQ(learnt.master_start, ms(4'000 + 1'500 - 500)) << "to the first map, less half a heartbeat";
  EXPECT_EQ(learnt.master_finish, ms(700));
  apply(learnt, cluster);
  EXPECT_EQ(cluster.launches.work, learnt.launches.work);
  EXPECT_EQ(cluster.masters.start, learnt.master_start);
}

TEST(LearnOverheads, AHeartbeatThatTheClusterTellsIsKept) {
  Overheads learnt;
  learnt.heartbeat = ms(303);
  learnt.master_heartbeat = ms(1'010);
  learnt.shuffle = ms(570);
  Cluster told = containers(), untold = containers();
  untold.mode.heartbeat = Duration{};
  untold.masters.heartbeat = ms(980);
  apply(learnt, told);
  apply(learnt, untold);
  EXPECT_EQ(told.mode.heartbeat, ms(1'000));
  EXPECT_EQ(untold.mode.heartbeat, ms(303));
  EXPECT_EQ(told.masters.heartbeat, ms(1'000)) << "1 % is no news";
  EXPECT_EQ(untold.masters.heartbeat, ms(1'010));
  EXPECT_EQ(untold.network.overhead, ms(570));
  learnt.shuffle.reset();  // no run had reduces
  apply(learnt, untold);
  EXPECT_EQ(untold.network.overhead, ms(570));
}

// Told no heartbeat, what is learnt of masters takes off half of the one that starts show.
TEST(LearnOverheads, TakesTheHeartbeatThatItFindsForTheOthers) {
  std::vector<JobRun> runs;
  for (int index = 0; index < 20; ++index) {
    JobRun run;
    run.id = fmt::format("job_{}", index);
    run.submit = at_ms(100'000 * index);
    run.state = RunState::succeeded;
    for (int map = 0; map < 12; ++map) {
      TaskRun task;
      task.state = AttemptState::succeeded;
      Attempt attempt;
      attempt.state = AttemptState::succeeded;
      attempt.id = task.successful_attempt = fmt::format("a{}", map);
      attempt.start = at_ms(100'000 * index + 2'000 + 600 * (map + map / 2));
      attempt.finish = *attempt.start + ms(9'000);
      attempt.node = std::string(1, 'n');
      task.attempts.push_back(attempt);
      run.tasks.push_back(task);
    }
    run.finish = at_ms(100'000 * index + 20'000);
    runs.push_back(run);
  }
  Cluster cluster;
  cluster.nodes.resize(1);
  const Overheads learnt = learn_overheads(runs, cluster);
  EXPECT_EQ(learnt.heartbeat, ms(600));
  EXPECT_EQ(learnt.master_start, ms(2'000 - 300));
}

// What remains of the maps of the runs, in their order, ms.
std::vector<std::int64_t> lengths_without(const std::vector<JobRun>& runs, const Cluster& cluster) {
  std::vector<std::int64_t> lengths;
  for (const NetRun& net : without_launches(runs, cluster)) {
    for (const TaskRun& task : net.run.tasks)
      lengths.push_back(to_ms(*task.attempts.front().finish - *task.attempts.front().start));
  }
  return lengths;
}

TEST(WithoutLaunches, LeavesTheWorkOfTasks) {
  for (const bool of_node : {false, true}) {
    const std::vector<JobRun> runs = made_up({2, of_node, 2'400, 3'000, 4'000, 700});
    Cluster cluster = containers();
    cluster.launches = {ms(2'400), ms(3'000), 2, of_node};
    const std::vector<std::int64_t> lengths = lengths_without(runs, cluster);
    ASSERT_EQ(lengths.size(), 72U);
    std::size_t at = 0;
    for (int job = 0; job < 6; ++job) {
      for (const int width : {1, 2, 3, 6}) {
        for (int i = 0; i < width; ++i)
          EXPECT_NEAR(static_cast<double>(lengths[at++]), 20'000 + 1'000 * (job % 3) + 13 * (i % 3), 1);
      }
    }
  }
}

TEST(WithoutLaunches, TakesOffTheFixedLaunchToo) {
  const std::vector<JobRun> runs = made_up({});
  Cluster cluster = containers();
  const std::vector<std::int64_t> whole = lengths_without(runs, cluster);
  EXPECT_EQ(whole.front(), 20'000) << "of launches in no time nothing is taken off";
  cluster.mode.launch = ms(1'500);
  EXPECT_EQ(lengths_without(runs, cluster).front(), 18'500);
  cluster.mode.launch = ms(60'000);
  EXPECT_EQ(lengths_without(runs, cluster).front(), 0) << "no attempt ends before it starts";
}

TEST(LaunchTimes, AClientSlowsTheLaunchesBesideIt) {
  std::vector<JobRun> runs = made_up({});
  runs.resize(1);
  runs[0].tasks.resize(1);
  runs[0].submit = runs[0].tasks[0].attempts[0].start;
  const sim::ObservedLaunches seen = sim::observe_launches(runs, false, 100);
  ASSERT_EQ(seen.launches.size(), 2U);
  const std::size_t map = seen.launches[0].client ? 1 : 0;
  EXPECT_EQ(sim::launch_times(seen, {ms(2'000), {}, 1, false, ms(1'000)})[map].launch, 3'000);
  EXPECT_EQ(sim::launch_times(seen, {ms(2'000), {}, 2, false, ms(1'000)})[map].launch, 2'000);
  EXPECT_EQ(sim::launch_times(seen, {ms(2'000), {}, 1, true, ms(1'000)})[map].launch, 2'000);
}

TEST(LearnOverheads, RefusesRunsWithoutMaps) {
  std::vector<JobRun> runs = made_up({});
  for (JobRun& run : runs) run.tasks.clear();
  EXPECT_THROW((void)learn_overheads(runs, containers()), UsageError);
}

// A history of such a simulation: its attempts, and the processor time of its jobs.
std::vector<JobRun> history_of(const Workload& workload, const SimulationResult& result) {
  std::vector<JobRun> runs;
  for (JobIndex index = 0; index < workload.jobs.size(); ++index) {
    const Job& job = workload.jobs[index];
    JobRun& run = runs.emplace_back();
    run.id = run.name = job.id;
    run.state = RunState::succeeded;
    run.submit = run.launch = job.submit;
    run.finish = result.jobs[index].finish;
    Duration work{};
    for (const TaskRecord& record : result.trace) {
      if (record.job != index) continue;
      const bool map = record.kind == Kind::map;
      TaskRun& task = run.tasks.emplace_back();
      task.kind = map ? TaskKind::map : TaskKind::reduce;
      task.number = static_cast<std::int32_t>(record.task);
      task.id = fmt::format("task_1_{}_{}_{}", index, map ? 'm' : 'r', record.task);
      task.state = AttemptState::succeeded;
      Attempt& attempt = task.attempts.emplace_back();
      attempt.id = task.successful_attempt = task.id + "_0";
      attempt.state = AttemptState::succeeded;
      attempt.node = result.nodes[record.node];
      task.start = attempt.start = record.start;
      task.finish = attempt.finish = record.end;
      work += map ? job.maps[record.task] : job.reduces[record.task];
      if (map) continue;
      // Its shuffle began when the maps were done, or with the end of its launch, which is not told.
      attempt.shuffle_finish = attempt.sort_finish =
          std::max(result.jobs[index].maps_done, record.start) + job.first_shuffle(record.task);
    }
    if (job.processor_bound) run.counters["TaskCounter/CPU_MILLISECONDS"] = to_ms(work);
  }
  return runs;
}

Workload busy_workload() {
  Workload workload;
  for (int index = 0; index < 6; ++index) {
    Job job;
    job.id = fmt::format("J{}", index);
    job.submit = at_ms(4'000 * index);
    job.processor_bound = index % 3 != 2;
    for (int map = 0; map < 5; ++map) job.maps.push_back(ms(3'000 + 170 * map + 40 * index));
    workload.jobs.push_back(job);
  }
  return workload;
}

TEST(WithoutLaunches, LeavesTheProcessorTimeOfWorkThatSharedThem) {
  for (const bool of_node : {false, true}) {
    Cluster cluster;
    NodeGroup group;
    group.count = 2;
    group.slots = {3, 1};
    cluster.nodes = {group};
    cluster.launches = {ms(800), {}, 2, of_node};
    const Workload workload = busy_workload();
    Policy policy = make_policy("fifo");
    const std::vector<JobRun> seen =
        history_of(workload, simulate_cluster(workload, policy, {cluster, 1, true}));
    Duration slowed{};
    const std::vector<NetRun> alone = without_launches(seen, cluster);
    for (JobIndex index = 0; index < workload.jobs.size(); ++index) {
      EXPECT_EQ(alone[index].processor_bound, workload.jobs[index].processor_bound);
      for (std::size_t i = 0; i < alone[index].run.tasks.size(); ++i) {
        const Attempt& before = seen[index].tasks[i].attempts.front();
        const Attempt& after = alone[index].run.tasks[i].attempts.front();
        const Duration work =
            workload.jobs[index].maps[static_cast<std::size_t>(alone[index].run.tasks[i].number)];
        EXPECT_NEAR(static_cast<double>(to_ms(*after.finish - *after.start)),
                    static_cast<double>(to_ms(work)), 2);
        slowed += *before.finish - *before.start - work - ms(800);
      }
    }
    EXPECT_GT(slowed, ms(10'000)) << "there was something to take off";
  }
}

TEST(WithoutLaunches, LeavesTheWorkOfReducesAfterTheirShuffle) {
  Cluster cluster;
  NodeGroup group;
  group.slots = {1, 3};
  cluster.nodes = {group};
  cluster.launches = {ms(100), {}, 1, true};
  Job job;
  job.id = "J";
  job.processor_bound = true;
  job.maps = {ms(1'000)};
  job.reduces = {ms(2'000), ms(3'000)};
  job.first_shuffles = job.shuffles = {ms(700), ms(900)};
  cluster.mode.slowstart = 0;  // both are launched before the map ends
  const Workload workload{{job}};
  Policy policy = make_policy("fifo");
  const std::vector<JobRun> seen =
      history_of(workload, simulate_cluster(workload, policy, {cluster, 1, true}));
  const std::vector<NetRun> alone = without_launches(seen, cluster);
  for (const TaskRun& task : alone.front().run.tasks) {
    if (task.kind != TaskKind::reduce) continue;
    const Attempt& attempt = task.attempts.front();
    EXPECT_NEAR(static_cast<double>(to_ms(*attempt.finish - *attempt.sort_finish)),
                static_cast<double>(to_ms(job.reduces[static_cast<std::size_t>(task.number)])), 2);
  }
}

// One attempt a run, from `start` to `finish`.
JobRun run_of_one(const char* id, int start, int finish, TaskKind kind = TaskKind::map) {
  JobRun run;
  run.id = run.name = id;
  run.submit = at_ms(0);
  run.state = RunState::succeeded;
  TaskRun task;
  task.kind = kind;
  Attempt attempt;
  attempt.state = task.state = AttemptState::succeeded;
  attempt.id = task.successful_attempt = fmt::format("{}_a", id);
  attempt.start = at_ms(start);
  attempt.finish = at_ms(finish);
  task.attempts = {attempt};
  run.tasks = {task};
  return run;
}

TEST(ProcessorBound, IsARunWhoseProcessorTimeIsHalfOfWhatItCanHaveHad) {
  const Launches launches{ms(1'000), {}, 2, true};
  std::vector<JobRun> runs = {run_of_one("J", 0, 5'000)};
  JobRun& run = runs.front();
  run.tasks.push_back(run.tasks.front());
  const auto is_bound = [&](const Launches& shared) {
    return !sim::processor_bound(runs, false, shared).empty();
  };
  EXPECT_FALSE(is_bound(launches)) << "it tells none";
  run.counters["TaskCounter/CPU_MILLISECONDS"] = 4'000;  // of 2 x 4 s
  EXPECT_TRUE(is_bound(launches));
  EXPECT_FALSE(is_bound(Launches{})) << "nothing to share";
  run.counters["TaskCounter/CPU_MILLISECONDS"] = 3'999;
  EXPECT_FALSE(is_bound(launches));
  Launches one = launches;
  one.processors = 1;  // 2 s of launches, 3 s of work
  run.counters["TaskCounter/CPU_MILLISECONDS"] = 1'500;
  EXPECT_TRUE(is_bound(one));
}

// Beside a run that only waits the other has the processor to itself, and used a third of it: it is not bound
// either, though it would be if the two shared.
TEST(ProcessorBound, SharesWithOthersThatAreAlone) {
  std::vector<JobRun> runs = {run_of_one("waits", 0, 6'000), run_of_one("works", 0, 6'000)};
  runs[0].counters["TaskCounter/CPU_MILLISECONDS"] = 60;
  runs[1].counters["TaskCounter/CPU_MILLISECONDS"] = 2'000;
  EXPECT_TRUE(sim::processor_bound(runs, false, {{}, {}, 1, true}).empty());
  runs[1].counters["TaskCounter/CPU_MILLISECONDS"] = 3'000;
  EXPECT_EQ(sim::processor_bound(runs, false, {{}, {}, 1, true}), (sim::RunSet{&runs[1]}));
}

// A launch that is guessed longer than the whole attempt leaves it no work, and no other run less.
TEST(WithoutLaunches, LeavesNoLessThanNothing) {
  JobRun run = run_of_one("J", 1'000, 3'000);
  run.counters["TaskCounter/CPU_MILLISECONDS"] = 100'000;
  run.tasks.push_back(run.tasks.front());
  run.tasks[1].attempts[0].finish = at_ms(9'000);
  Cluster cluster;
  cluster.launches = {ms(2'500), {}, 1, false};
  const std::vector<NetRun> alone = without_launches({run}, cluster);
  EXPECT_EQ(*alone[0].run.tasks[0].attempts[0].start, at_ms(3'000));
  EXPECT_EQ(*alone[0].run.tasks[1].attempts[0].start, at_ms(4'500)) << "2 s shared, 1.5 s alone";
}

// Launches were learnt longer than those of reduces: this one had merged before its launch was over by that.
// It worked for 3 s all the same.
TEST(WithoutLaunches, AReduceKeepsTheWorkAfterItsShuffle) {
  JobRun run = run_of_one("J", 1'000, 5'000, TaskKind::reduce);
  run.counters["TaskCounter/CPU_MILLISECONDS"] = 100'000;
  Attempt& attempt = run.tasks.front().attempts.front();
  attempt.shuffle_finish = attempt.sort_finish = at_ms(2'000);
  Cluster cluster;
  cluster.launches = {ms(2'500), {}, 1, false};
  const std::vector<NetRun> alone = without_launches({run}, cluster);
  const Attempt& after = alone[0].run.tasks[0].attempts[0];
  EXPECT_TRUE(alone[0].processor_bound);
  EXPECT_EQ(*after.start, at_ms(2'000));
  EXPECT_EQ(*after.finish, at_ms(5'000)) << "3 s of work";
}

}  // namespace
}  // namespace wavewright
