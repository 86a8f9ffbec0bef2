#include "wavewright/profile/run_phases.h"

#include <algorithm>

#include "wavewright/profile/concurrency.h"
#include "wavewright/profile/task_times.h"
#include "wavewright/profile/waits.h"

namespace wavewright {

namespace {

bool overlap(const Attempt& a, const Attempt& b) {
  return a.start && a.finish && b.start && b.finish && *a.start <= *b.finish && *b.start <= *a.finish;
}

// Killed because another attempt of the task, running at the same time, won.
bool lost_race(const Attempt& attempt, const Attempt* best) {
  return best != nullptr && attempt.state == AttemptState::killed && overlap(attempt, *best);
}

void count_attempts(const TaskRun& task, AttemptCounts& counts) {
  const Attempt* best = winner(task);
  for (const Attempt& attempt : task.attempts) {
    switch (attempt.state) {
      case AttemptState::succeeded:
        ++counts.succeeded;
        break;
      case AttemptState::failed:
        ++counts.failed;
        break;
      case AttemptState::killed:
        ++(lost_race(attempt, best) ? counts.speculative : counts.killed);
        break;
      case AttemptState::unknown:
        break;
    }
  }
}

// Sums bytes over tasks; unknown if they are unknown for one task.
class Sum {
 public:
  void add(const std::optional<Bytes>& bytes) {
    any_ = true;
    told_ = told_ && bytes.has_value();
    if (bytes) sum_ += *bytes;
  }
  [[nodiscard]] std::optional<Bytes> get() const {
    return any_ && told_ ? std::optional(sum_) : std::nullopt;
  }

 private:
  Bytes sum_;
  bool any_ = false;
  bool told_ = true;
};

// Time between submission and finish that no map or reduce attempt covers.
std::optional<Duration> idle_time(const JobRun& run) {
  if (!run.submit || !run.finish || *run.finish < *run.submit) return std::nullopt;
  std::vector<std::pair<Time, Time>> busy;
  for (const TaskRun& task : run.tasks) {
    if (task.kind != TaskKind::map && task.kind != TaskKind::reduce) continue;
    for (const Attempt& attempt : task.attempts) {
      if (attempt.start && attempt.finish) busy.emplace_back(*attempt.start, *attempt.finish);
    }
  }
  std::sort(busy.begin(), busy.end());
  Duration idle{};
  Time covered = *run.submit;
  for (const auto& [start, finish] : busy) {
    if (start > covered) idle += std::min(start, *run.finish) - covered;
    covered = std::min(std::max(covered, finish), *run.finish);
  }
  return idle + (*run.finish - covered);
}

// Histories over REST tell no version: their format is given instead.
std::string generation_of(const std::string& hadoop) {
  const bool is_version = !hadoop.empty() && hadoop[0] >= '0' && hadoop[0] <= '9';
  return is_version ? hadoop.substr(0, hadoop.find(' ')) : "";
}

}  // namespace

std::optional<Duration> RunPhases::measured() const {
  if (!submit || !finish || *finish < *submit) return std::nullopt;
  return *finish - *submit;
}

RunPhases phases_of(const JobRun& run) {
  RunPhases phases;
  phases.id = run.id;
  phases.state = run.state;
  phases.submit = run.submit;
  phases.finish = run.finish;
  phases.hadoop = generation_of(run.hadoop);
  phases.settings = run.settings;
  phases.quality_warnings = run.quality_warnings;
  phases.slots = peak_attempts(run);
  phases.overhead = idle_time(run);
  Sum map_input, map_output, reduce_input, reduce_output;
  for (const TaskRun& task : run.tasks) {
    const bool won = winner(task) != nullptr;
    if (task.kind == TaskKind::map) {
      ++phases.maps;
      count_attempts(task, phases.map_attempts);
      if (won) map_input.add(task.input);
      if (won) map_output.add(task.output);
    } else if (task.kind == TaskKind::reduce) {
      ++phases.reduces;
      count_attempts(task, phases.reduce_attempts);
      if (won) reduce_input.add(task.input);
      if (won) reduce_output.add(task.output);
    }
  }
  for (const TaskTime& time : task_times(run)) {
    if (time.map) phases.map.push_back(*time.map);
    if (time.shuffle) (time.first_wave ? phases.first_shuffle : phases.shuffle).push_back(*time.shuffle);
    if (time.reduce) phases.reduce.push_back(*time.reduce);
  }
  phases.maps = std::max(phases.maps, run.total_maps);
  phases.reduces = std::max(phases.reduces, run.total_reduces);
  add_waits(run, phases);
  phases.map_input = map_input.get();
  phases.map_output = map_output.get();
  phases.reduce_input = reduce_input.get();
  phases.reduce_output = reduce_output.get();
  return phases;
}

}  // namespace wavewright
