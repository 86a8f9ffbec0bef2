// Small runs, written as a table of attempts, to profile.
#pragma once

#include "wavewright/history/run.h"

namespace wavewright {

inline Attempt attempt(std::int32_t number, AttemptState state, std::int64_t start, std::int64_t finish) {
  Attempt made;
  made.id = "attempt_" + std::to_string(number);
  made.number = number;
  made.state = state;
  made.start = at_ms(start);
  made.finish = at_ms(finish);
  return made;
}

inline Attempt reduce_attempt(std::int64_t start, std::int64_t shuffled, std::int64_t merged,
                              std::int64_t finish) {
  Attempt made = attempt(0, AttemptState::succeeded, start, finish);
  made.shuffle_finish = at_ms(shuffled);
  made.sort_finish = at_ms(merged);
  return made;
}

inline TaskRun task(TaskKind kind, std::vector<Attempt> attempts) {
  TaskRun made;
  made.kind = kind;
  for (const Attempt& one : attempts) {
    if (one.state == AttemptState::succeeded) made.successful_attempt = one.id;
  }
  made.attempts = std::move(attempts);
  return made;
}

inline TaskRun map_task(std::int64_t start, std::int64_t finish) {
  return task(TaskKind::map, {attempt(0, AttemptState::succeeded, start, finish)});
}

// From 0; two maps to 100 and 120, a reduce of the first wave and one of a later wave.
inline JobRun small_run() {
  JobRun run;
  run.id = "job_1_0001";
  run.name = "small";
  run.state = RunState::succeeded;
  run.submit = at_ms(0);
  run.finish = at_ms(300);
  run.tasks = {map_task(10, 100), map_task(20, 120),
               task(TaskKind::reduce, {reduce_attempt(100, 140, 150, 190)}),
               task(TaskKind::reduce, {reduce_attempt(200, 230, 240, 280)})};
  return run;
}

}  // namespace wavewright
