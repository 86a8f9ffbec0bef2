#include "wavewright/history/run.h"

#include <algorithm>

namespace wavewright {

std::string to_string(RunState state) {
  switch (state) {
    case RunState::running:
      return "RUNNING";
    case RunState::succeeded:
      return "SUCCEEDED";
    case RunState::failed:
      return "FAILED";
    case RunState::killed:
      return "KILLED";
    case RunState::unknown:
      break;
  }
  return "UNKNOWN";
}

std::string to_string(AttemptState state) {
  switch (state) {
    case AttemptState::succeeded:
      return "SUCCEEDED";
    case AttemptState::failed:
      return "FAILED";
    case AttemptState::killed:
      return "KILLED";
    case AttemptState::unknown:
      break;
  }
  return "UNKNOWN";
}

std::string to_string(TaskKind kind) {
  switch (kind) {
    case TaskKind::map:
      return "map";
    case TaskKind::reduce:
      return "reduce";
    case TaskKind::setup:
      return "setup";
    case TaskKind::cleanup:
      return "cleanup";
  }
  return "unknown";
}

const Attempt* winner(const TaskRun& task) {
  const Attempt* last = nullptr;
  for (const Attempt& attempt : task.attempts) {
    if (attempt.state != AttemptState::succeeded) continue;
    if (attempt.id == task.successful_attempt) return &attempt;
    if (last == nullptr || !last->finish || (attempt.finish && *attempt.finish >= *last->finish))
      last = &attempt;
  }
  return last;
}

Count JobRun::attempts_in(AttemptState attempt_state) const {
  Count count = 0;
  for (const TaskRun& task : tasks) {
    count += std::count_if(task.attempts.begin(), task.attempts.end(),
                           [&](const Attempt& attempt) { return attempt.state == attempt_state; });
  }
  return count;
}

}  // namespace wavewright
