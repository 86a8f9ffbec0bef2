// The critical chain of a schedule: the tasks that decide its end, each of which waits for the one before it.
#pragma once

#include <cstdint>
#include <vector>

#include "wavewright/job/job.h"
#include "wavewright/sched/plan.h"
#include "wavewright/sim/result.h"

namespace wavewright {

struct ChainLink {
  // What the next task waited for; job: the end of this task's job (`after`).
  enum class For : std::uint8_t { slot, maps, job, end };
  std::size_t task = 0;  // in the trace
  For next_waited = For::end;
  Time from{};  // start of its work: its start, or the end of its job's maps
};

struct CriticalChain {
  std::vector<ChainLink> links;  // in order of time
  Time submitted{};              // when the first link's job, or a predecessor without tasks, was submitted
  bool complete = true;          // false: the trace does not show the reason for the first link's wait
};

// `result` has a trace and is from a flat pool. O(tasks · log tasks + edges · log edges).
[[nodiscard]] CriticalChain critical_chain(const Plan& plan, const Workload& batch,
                                           const SimulationResult& result);

}  // namespace wavewright
