// The real-time scheduler RTMR [UNL §5.2]: a job is accepted only if it and all accepted jobs surely end by
// their deadlines.
//
// Maps go by the queue (admission.h). Reduces too, but a reduce starts only while more slots are free than
// the jobs before it, whose maps have not ended, have reduces [UNL Alg. 5.4, with ≥ in line 10]: these slots
// are theirs.
//
// A job's setup (start_ms of its master) is over when the job arrives here. So it is counted once, by the
// deadline that is left, and no job behind it takes its slots meanwhile: its place begins with its tasks.
//
// Reduces start when the ends of all maps of their job have been told, as the proof needs it, whatever
// `slowstart` says.
//
// Readings: a job without a deadline is accepted and goes last; one that waits for other jobs is rejected,
// for its start cannot be promised; so is a job that no slots can hold. After nodes came or went all tasks
// are placed anew.
#pragma once

#include <memory>
#include <vector>

#include "wavewright/realtime/admission.h"
#include "wavewright/realtime/block_reads.h"
#include "wavewright/realtime/series.h"
#include "wavewright/realtime/task_bound.h"
#include "wavewright/sched/policy.h"
#include "wavewright/sched/registry.h"

namespace wavewright {

struct RtmrOptions {
  TaskBound bound;
  AdmissionController::Options admission;
  BlockReads reads{};
  bool admits_all = false;  // no admission: the order and the reservations alone
  std::vector<Series> series{};
};

[[nodiscard]] std::unique_ptr<Allocator> make_rtmr(const RtmrOptions& options);
[[nodiscard]] PolicyEntry rtmr_entry();

}  // namespace wavewright
