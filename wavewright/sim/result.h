// What a simulation gives: per job, per task attempt, and in all.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/core/quantity.h"
#include "wavewright/core/time.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

struct JobOutcome {
  Time submit{};
  Time start{};      // of the first task; the submission where there is none
  Time maps_done{};  // end of the last map; the arrival where there are none
  Time finish{};     // end of the last task
  bool rejected = false;

  friend bool operator==(const JobOutcome&, const JobOutcome&) = default;
};

// One task on one slot. Slots of a kind count from 0; a reduce's time includes its shuffle and, with
// slow-start below 1, its wait for the last map.
struct TaskRecord {
  JobIndex job = 0;
  Kind kind = Kind::map;
  std::uint32_t task = 0;
  std::uint32_t slot = 0;
  Time start{};
  Time end{};

  friend bool operator==(const TaskRecord&, const TaskRecord&) = default;
};
std::ostream& operator<<(std::ostream& out, const TaskRecord& record);

struct SimulationResult {
  std::vector<JobOutcome> jobs;   // as in the workload
  std::vector<TaskRecord> trace;  // in order of start, where asked for
  Duration makespan{};            // latest finish, from the workload's time 0
  Duration total_completion{};    // Σ(finish − submit) over jobs not rejected
  std::uint64_t events = 0;       // arrivals + task ends
  Duration map_busy{};            // slot time in use
  Duration reduce_busy{};
  double engine_seconds = 0;

  // busy / (slots × makespan); 0 where there are no slots or no time.
  [[nodiscard]] double map_utilisation(SlotPool pool) const;
  [[nodiscard]] double reduce_utilisation(SlotPool pool) const;
};

}  // namespace wavewright
