// Bottlenecks of a plan: the resources that decide when its simulated schedule ends, in order of time.
//
// They come from the critical chain (critical_chain.h), which goes backwards from the last task. Each task of
// the chain started when it did for one of four reasons:
// - the task before it held its slot: slots of that kind are the bottleneck;
// - it needed the job's last map: the length of that map is the bottleneck;
// - its job waited for another job (`after`), which ended with the task before it;
// - its job was submitted only then.
// If several tasks ended at that instant, the chain takes the one on the same slot, else the one on the
// lowest slot. There may be other chains of the same length. The spans cover the schedule from 0 to the
// makespan without gaps.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wavewright/job/job_labels.h"
#include "wavewright/plan/planner.h"
#include "wavewright/sim/result.h"

namespace wavewright {

struct Bottleneck {
  enum class By : std::uint8_t {
    submission,    // until the submission of `job`, the first of the chain
    map_slots,     // maps of the chain followed each other on slots
    map,           // until this map of `job` ended; then its reduces could work, or the schedule ended
    reduce_slots,  // reduces of the chain followed each other on slots
    reduce,        // until this reduce of `job` ended; only its own length delayed it
    job,           // until this last task of `job` ended, for which the job `waiting` waited
  };
  By by = By::map_slots;
  Time from{};
  Time to{};
  JobIndex job = 0;        // for slots: job of the last task
  Kind kind = Kind::map;   // kind of the last task
  std::uint32_t task = 0;  // 0 for a submission
  Count tasks = 0;         // tasks of the chain in the span
  JobIndex waiting = 0;    // for a job's end: the job that waited for it
  double use = 0;          // for slots: share of the kind's slots in use during the span
};
[[nodiscard]] std::string_view name_of(Bottleneck::By by);  // `map-slots`, …

struct Bottlenecks {
  // In order of time; empty if nothing runs. Without precedence there is at most one span of each kind, in
  // the order of By, because maps wait only for slots and submissions.
  std::vector<Bottleneck> spans;
  double map_use = 0;  // share of slot time in use until the makespan
  double reduce_use = 0;
};

// `result` is the plan's schedule with trace. O(tasks · log tasks).
[[nodiscard]] Bottlenecks bottlenecks_of(const Plan& plan, const Workload& batch, SlotPool pool,
                                         const SimulationResult& result);
// Simulates the plan first.
[[nodiscard]] Bottlenecks bottlenecks_of(const Plan& plan, const PlanningProblem& problem);

// The jobs with tasks in the chain, each once: PERT's critical activities.
[[nodiscard]] std::vector<JobIndex> chain_jobs(const Plan& plan, const Workload& batch,
                                               const SimulationResult& result);

// One or two sentences: `Map slots are the bottleneck until 3h10min (97 % in use). J17's longest reduce
// (40min) decides the end at 4h.` Names at most the six longest spans. Empty if nothing runs.
[[nodiscard]] std::string in_words(const Bottlenecks& found, const Workload& batch, const JobLabels& labels);
// With the jobs' names.
[[nodiscard]] std::string in_words(const Bottlenecks& found, const Workload& batch);

}  // namespace wavewright
