// The answers of `wavewright plan` that are not one plan. Each gives the exit status.
#pragma once

#include "apps/commands/plan_options.h"
#include "apps/context.h"
#include "wavewright/job/job.h"
#include "wavewright/sched/plan.h"

namespace wavewright::app {

[[nodiscard]] Workload read_batch(const Context& context, const PlanOptions& options);
// What is given of the time that all may take.
[[nodiscard]] std::optional<Duration> time_limit_of(const PlanOptions& options);

// --curve: makespan over the number of slots.
[[nodiscard]] int plan_curve(const Context& context, const PlanOptions& options);
// --deadline without all slots: the fewest that meet it.
[[nodiscard]] int plan_fewest_slots(const Context& context, const PlanOptions& options);
// --compare A B: two plans job by job.
[[nodiscard]] int plan_comparison(const Context& context, const PlanOptions& options);

// Of a plan: its text, without what --json lists.
void print_plan(const Plan& plan);
// What the pools of a plan have together; none where it names no pools.
[[nodiscard]] std::optional<SlotPool> pool_of(const Plan& plan);

}  // namespace wavewright::app
