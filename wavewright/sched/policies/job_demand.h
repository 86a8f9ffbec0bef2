// What a job holds and waits for, as preemption counts it.
#pragma once

#include "wavewright/sched/policy.h"

namespace wavewright {

// True if the job holds nothing and waits for nothing.
[[nodiscard]] inline bool is_over(JobIndex job, const View& view) {
  return view.pending(job, Kind::map) + view.pending(job, Kind::reduce) +
             view.held(job, Kind::map, any_class) + view.held(job, Kind::reduce, any_class) ==
         0;
}

// With containers: MiB that the job waits for; its master's, if that does not run. `reduces_ready`: its
// reduces may start.
[[nodiscard]] inline Count lacked_memory(JobIndex job, bool reduces_ready, const View& view) {
  if (view.held(job, Kind::master, any_class) == 0) return view.size(job, Kind::master);
  const Count reduces = reduces_ready ? view.pending(job, Kind::reduce) : 0;
  return view.pending(job, Kind::map) * view.size(job, Kind::map) + reduces * view.size(job, Kind::reduce);
}

}  // namespace wavewright
