// A batch that is to run on a cluster: each job's submission, and what the simulator expects of the whole.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/context.h"
#include "wavewright/cluster/cluster.h"
#include "wavewright/live/submission.h"
#include "wavewright/sched/plan.h"
#include "wavewright/sim/result.h"

namespace wavewright::app {

struct RunBatch {
  Workload listed;                           // as in the file
  std::optional<Plan> plan;                  // its order is that of submission; without one the file's
  Workload ordered;                          // the jobs in order of submission
  std::vector<Submission> submissions;       // of `ordered`
  std::vector<SubmissionSettings> settings;  // likewise
  // Parts of the plan that a scheduler cannot be told by an order of submission and options, as texts.
  std::vector<std::string> not_applied;
};

struct RunRequest {
  std::string file, plan;
  std::string queue;  // of jobs that name none; empty = the cluster's default
  std::string run;    // name of the run, part of every tag
};

// Throws InputError with the job if a job cannot be submitted, so that nothing is submitted of a batch that
// cannot be; if a job's queue is not one of the cluster's; or if the plan is of another batch.
[[nodiscard]] RunBatch prepare_run(const Context& context, const RunRequest& request,
                                   const std::optional<Cluster>& cluster);

struct ExpectedRun {
  Duration makespan{};
  Duration total_completion{};
};

// Simulated runs of the batch on the cluster, without the caps of the plan.
struct Expectation {
  std::string scheduler;               // the cluster's own, as a policy
  std::optional<ExpectedRun> planned;  // what the plan says of its slots
  ExpectedRun listed;                  // submitted in the order of the file
  std::optional<ExpectedRun> ordered;  // submitted in the plan's order; absent without a plan

  // (ordered − listed) / listed by the plan's objective; negative = the plan's order is better.
  [[nodiscard]] std::optional<double> change(Objective objective) const;
};

// Throws UsageError if no job has tasks, Infeasible if the batch cannot be run to its end there.
[[nodiscard]] Expectation expect_run(const Context& context, const RunBatch& batch, const Cluster& cluster,
                                     const std::string& scheduler);

[[nodiscard]] Json run_document(const RunBatch& batch, const RunRequest& request,
                                const std::optional<Expectation>& expected);

}  // namespace wavewright::app
