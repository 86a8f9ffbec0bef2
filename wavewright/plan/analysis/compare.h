// Comparison of two plans of one batch, job by job.
#pragma once

#include <string>
#include <vector>

#include "wavewright/cluster/slot_cluster.h"
#include "wavewright/job/job.h"
#include "wavewright/sched/plan.h"
#include "wavewright/sim/result.h"

namespace wavewright {

// One job under one plan. Instants count from the batch's time 0.
struct PlannedJob {
  std::size_t place = 0;  // position in the order of maps, from 1
  std::size_t pool = 0;   // number of its pool in the plan, from 1
  Time start{};           // start of its first task
  Time finish{};
  Duration predecessors{};    // from submission to the end of its predecessors
  Duration waited{};          // from submission to its first task
  Duration reduces_waited{};  // from the end of its maps to the start of its last reduce; 0 without reduces
};

struct JobChange {
  JobIndex job = 0;
  PlannedJob a, b;

  [[nodiscard]] Duration change() const { return b.finish - a.finish; }  // positive: later in B
  // Changes of the job's waiting times.
  [[nodiscard]] Duration predecessors_change() const { return b.predecessors - a.predecessors; }
  [[nodiscard]] Duration wait_change() const { return b.waited - a.waited - predecessors_change(); }
  [[nodiscard]] Duration reduce_wait_change() const { return b.reduces_waited - a.reduces_waited; }
};

struct PlanComparison {
  Duration makespan_a{}, makespan_b{};
  Duration total_a{}, total_b{};  // total completion time, Σ(finish − submit)
  Count earlier = 0, later = 0;   // jobs that end earlier or later in B
  std::vector<JobChange> jobs;    // largest change first; equal changes in order of submission
};

struct PlanRun {
  Plan plan;
  SlotCluster cluster;
};
// Simulates both plans. The caller has checked them against the batch (check_plan). O(simulation + tasks).
[[nodiscard]] PlanComparison compare_plans(const Workload& batch, const PlanRun& a, const PlanRun& b);

// The differences, such as `pool 1 to 2, place 4 to 2, waits 12min less for its first slot`.
[[nodiscard]] std::string in_words(const JobChange& change);

}  // namespace wavewright
