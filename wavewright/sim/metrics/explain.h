// Explains a simulated job's time from its submission to its finish by its critical chain, which is followed
// backwards from the last task to end.
//
// Submission → (predecessors) → first slot → earlier waves of its maps → (failed or lost attempts) → last map
// to end → a slot for the last reduce to end → that reduce. The parts add up to finish − submission exactly.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/job/job.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {

struct TimePart {
  enum class What : std::uint8_t {
    predecessors,  // until its predecessors were done
    setup,         // with slots, until its tasks could start
    master,        // until its application master had a container
    master_start,  // until the master asked for the first task's container
    first_slot,    // until its first task started
    map_waves,     // until the decisive map started; other maps, of any job, had the slots
    retries,       // failed or lost attempts of the decisive tasks, and the wait for another
    launch,        // of the decisive tasks
    processors,    // that launch, and the time that other work took of their processors
    map_work,      // of the decisive map, with its block on the node
    distance,      // added by the block's distance
    straggling,    // time by which attempts were slower than their work
    report,        // until heartbeats reported the ends
    reduce_slot,   // until the decisive reduce started
    shuffle,
    reduce_work,
    commit,  // until the application master declared the job done
  };
  What what = What::first_slot;
  Duration time{};
};

[[nodiscard]] std::string to_string(TimePart::What what);

struct Explanation {
  std::vector<TimePart> parts;       // in order of time, without empty parts
  std::optional<std::uint32_t> map;  // the decisive tasks
  std::optional<std::uint32_t> reduce;
};

// Why a job failed: a task of it failed too often (Faults::max_attempts).
struct JobFailure {
  Kind kind = Kind::map;
  std::uint32_t task = 0;
  Time known{};                      // when the job failed
  std::vector<TaskRecord> attempts;  // of that task, that failed; by start
};

// Explains jobs of one run. What it is made of must outlive it; `result` must have its `trace`.
class Explainer {
 public:
  Explainer(const SimulationResult& result, const Workload& workload,
            const Cluster& cluster);  // O(tasks + edges)
  ~Explainer();
  Explainer(const Explainer&) = delete;
  Explainer& operator=(const Explainer&) = delete;
  Explainer(Explainer&&) = delete;
  Explainer& operator=(Explainer&&) = delete;

  // Throws UsageError for a rejected, failed or unfinished job. O(attempts of the job).
  [[nodiscard]] Explanation explain(JobIndex index) const;
  // Throws UsageError for a job that did not fail. O(attempts of the job).
  [[nodiscard]] JobFailure failure(JobIndex index) const;

 private:
  struct Facts;
  std::unique_ptr<Facts> facts_;
};

// Of one job: Explainer::explain. O(tasks).
[[nodiscard]] Explanation explain(const SimulationResult& result, const Workload& workload,
                                  const Cluster& cluster, JobIndex index);

}  // namespace wavewright
