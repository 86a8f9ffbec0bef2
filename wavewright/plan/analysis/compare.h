// Two plans of one batch beside each other, job by job.
#pragma once

#include <string>
#include <vector>

#include "wavewright/cluster/slot_cluster.h"
#include "wavewright/job/job.h"
#include "wavewright/sched/plan.h"
#include "wavewright/sim/result.h"

namespace wavewright {

// One job under one plan; all from the batch's beginning.
struct PlannedJob {
  std::size_t place = 0;  // in the order of maps, from 1
  std::size_t pool = 0;   // of the plan, from 1
  Time start{};           // of its first task
  Time finish{};
  Duration predecessors{};    // from its submission until the jobs that it waits for were done
  Duration waited{};          // from its submission to its first task
  Duration reduces_waited{};  // from the end of its maps to its last reduce's start; 0 without reduces
};

struct JobChange {
  JobIndex job = 0;
  PlannedJob a, b;

  [[nodiscard]] Duration change() const { return b.finish - a.finish; }  // later in B is positive
  // Of its whole time, what the waits changed by.
  [[nodiscard]] Duration predecessors_change() const { return b.predecessors - a.predecessors; }
  [[nodiscard]] Duration wait_change() const { return b.waited - a.waited - predecessors_change(); }
  [[nodiscard]] Duration reduce_wait_change() const { return b.reduces_waited - a.reduces_waited; }
};

struct PlanComparison {
  Duration makespan_a{}, makespan_b{};
  Duration total_a{}, total_b{};  // completion, Σ(finish − submit)
  Count earlier = 0, later = 0;   // in B
  std::vector<JobChange> jobs;    // largest change first, equal ones in order of submission
};

// `a` and `b` are checked against the batch (check_plan); each runs on its own slots. O(simulation + tasks).
struct PlanRun {
  Plan plan;
  SlotCluster cluster;
};
[[nodiscard]] PlanComparison compare_plans(const Workload& batch, const PlanRun& a, const PlanRun& b);

// Why the job ends earlier or later: `starts 12min sooner, its reduces wait 3min longer; from place 4 to 2`.
[[nodiscard]] std::string in_words(const JobChange& change);

}  // namespace wavewright
