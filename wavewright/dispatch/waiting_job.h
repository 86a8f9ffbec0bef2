// A waiting job as the dispatching queue sees it: number and mean length of its tasks, and its arrival
// [ORDER §4.1]. It has no drawn task lengths, since a live queue does not know them either.
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
  double weight = 1;      // cost of delay relative to other jobs; above 0
  std::size_t index = 0;  // in the caller's list of jobs; nothing here reads it

  friend bool operator==(const WaitingJob&, const WaitingJob&) = default;
};

// The job with the means of its tasks, rounded to 1 ms, each reduce with the shorter of its shuffles. The
// weight is its cost of delay, 1 if it has none. O(tasks).
[[nodiscard]] WaitingJob waiting_job(const Job& job);

// The job as objectives see it, done at `at`.
[[nodiscard]] FinishedJob finished(const WaitingJob& job, Time at);

// Stage times: T^M = maps · mean / map slots and T^R likewise, rounded to 1 ms [ORDER Algs 2–4]. A pool
// without slots of a kind counts as one slot.
[[nodiscard]] StageTimes fluid_times(const WaitingJob& job, SlotPool pool);
[[nodiscard]] std::vector<StageTimes> fluid_times(std::span<const WaitingJob> jobs, SlotPool pool);

// A batch of these jobs, all submitted at time 0, every task as long as its stage's mean. Ids are positions.
[[nodiscard]] Workload batch_of(std::span<const WaitingJob> jobs);

}  // namespace wavewright
