// What keeps a plan from ending sooner, in words: the chain of tasks that decides the end, followed backwards
// from the last task of the simulated schedule.
//
// Each task of the chain began when it did for one of these reasons: its slot was held by the task before it
// (then slots of that kind limit the plan), it needed the job's last map (then that map's length does), the
// job waited for another one (`after`) whose last task it was, or was submitted only then. Where several
// tasks ended at the instant that one waited for, the one on the same slot is taken, else that on the lowest
// slot: there may be other chains of the same length. No time of the schedule lies outside the chain: its
// spans follow each other from 0 to the makespan.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wavewright/plan/planner.h"
#include "wavewright/sim/result.h"

namespace wavewright {

struct Bottleneck {
  enum class By : std::uint8_t {
    submission,    // nothing of the chain was there yet: until `job` was submitted
    map_slots,     // maps of the chain followed each other on slots
    map,           // until this map of `job` ended, and its reduces could work or all was done
    reduce_slots,  // reduces of the chain followed each other on slots
    reduce,        // until this reduce of `job` ended, which nothing but its own length delayed
    job,           // until this last task of `job` ended, for which the job `waiting` waited
  };
  By by = By::map_slots;
  Time from{};
  Time to{};
  JobIndex job = 0;        // of slots: of the last task
  Kind kind = Kind::map;   // of the last task
  std::uint32_t task = 0;  // of submission: 0
  Count tasks = 0;         // of the chain, in the span
  JobIndex waiting = 0;    // of a job's end: whose next task began then
  double use = 0;          // of slots: share of all slots of the kind that held tasks in the span
};
[[nodiscard]] std::string_view name_of(Bottleneck::By by);  // `map-slots`, …

struct Bottlenecks {
  // In order of time, none where nothing runs. Where no job waits for another: at most one of each kind, in
  // the order of By, for maps wait for nothing but slots and submissions.
  std::vector<Bottleneck> spans;
  double map_use = 0;  // slot time in use until the makespan
  double reduce_use = 0;
};

// `result`: the plan's schedule, with trace. O(tasks · log tasks).
[[nodiscard]] Bottlenecks bottlenecks_of(const Plan& plan, const Workload& batch, SlotPool pool,
                                         const SimulationResult& result);
// Simulates the plan.
[[nodiscard]] Bottlenecks bottlenecks_of(const Plan& plan, const PlanningProblem& problem);

// The jobs with tasks in the chain, each once. [PERT's critical activities]
[[nodiscard]] std::vector<JobIndex> chain_jobs(const Plan& plan, const Workload& batch,
                                               const SimulationResult& result);

// One or two sentences: `Map slots are the bottleneck until 3h10min (97 % in use). J17's longest reduce
// (40min) decides the end at 4h.` Empty where nothing runs; of more than six spans the longest.
[[nodiscard]] std::string in_words(const Bottlenecks& found, const Workload& batch);

}  // namespace wavewright
