// Simulations that are stopped, and tasks that are handed on as they end.
#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <tuple>

#include "tests/property.h"
#include "tests/sim/cluster_worlds.h"
#include "tests/sim/small_jobs.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/metrics/explain.h"
#include "wavewright/sim/metrics/slot_time.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {
namespace {

// Keeps what it is told; stops the simulation after so many.
class Kept final : public TaskSink {
 public:
  void begin(const std::vector<std::string>& names) override { nodes = names; }
  void add(const TaskRecord& record) override {
    records.push_back(record);
    if (records.size() == stop_after) stop = true;
  }
  std::vector<std::string> nodes;
  std::vector<TaskRecord> records;
  std::size_t stop_after = 0;
  std::atomic<bool> stop{false};
};

std::vector<TaskRecord> in_order(std::vector<TaskRecord> records) {
  const auto key = [](const TaskRecord& r) {
    return std::tuple(r.start, r.kind, r.slot, r.end, r.job, r.task, r.attempt);
  };
  std::sort(records.begin(), records.end(),
            [&](const TaskRecord& a, const TaskRecord& b) { return key(a) < key(b); });
  return records;
}

// A cluster of any sort, with faults or a network now and then.
Cluster any_cluster(Workload& workload) {
  Cluster cluster = *rc::gen::arbitrary<bool>() ? worlds::some_cluster() : worlds::some_faulty_cluster();
  if (*rc::gen::arbitrary<bool>()) worlds::connect(cluster);
  worlds::weigh(workload);
  return cluster;
}

TEST(Streamed, TasksAreThoseThatAreKept) {
  holds_always([] {
    Workload workload = worlds::some_dependent_workload();
    Cluster cluster = any_cluster(workload);
    if (*rc::gen::arbitrary<bool>()) worlds::give_out_containers(cluster);
    const auto run = [&](bool trace, TaskSink* sink) {
      Policy policy = make_policy("fifo");
      return simulate_on(workload, policy, {.cluster = cluster, .trace = trace, .sink = sink});
    };
    Kept sink;
    (void)worlds::unless_stuck([&] { return run(false, &sink); });
    const SimulationResult kept = run(true, nullptr);
    RC_ASSERT(in_order(sink.records) == in_order(kept.trace));
    RC_ASSERT(sink.nodes == kept.nodes);
  });
}

// What had happened when it was stopped is what happens up to then in the whole run.
TEST(Stopped, ASimulationTellsWhatHadHappened) {
  holds_always([] {
    Workload workload = worlds::some_dependent_workload();
    const Cluster cluster = any_cluster(workload);
    const auto run = [&](Kept& kept, bool trace) {
      Policy policy = make_policy("fifo");
      return simulate_cluster(workload, policy,
                              {.cluster = cluster, .trace = trace, .sink = &kept, .stop = &kept.stop});
    };
    Kept whole, part;
    const SimulationResult all = run(whole, true);
    RC_PRE(!whole.records.empty());
    part.stop_after = *rc::gen::inRange<std::size_t>(1, whole.records.size() + 1);
    const SimulationResult some = run(part, true);
    if (!some.stopped) return;  // the last task of all had ended
    const Time at = *some.stopped;
    for (std::size_t i = 0; i < all.jobs.size(); ++i) {
      const JobOutcome &job = all.jobs[i], &cut = some.jobs[i];
      if (!cut.unfinished) {
        RC_ASSERT(cut == job);
      } else {
        RC_ASSERT(job.finish >= at || job.rejected);
      }
    }
    RC_ASSERT(some.makespan >= at - Time{});
    std::size_t running = 0;
    for (std::size_t i = 0; i < some.trace.size(); ++i) {
      const TaskRecord &record = some.trace[i], &later = all.trace[i];
      RC_ASSERT(record.start == later.start);
      RC_ASSERT(record.end <= at || record.end == later.end);
      // One that had ended may be lost with its node before it is reported.
      const bool ended_itself =
          later.outcome == AttemptOutcome::done || later.outcome == AttemptOutcome::failed;
      RC_ASSERT(later.end <= at || record.outcome == AttemptOutcome::running || !ended_itself);
      if (record.outcome != AttemptOutcome::running) continue;
      RC_ASSERT(record.end == at);
      RC_ASSERT(later.end >= at);
      ++running;
    }
    Duration busy{};
    SlotTime time;
    for (const TaskRecord& record : some.trace) busy += record.end - time.adds_from(record);
    RC_ASSERT(busy == some.map_busy + some.reduce_busy);
    RC_ASSERT(running <= some.trace.size());
  });
}

TEST(Stopped, AFlatPoolTellsTheSame) {
  const Workload workload{{job_of("A", {4, 9}, {5}), job_of("B", {3}, {}, 100)}};
  Policy policy = make_policy("fifo");
  const std::atomic<bool> stop{true};
  const SimulationResult result =
      simulate_on(workload, policy, {.cluster = flat_cluster({1, 1}), .trace = true, .stop = &stop});
  ASSERT_TRUE(result.stopped);
  EXPECT_TRUE(result.jobs[0].unfinished);
  EXPECT_TRUE(result.jobs[1].unfinished);
  EXPECT_TRUE(result.trace.empty());
  EXPECT_EQ(result.makespan, Duration{});
}

TEST(Stopped, AJobThatIsNotFinishedIsNotExplained) {
  const Workload workload{{job_of("A", {4}, {})}};
  Policy policy = make_policy("fifo");
  const std::atomic<bool> stop{true};
  const Cluster cluster = flat_cluster({1, 1});
  const SimulationResult result =
      simulate_on(workload, policy, {.cluster = cluster, .trace = true, .stop = &stop});
  EXPECT_THROW((void)explain(result, workload, cluster, 0), UsageError);
}

}  // namespace
}  // namespace wavewright
