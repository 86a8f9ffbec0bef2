// Gives out a cluster's resources. Slots and containers differ here; jobs and attempts are the same for both.
#pragma once

#include <span>

#include "wavewright/sim/nodes/slot_table.h"

namespace wavewright::sim {

class ResourceManager {
 public:
  virtual ~ResourceManager() = default;
  // ---- jobs
  virtual void begin_job(JobIndex job) = 0;                 // the policy admitted the job
  virtual void has_work(JobIndex job, Kind kind) = 0;       // tasks of the kind may start
  virtual void returned(JobIndex, Kind, std::uint32_t) {}   // the task must run again; before has_work
  virtual void has_less_work(JobIndex job, Kind kind) = 0;  // there may be none left
  virtual void job_settled(JobIndex) {}                     // done, failed or rejected
  virtual void cap_changed(JobIndex) {}                     // the most containers that it may hold
  // ---- slots
  virtual void vacate(SlotTable& table, std::uint32_t slot) = 0;  // its attempt has ended
  virtual void master_launched(std::uint32_t) {}                  // the container of an application master
  [[nodiscard]] virtual std::span<const Count> free_on_classes(Kind kind) = 0;  // slots, or MiB
  // ---- nodes
  virtual void withdraw(NodeIndex node) = 0;  // attempts there are lost; no offers until restored
  virtual void close(NodeIndex node) = 0;     // attempts there go on; no offers until restored
  virtual void restore(NodeIndex node) = 0;
  // Nothing more can happen to the job, which was admitted and is not over: throws Infeasible with the
  // reason, if it is known.
  virtual void explain_stuck(JobIndex job) const = 0;
};

}  // namespace wavewright::sim
