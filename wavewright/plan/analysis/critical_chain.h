// The tasks that decide when a schedule ends, each waiting for the one before it.
#pragma once

#include <cstdint>
#include <vector>

#include "wavewright/job/job.h"
#include "wavewright/sched/plan.h"
#include "wavewright/sim/result.h"

namespace wavewright {

struct ChainLink {
  enum class For : std::uint8_t { slot, maps, job, end };  // job: its job's end (`after`)
  std::size_t task = 0;                                    // in the trace
  For next_waited = For::end;  // what the task after it in the chain waited for: this one's …
  Time from{};                 // when it began to work: its start, or the end of its job's maps
};

struct CriticalChain {
  std::vector<ChainLink> links;  // in order of time
  Time submitted{};              // of the first link's job, or of one without tasks that it waited for; what
                                 // lies before it is waiting for the submission
  bool complete = true;          // false: nothing in the trace says what the first link waited for
};

// `result` with trace, of a flat pool. O(tasks · log tasks + edges · log edges).
[[nodiscard]] CriticalChain critical_chain(const Plan& plan, const Workload& batch,
                                           const SimulationResult& result);

}  // namespace wavewright
