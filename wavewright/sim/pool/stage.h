// One stage of a simulated pool: the slots of a kind and the jobs that want them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wavewright/sched/policy.h"
#include "wavewright/sim/kernel/number_set.h"
#include "wavewright/sim/kernel/slot_queue.h"

namespace wavewright::sim {

// A job's tasks of one kind, as indices of the layout's durations; `next` is the first that has not started.
struct StageJob {
  std::uint64_t first = 0;
  std::uint64_t next = 0;
  std::uint64_t end = 0;  // one past the last
};

struct StageProgress {
  std::uint32_t left = 0;    // tasks of the job that have not ended
  std::uint32_t notify = 0;  // with so many left, the engine must do more than free the slot
};

// The task on a slot, kept if the policy may ask for it.
struct StageTask {
  TaskIndex task = 0;
  std::uint64_t since = 0;
};

template <class Word>
struct Stage {
  Stage(std::size_t job_count, Count slots)
      : queue(static_cast<std::uint32_t>(slots)),
        idle(static_cast<std::uint32_t>(slots)),
        jobs(job_count),
        progress(job_count),
        job_on(static_cast<std::size_t>(slots)) {}

  [[nodiscard]] Count pending(JobIndex job) const {
    return static_cast<Count>(jobs.at(job).end - jobs.at(job).next);
  }
  [[nodiscard]] Count held(JobIndex job) const {
    return static_cast<Count>(progress.at(job).left) - pending(job);
  }

  [[nodiscard]] Count busy_slots() const { return static_cast<Count>(job_on.size()) - idle.count(); }

  SlotQueue<Word> queue;
  NumberSet idle;
  std::vector<StageJob> jobs;
  std::vector<StageProgress> progress;
  std::vector<JobIndex> job_on;    // by slot
  std::vector<StageTask> task_on;  // by slot, or empty
  std::uint64_t busy = 0;          // slot time in use, ms
};

// Map ends before a job's reduces become ready: ⌈slowstart × maps⌉.
[[nodiscard]] std::uint32_t maps_before_reduces(std::uint32_t maps, double slowstart);

// A job is left although nothing more can happen. Throws InternalError if the policy never admitted it,
// Infeasible if no slot can ever take its tasks.
[[noreturn]] void throw_stuck(const std::string& job, const std::string& policy, bool admitted, bool maps);

}  // namespace wavewright::sim
