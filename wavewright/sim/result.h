// What a simulation gives: per job, per task attempt, and in all.
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
  Time start{};             // of the first task; the submission where there is none
  Time maps_done{};         // end of the last map; the arrival where there are none
  Time finish{};            // end of the last task
  bool rejected = false;    // by the policy, or because a job before it was or failed
  bool failed = false;      // a task of it failed too often; `finish` is when that was known
  bool unfinished = false;  // the simulation was stopped before; times are as they stood then
  std::uint32_t failed_attempts = 0;
  std::uint32_t second_attempts = 0;  // of slow tasks
  std::uint32_t lost_attempts =
      0;  // with their node, or killed: with their job, for another's sake or the other attempt's
  // Maps by where their input lay; all 0 where the simulated cluster knows no places.
  std::uint32_t node_local = 0;
  std::uint32_t rack_local = 0;
  std::uint32_t off_rack = 0;

  friend bool operator==(const JobOutcome&, const JobOutcome&) = default;
};

// One attempt of a task on one slot, or of a task or an application master in one container. Slots of a kind
// count from 0, node by node, and so do containers by the place that they take. A task's time includes its
// launch, a reduce's also its shuffle and, with slow-start below 1, its wait for the last map. Tasks that
// share a slot (ClassSpeed::parallelism) start together and name the same one.
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

// Is told of every attempt once it is over: in order of end, on a flat pool in order of start.
class TaskSink {
 public:
  virtual ~TaskSink() = default;
  virtual void begin(const std::vector<std::string>& nodes) = 0;  // as SimulationResult::nodes
  virtual void add(const TaskRecord& record) = 0;
};

// What the policy said about a job while it ran: `Decisions::explain`.
struct Remark {
  Time at{};
  JobIndex job = 0;
  Reason reason;

  friend bool operator==(const Remark&, const Remark&) = default;
};

// Why a job is rejected that waits for another one.
[[nodiscard]] Reason behind(std::string_view predecessor);

struct SimulationResult {
  std::vector<JobOutcome> jobs;           // as in the workload
  std::map<JobIndex, Reason> rejections;  // why each rejected job was
  std::vector<Remark> remarks;            // in order of time
  std::vector<Lease> leases;              // in order of request, billed up to the makespan
  std::vector<TaskRecord> trace;          // in order of start, where asked for
  std::vector<std::string> nodes;         // their names; empty for a flat pool
  Duration makespan{};                    // latest finish, from the workload's time 0
  Duration total_completion{};            // Σ(finish − submit) over jobs not rejected
  std::uint64_t events = 0;               // arrivals + task ends, each counted once
  // Of clusters of nodes: attempts begun, transfers over the network that ended, and nodes' heartbeats that
  // brought a task or told of an end.
  std::uint64_t starts = 0;
  std::uint64_t transfers = 0;
  std::uint64_t heartbeats = 0;
  Duration map_busy{};  // slot time in use
  Duration reduce_busy{};
  double memory_busy = 0;  // of containers: MiB · ms given out, until the last task's end
  double engine_seconds = 0;
  std::optional<Time> stopped;  // where it was stopped before the end: when, in simulated time

  // Makespan and total completion out of the jobs' outcomes; of one that was stopped, of the jobs done.
  void sum_up();
  // busy / (slots × makespan); 0 where there are no slots or no time.
  [[nodiscard]] double map_utilisation(SlotPool pool) const;
  [[nodiscard]] double reduce_utilisation(SlotPool pool) const;
  [[nodiscard]] double memory_utilisation(Bytes memory) const;
};

}  // namespace wavewright
