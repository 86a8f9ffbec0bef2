// A batch that is to run on a cluster: each job's submission, and what the simulator expects of the whole.
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "apps/commands/run_energy.h"
#include "apps/context.h"
#include "wavewright/cluster/cluster.h"
#include "wavewright/live/batch/live_batch.h"
#include "wavewright/live/submission/submission.h"
#include "wavewright/live/submission/submission_pace.h"
#include "wavewright/live/yarn/pool_queues.h"
#include "wavewright/sched/plan.h"
#include "wavewright/sim/result.h"

namespace wavewright::app {

struct RunBatch {
  Workload listed;                           // as in the file
  std::optional<Plan> plan;                  // its order is that of submission; without one the file's
  std::optional<EnergyOrder> energy;         // of a plan for energy; `plan` then has its order alone
  Workload ordered;                          // the jobs in order of submission
  std::vector<Submission> submissions;       // of `ordered`
  std::vector<SubmissionSettings> settings;  // likewise
  // Parts of the plan that a scheduler cannot be told by an order of submission and options, as texts.
  std::vector<std::string> not_applied;
};

struct RunRequest {
  std::string file, plan;
  std::string queue;    // of jobs that name none; empty = the cluster's default
  std::string run;      // name of the run
  bool plugin = false;  // the cluster's plug-in applies limits and both orders
  std::string tagged;   // the text from which all tags are made; differs between two runs of one name
  std::optional<PoolQueues> pools = {};   // into which the jobs are put
  std::optional<int> most_priority = {};  // the cluster's largest: jobs get priorities in their order
  std::optional<double> slowstart = {};   // of all jobs; absent = the cluster's own
  std::string account = {};               // as which the jobs run
  std::size_t most_bytes = std::numeric_limits<std::size_t>::max();  // of all commands, as submitted
};

// Does a cluster file tell the cluster's queues? Each job's queue must be one of them then.
[[nodiscard]] bool lists_queues(const std::optional<Cluster>& cluster);

// Jobs that are added to a batch, in their own order. Throws as prepare_run does.
[[nodiscard]] RunBatch prepare_added(Workload jobs, const RunRequest& request,
                                     const std::optional<Cluster>& cluster);

// Throws InputError with the job if a job cannot be submitted, so that nothing is submitted of a batch that
// cannot be; if a job's queue is not one of the cluster's; or if the plan is of another batch.
[[nodiscard]] RunBatch prepare_run(const Context& context, const RunRequest& request,
                                   const std::optional<Cluster>& cluster);

struct ExpectedRun {
  Duration makespan{};
  Duration total_completion{};
  struct OfJob {
    Time start{}, end{};  // since the beginning of the run
  };
  std::map<std::string, OfJob> jobs = {};  // by id; those that end
  // Makespans of runs with times of submission drawn from earlier ones: nine in ten lie between. The run
  // whose makespan is the median of theirs is the expected one.
  struct Range {
    Duration p5{}, p95{};
  };
  std::optional<Range> makespan_range = {};  // absent if no earlier ones are known
};

// Simulated runs of the batch on the cluster: with the limits of the plan's caps, with the pools' queues and,
// where the plug-in applies them, with both orders of the plan.
struct Expectation {
  std::string scheduler;               // the cluster's own, as a policy
  std::optional<ExpectedRun> planned;  // what the plan says of its slots
  ExpectedRun listed;                  // submitted in the order of the file
  // Submitted in the order of the plan or of the dispatching queue; absent without either.
  std::optional<ExpectedRun> ordered;
  std::optional<SubmissionPace> pace = {};  // in what is expected; absent = jobs come as soon as they may

  // The run in the order of submission that was asked for.
  [[nodiscard]] const ExpectedRun& chosen() const { return ordered ? *ordered : listed; }

  // (ordered − listed) / listed by the plan's objective; negative = the plan's order is better.
  [[nodiscard]] std::optional<double> change(Objective objective) const;
};

// Throws UsageError if no job has tasks, Infeasible if the batch cannot be run to its end there.
// `ordering`: of the dispatching queue, if there is one. `pace`: absent = submission takes no time.
[[nodiscard]] Expectation expect_run(const Context& context, const RunBatch& batch, const RunRequest& request,
                                     const Cluster& given, const std::string& scheduler,
                                     const std::optional<LiveOrdering>& ordering,
                                     const std::optional<SubmissionPace>& pace);

// `expected` of `run --json`: makespan and total completion of each order.
[[nodiscard]] Json expectation_document(const RunBatch& batch, const Expectation& expected);

// The users that jobs name and as whom they do not run, each once, in the order of the jobs.
[[nodiscard]] std::vector<std::string> other_users(const Workload& jobs, const std::string& account);

[[nodiscard]] Json run_document(const RunBatch& batch, const RunRequest& request,
                                const std::optional<Expectation>& expected);

}  // namespace wavewright::app
