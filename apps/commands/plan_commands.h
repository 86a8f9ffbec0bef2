// Variants of `wavewright plan` whose result is not one plan. Each returns the exit status.
#pragma once

#include "apps/commands/plan_options.h"
#include "apps/context.h"
#include "wavewright/job/job.h"
#include "wavewright/sched/plan.h"

namespace wavewright::app {

[[nodiscard]] Workload read_batch(const Context& context, const PlanOptions& options);
// The time limit for all methods together, if given.
[[nodiscard]] std::optional<Duration> time_limit_of(const PlanOptions& options);

// --curve: makespan over the number of slots.
[[nodiscard]] int plan_curve(const Context& context, const PlanOptions& options);
// --deadline with an open number of slots: the fewest that meet it.
[[nodiscard]] int plan_fewest_slots(const Context& context, const PlanOptions& options);
// --compare A B: two plans job by job.
[[nodiscard]] int plan_comparison(const Context& context, const PlanOptions& options);

// One row per method; the chosen one is marked.
void print_methods(const std::vector<Plan>& plans, const Plan& best);
// Prints a plan as text, without the details of --json. `ids`: jobs by id instead of name.
void print_plan(const Plan& plan, const Workload& batch, bool ids);
// The total of a plan's pools; none if it names no pools.
[[nodiscard]] std::optional<SlotPool> pool_of(const Plan& plan);
// As check_plan; notes where the plan's file was made for fewer slots.
void check_plan_of_file(const Context& context, const Plan& plan, const Workload& batch, SlotPool pool,
                        const std::string& file);

}  // namespace wavewright::app
