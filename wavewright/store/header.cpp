#include <algorithm>

#include "wavewright/history/limits.h"
#include "wavewright/profile/concurrency.h"
#include "wavewright/store/store.h"

namespace wavewright {

namespace {

// Bytes that the maps read: the tasks' sum if all have one, else the job's own counter.
std::optional<Bytes> input_of(const JobRun& run) {
  Bytes sum;
  bool any = false;
  bool all = true;
  for (const TaskRun& task : run.tasks) {
    if (task.kind != TaskKind::map) continue;
    any = true;
    all = all && task.input.has_value();
    if (task.input) sum += *task.input;
  }
  if (any && all) return sum;
  for (const auto& [name, value] : run.counters) {
    const bool possible = value >= 0 && value <= most_bytes_of_a_run;
    if (possible && name.ends_with("/HDFS_BYTES_READ")) return Bytes{value};
  }
  return std::nullopt;
}

Count seen(const JobRun& run, TaskKind kind) {
  return std::count_if(run.tasks.begin(), run.tasks.end(),
                       [&](const TaskRun& task) { return task.kind == kind; });
}

}  // namespace

RunHeader header_of(const JobRun& run) {
  RunHeader header;
  header.id = run.id;
  header.name = run.name;
  header.user = run.user;
  header.queue = run.queue;
  header.state = run.state;
  header.submit = run.submit;
  header.launch = run.launch;
  header.finish = run.finish;
  header.maps = std::max(run.total_maps, seen(run, TaskKind::map));
  header.reduces = std::max(run.total_reduces, seen(run, TaskKind::reduce));
  header.failed_attempts = run.attempts_in(AttemptState::failed);
  header.killed_attempts = run.attempts_in(AttemptState::killed);
  header.peak = peak_attempts(run);
  header.input = input_of(run);
  header.hadoop = run.hadoop;
  header.source = run.source;
  return header;
}

}  // namespace wavewright
