// Where a simulated job's time went, from its submission to its finish: the chain that decided the finish,
// followed backwards from the last task to end.
//
// Submission → (jobs before it) → first slot → earlier waves of its own maps → (attempts that failed or were
// lost) → the map that ended last → a slot for the reduce that ended last → that reduce. The parts add up to
// finish − submission exactly.
#pragma once

#include <string>
#include <vector>

#include "wavewright/job/job.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {

struct TimePart {
  enum class What : std::uint8_t {
    predecessors,  // until the jobs that it waits for were done
    setup,         // with slots, until its tasks could start
    master,        // until its application master had a container
    master_start,  // until that asked for the first task's
    first_slot,    // until something of it started
    map_waves,     // until the decisive map started: slots were taken by earlier maps, its own or others'
    retries,     // attempts of the decisive map and reduce that failed or were lost, and the wait for another
    launch,      // of the decisive map and reduce
    processors,  // that launch, and what others had of the processors that the work of the two keeps busy
    map_work,    // of the decisive map, with its block at hand
    distance,    // what the block's distance added
    straggling,  // what the attempt was slower than its work
    report,      // until heartbeats told of the ends
    reduce_slot,  // until the decisive reduce started
    shuffle,
    reduce_work,
    commit,  // until the application master declared the job done
  };
  What what = What::first_slot;
  Duration time{};
};

[[nodiscard]] std::string to_string(TimePart::What what);

struct Explanation {
  std::vector<TimePart> parts;       // in order of time, those of no length left out
  std::optional<std::uint32_t> map;  // the decisive tasks
  std::optional<std::uint32_t> reduce;
};

// `result` must have been recorded with `trace`. O(tasks). Throws UsageError on a job that was rejected or
// failed.
[[nodiscard]] Explanation explain(const SimulationResult& result, const Workload& workload,
                                  const Cluster& cluster, JobIndex index);

}  // namespace wavewright
