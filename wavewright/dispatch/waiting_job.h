// What the online system knows of a job that waits to be dispatched: how many tasks, how long they take on
// average, and when it arrived [ORDER §4.1]. No drawn durations: a live queue has none either.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wavewright/job/objective.h"
#include "wavewright/plan/methods/stage_times.h"

namespace wavewright {

struct StageWork {
  Count tasks = 0;
  Duration mean{};  // of one task

  friend bool operator==(const StageWork&, const StageWork&) = default;
};

struct WaitingJob {
  std::string id;
  Time arrived{};
  StageWork maps;
  StageWork reduces;
  std::optional<Time> deadline = std::nullopt;
  double weight = 1;  // what its delay costs beside the others'; above 0

  friend bool operator==(const WaitingJob&, const WaitingJob&) = default;
};

// Means of the job's own tasks, rounded to 1 ms, a reduce with the shorter of its shuffles; the weight is
// its cost of delay, 1 where it has none. O(tasks).
[[nodiscard]] WaitingJob waiting_job(const Job& job);

// The job as objectives see it, done at `at`.
[[nodiscard]] FinishedJob finished(const WaitingJob& job, Time at);

// T^M = maps · mean / map slots and T^R likewise, rounded to 1 ms [ORDER Algs 2–4]; a pool without slots of
// a kind counts as one slot.
[[nodiscard]] StageTimes fluid_times(const WaitingJob& job, SlotPool pool);
[[nodiscard]] std::vector<StageTimes> fluid_times(std::span<const WaitingJob> jobs, SlotPool pool);

// A batch of such jobs, all there at time 0, every task of a stage as long as its mean; ids are positions.
[[nodiscard]] Workload batch_of(std::span<const WaitingJob> jobs);

}  // namespace wavewright
