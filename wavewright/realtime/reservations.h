// Admission by YARN's ReservationSystem, a rival: a job is accepted if one of its agents finds room for it in
// the plan (realtime/reservation_plan.h). A task starts when its block of the plan begins.
//
// The plan is not made anew when tasks end early; what a job has left is free once the job has ended. So with
// estimates that are upper bounds, all accepted jobs are in time: each task runs in its block, which holds
// its length, and the delays of cluster/assignment_delays.h, one heartbeat more as each block begins anew. A
// map's block holds the length of one that is far from its data.
//
// Readings: slots instead of memory; a job starts no task outside its blocks (YARN lets it use what is idle,
// and takes that back by preemption); YARN leaves what an ended job has reserved until its owner deletes it,
// which is taken to be at once; a job without a deadline is rejected, and so is one that waits for others.
#pragma once

#include <memory>

#include "wavewright/realtime/block_reads.h"
#include "wavewright/realtime/reservation_plan.h"
#include "wavewright/realtime/task_bound.h"
#include "wavewright/sched/policy.h"
#include "wavewright/sched/registry.h"

namespace wavewright {

struct ReservationOptions {
  ReservationAgent agent = ReservationAgent::greedy;
  bool forgets = true;        // as Hadoop's greedy agent, what it has placed for a stage
  Duration step = ms(1'000);  // yarn.resourcemanager.reservation-system.planfollower.time-step
  TaskBound bound;
  AssignmentDelays delays;
  BlockReads reads{};
};

[[nodiscard]] std::unique_ptr<Allocator> make_reservations(const ReservationOptions& options);
[[nodiscard]] PolicyEntry reservations_entry();

}  // namespace wavewright
