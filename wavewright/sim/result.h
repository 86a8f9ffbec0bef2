// Results of a simulation: per job, per task attempt, and totals.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/core/quantity.h"
#include "wavewright/core/time.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

struct JobOutcome {
  Time submit{};
  std::optional<Time> master_up;  // its last application master came up; absent with slots
  Time start{};                   // of the first task; the arrival if there is none
  Time maps_done{};               // end of the last map; the arrival if there is none
  Time finish{};                  // end of the last task and of the job's commit
  bool rejected = false;          // by the policy, or because a predecessor was rejected or failed
  bool failed = false;            // a task failed too often; `finish` is when that was known
  bool unfinished = false;        // the simulation was stopped first; open times are the instant of the stop
  std::uint32_t failed_attempts = 0;
  std::uint32_t second_attempts = 0;  // of slow tasks
  std::uint32_t lost_attempts = 0;    // with their node
  std::uint32_t killed_attempts = 0;  // job failed, preempted, master lost, or the other attempt was first
  // Maps by locality; all 0 if the simulated cluster has no block places.
  std::uint32_t node_local = 0;
  std::uint32_t rack_local = 0;
  std::uint32_t off_rack = 0;

  // Whether each instant happened: where the run was stopped, it may not have. (A start at the very instant
  // of the stop counts as none.)
  [[nodiscard]] bool has_started() const { return !rejected && (!unfinished || start < finish); }
  [[nodiscard]] bool has_maps_done() const {
    return !rejected && maps_done >= submit && (!unfinished || maps_done < finish);
  }
  [[nodiscard]] bool has_finished() const { return !rejected && !unfinished; }

  // Counts an attempt that came to nothing, but did not fail.
  void count_stop(AttemptOutcome outcome) {
    ++(outcome == AttemptOutcome::lost ? lost_attempts : killed_attempts);
  }

  friend bool operator==(const JobOutcome&, const JobOutcome&) = default;
};

// One attempt of a task on a slot, or of a task or an application master in a container. Slots of a kind are
// numbered from 0, node by node; a container has the number of the place that it takes. The time from start
// to end includes the launch; for a reduce also the shuffle and, with slow-start below 1, the wait for the
// last map. Tasks that share a slot (ClassSpeed::parallelism) start together and have the same slot number.
struct TaskRecord {
  JobIndex job = 0;
  Kind kind = Kind::map;
  std::uint32_t task = 0;
  std::uint32_t slot = 0;
  Time start{};
  Time end{};
  NodeIndex node = 0;
  Locality locality = Locality::node;
  std::uint32_t attempt = 0;
  AttemptOutcome outcome = AttemptOutcome::done;
  std::uint32_t memory = 0;  // MiB, of a container

  friend bool operator==(const TaskRecord&, const TaskRecord&) = default;
};
std::ostream& operator<<(std::ostream& out, const TaskRecord& record);

// Receives every attempt when it is over: in order of end; on a flat pool in order of start.
class TaskSink {
 public:
  virtual ~TaskSink() = default;
  virtual void begin(const std::vector<std::string>& nodes) = 0;  // as SimulationResult::nodes
  virtual void add(const TaskRecord& record) = 0;
};

// A reason that the policy gave for a job (`Decisions::explain`).
struct Remark {
  Time at{};
  JobIndex job = 0;
  Reason reason;

  friend bool operator==(const Remark&, const Remark&) = default;
};

// The reason to reject a job whose predecessor was rejected or failed.
[[nodiscard]] Reason behind(std::string_view predecessor);

struct SimulationResult {
  std::vector<JobOutcome> jobs;           // as in the workload
  std::map<JobIndex, Reason> rejections;  // of each rejected job
  std::vector<Remark> remarks;            // by time
  std::vector<Lease> leases;              // by request, billed up to the makespan
  std::vector<TaskRecord> trace;          // by start; empty unless asked for
  std::vector<std::string> nodes;         // names; empty for a flat pool
  Duration makespan{};                    // latest finish or the stop, from the workload's time 0
  Duration total_completion{};            // Σ(finish − submit) of the jobs that are done
  std::uint64_t events = 0;               // arrivals + ends of attempts, each counted once
  // Clusters of nodes only: attempts started, network transfers completed, and node heartbeats that assigned
  // a task or reported an end.
  std::uint64_t starts = 0;
  std::uint64_t transfers = 0;
  std::uint64_t heartbeats = 0;
  Duration map_busy{};  // slot time in use
  Duration reduce_busy{};
  double memory_busy = 0;  // containers: MiB · ms allocated, until the last task's end
  double engine_seconds = 0;
  std::optional<Time> stopped;  // instant of a stop, in simulated time
  // Why the run could not go on, and who held what; `stopped` is set, too (ClusterOptions::keep_stuck).
  struct Stuck {
    std::string what;
    std::string remedy;
  };
  std::optional<Stuck> stuck;

  // Computes makespan and total completion from the jobs' outcomes.
  void sum_up();
  // busy / (slots × makespan); 0 if there are no slots or no time.
  [[nodiscard]] double map_utilisation(SlotPool pool) const;
  [[nodiscard]] double reduce_utilisation(SlotPool pool) const;
  [[nodiscard]] double memory_utilisation(Bytes memory) const;
};

}  // namespace wavewright
