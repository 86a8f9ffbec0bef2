// How fast a cluster of nodes is simulated: a random workload at a given load, under any policy.
//
//   cluster_speed NODES JOBS TASKS-PER-JOB LOAD HEARTBEAT-MS PLACES(0|1) POLICY
//
// Prints one JSON object: events, seconds of the engine, events per second, slots, makespan.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/random.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/simulate_cluster.h"

using namespace wavewright;

namespace {

constexpr int map_slots = 6, reduce_slots = 2;  // of a node
constexpr int racks = 40;

Cluster cluster_of(Count nodes, Duration heartbeat, bool places) {
  Cluster cluster;
  for (int rack = 0; rack < racks; ++rack) {
    NodeGroup group;
    group.count = nodes / racks + (rack < nodes % racks ? 1 : 0);
    group.rack = fmt::format("/rack{}", rack);
    group.slots = {map_slots, reduce_slots};
    if (group.count > 0) cluster.nodes.push_back(group);
  }
  cluster.mode.heartbeat = heartbeat;
  cluster.mode.launch = heartbeat == Duration{} ? Duration{} : ms(1500);
  cluster.mode.slowstart = 0.8;
  if (places) cluster.reads = {Reads::Kind::slowdown, 1.2, 1.6};
  return cluster;
}

// Jobs of 1 to 2·mean tasks, a fifth of them reduces; ten queues and a hundred users. Durations are around a
// mean of the job's own. Jobs arrive at random over so long that the work is `load` of the slots' time.
Workload workload_of(Count nodes, Count jobs, Count mean_tasks, double load) {
  Random random(1, "cluster_speed");
  Workload workload;
  workload.jobs.resize(static_cast<std::size_t>(jobs));
  double map_work = 0, reduce_work = 0;
  for (Job& job : workload.jobs) {
    const auto tasks = random.integer(1, 2 * mean_tasks - 1);
    const auto reduces = tasks / 5;
    const double mean = random.uniform(5'000, 60'000);
    const auto draw = [&](std::vector<Duration>& into, Count count, double around) {
      into.reserve(static_cast<std::size_t>(count));
      double sum = 0;
      for (Count i = 0; i < count; ++i) {
        into.push_back(ms(static_cast<std::int64_t>(random.uniform(0.5 * around, 1.5 * around))));
        sum += static_cast<double>(to_ms(into.back()));
      }
      return sum;
    };
    map_work += draw(job.maps, tasks - reduces, mean);
    reduce_work += draw(job.reduces, reduces, mean);
  }
  const double slots = static_cast<double>(nodes);
  const double span = std::max(map_work / (slots * map_slots), reduce_work / (slots * reduce_slots)) / load;
  std::vector<std::int64_t> submits;
  for (Count i = 0; i < jobs; ++i) submits.push_back(static_cast<std::int64_t>(random.uniform(0, span)));
  std::sort(submits.begin(), submits.end());
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    Job& job = workload.jobs[i];
    job.id = fmt::format("J{}", i);
    job.submit = at_ms(submits[i]);
    job.queue = fmt::format("q{}", random.below(10));
    job.user = fmt::format("u{}", random.below(100));
  }
  return workload;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 8) {
    std::fputs("usage: cluster_speed NODES JOBS TASKS-PER-JOB LOAD HEARTBEAT-MS PLACES POLICY\n", stderr);
    return 2;
  }
  try {
    const Count nodes = std::atoll(argv[1]), jobs = std::atoll(argv[2]), tasks = std::atoll(argv[3]);
    const ClusterOptions options{cluster_of(nodes, ms(std::atoll(argv[5])), std::atoi(argv[6]) != 0), 1,
                                 false};
    const Workload workload = workload_of(nodes, jobs, tasks, std::atof(argv[4]));
    Policy policy = make_policy(argv[7]);
    const SimulationResult result = simulate_cluster(workload, policy, options);
    std::fputs(fmt::format(R"({{"events":{},"seconds":{:.4f},"events_per_second":{:.0f},"makespan_ms":{}}})"
                           "\n",
                           result.events, result.engine_seconds,
                           static_cast<double>(result.events) / result.engine_seconds, to_ms(result.makespan))
                   .c_str(),
               stdout);
  } catch (const Error& error) {
    std::fputs(error.what(), stderr);
    return 1;
  }
  return 0;
}
