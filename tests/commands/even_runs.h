// Runs of a job whose lengths a test knows by heart.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wavewright/history/run.h"

namespace wavewright {

// Maps on four slots, then two reduces of 5 s shuffle and 15 s; 10 s before and 2 s after them.
inline JobRun even_run(int number, int maps, std::int64_t map_ms = 100'000) {
  constexpr std::int64_t begin = 1'700'000'000'000;
  JobRun run;
  run.id = "job_1700000000000_000" + std::to_string(number);
  run.name = "Nightly Sort";
  run.state = RunState::succeeded;
  const std::int64_t submit = begin + number * std::int64_t{10'000'000};
  run.submit = at_ms(submit);
  const std::int64_t first = submit + 10'000;
  std::int64_t maps_done = 0;
  const auto add = [&](TaskKind kind, int task_number, std::int64_t start, std::int64_t finish) {
    TaskRun task;
    task.kind = kind;
    task.number = task_number;
    task.state = AttemptState::succeeded;
    Attempt attempt;
    attempt.id = task.successful_attempt = "attempt_" + std::to_string(run.tasks.size());
    attempt.state = AttemptState::succeeded;
    attempt.start = at_ms(start);
    attempt.finish = at_ms(finish);
    if (kind == TaskKind::map) task.input = Bytes{64 << 20};
    if (kind == TaskKind::reduce) attempt.sort_finish = attempt.shuffle_finish = at_ms(finish - 15'000);
    task.attempts = {attempt};
    run.tasks.push_back(task);
    run.finish = at_ms(finish + 2'000);
  };
  for (int i = 0; i < maps; ++i) {
    const std::int64_t start = first + i / 4 * map_ms;
    maps_done = start + map_ms;
    add(TaskKind::map, i, start, maps_done);
  }
  for (int i = 0; i < 2; ++i) add(TaskKind::reduce, i, maps_done - 50'000, maps_done + 20'000);
  return run;
}

// Thirty runs of `drifter`, one after another. The maps of the last six take twice as long.
inline std::vector<JobRun> drifted_runs() {
  std::vector<JobRun> runs;
  for (int i = 1; i <= 30; ++i) {
    runs.push_back(even_run(100 + i, 8, i > 24 ? 200'000 : 100'000));
    runs.back().name = "drifter";
  }
  return runs;
}

}  // namespace wavewright
