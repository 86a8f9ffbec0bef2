#include "wavewright/live/outlook/job_progress.h"

#include <algorithm>

#include "wavewright/core/error.h"
#include "wavewright/history/json.h"
#include "wavewright/history/limits.h"

namespace wavewright {

namespace {

using json::for_each;
using json::integer;
using json::member;
using json::Value;

Count count_of(Value job, std::string_view key) {
  return std::max<Count>(0, integer(job, key).value_or(0));
}

struct Task {
  bool map = false, done = false;
  bool again = false;   // an earlier attempt began at `start`: how long the last one took is not told
  Time start{}, end{};  // `end`: of one that runs, now
};

// An id is such as attempt_1700000000000_0001_m_000003_1. Attempts under a second master begin with 1000, and
// so on.
bool is_first_attempt(std::string_view id) {
  const std::string_view number = id.substr(std::min(id.rfind('_') + 1, id.size()));
  return number.empty() || number == "0" || number.ends_with("000");
}

// The tasks that have started and neither failed nor were killed.
std::vector<Task> tasks_of(Value answer) {
  std::vector<Task> tasks;
  const auto list = member(answer, "tasks");
  if (!list) return tasks;
  for_each(*list, "task", [&](Value each) {
    const std::string_view state = json::text(each, "state"), type = json::text(each, "type");
    const std::int64_t start = integer(each, "startTime").value_or(0);
    const std::int64_t elapsed = integer(each, "elapsedTime").value_or(-1);
    const bool done = state == "SUCCEEDED";
    if (start <= 0 || (!done && state != "RUNNING") || (type != "MAP" && type != "REDUCE")) return;
    const std::int64_t end = done ? integer(each, "finishTime").value_or(0) : start + elapsed;
    if (end < start || end - start > longest_duration.count()) return;
    const bool again = done && !is_first_attempt(json::text(each, "successfulAttempt"));
    tasks.push_back({type == "MAP", done, again, at_ms(start), at_ms(end)});
  });
  return tasks;
}

std::optional<Duration> mean_of(const std::vector<SeenTask>& tasks) {
  std::int64_t sum = 0, count = 0;
  for (const SeenTask& task : tasks) {
    if (!task.done) continue;
    sum += task.length.count();
    ++count;
  }
  return count == 0 ? std::nullopt : std::optional(ms(sum / count));
}

void take_tasks(const std::vector<Task>& tasks, JobProgress& progress) {
  std::optional<Time> last_map;
  for (const Task& task : tasks) {
    if (!progress.started || task.start < *progress.started) progress.started = task.start;
    if (!task.map) continue;
    last_map = std::max(last_map, std::optional(task.end));
    if (task.again) continue;
    progress.maps.tasks.push_back({task.end - task.start, task.done, false});
  }
  const bool all = progress.maps.done == progress.maps.total;
  if (all) progress.maps_done = last_map;
  for (const Task& task : tasks) {
    if (task.map || task.again) continue;
    // A reduce that runs beside the last maps waits for them: nothing is known of its length yet.
    const Time from = !all ? task.end : std::max(task.start, last_map.value_or(task.start));
    const bool later = all && (!last_map || task.start > *last_map);
    progress.reduces.tasks.push_back({std::max(task.end - from, Duration{}), task.done, later});
  }
  progress.maps.mean = mean_of(progress.maps.tasks);
  if (all) progress.reduces.mean = mean_of(progress.reduces.tasks);
}

// What our clock is ahead of the application master's, on whose node it may be set otherwise; 0 if the job
// has ended or does not tell.
Duration clock_ahead(Value job, Time now) {
  const std::int64_t start = integer(job, "startTime").value_or(0);
  const std::int64_t elapsed = integer(job, "elapsedTime").value_or(0);
  const bool tells = start > 0 && elapsed > 0 && json::text(job, "state") == "RUNNING";
  if (!tells || start > to_ms(now) + longest_duration.count() || elapsed > longest_duration.count())
    return {};
  return now - at_ms(start + elapsed);
}

}  // namespace

JobProgress parse_progress(std::string_view job, std::string_view tasks, const std::string& url, Time now) {
  const auto refuse = [&](const std::string& what) -> ExternalError {
    return {{url}, what, "it is asked again later"};
  };
  json::Document document;
  JobProgress progress;
  progress.at = now;
  try {
    const auto told = member(document.parse(job, url), "job");
    if (!told || !integer(*told, "mapsTotal")) throw refuse("tells no progress of a job");
    const auto stage = [&](const char* total, const char* done, const char* running) {
      StageProgress found;
      found.total = count_of(*told, total);
      found.done = std::min(found.total, count_of(*told, done));
      found.running = std::min(found.total - found.done, count_of(*told, running));
      return found;
    };
    progress.maps = stage("mapsTotal", "mapsCompleted", "mapsRunning");
    progress.reduces = stage("reducesTotal", "reducesCompleted", "reducesRunning");
    if (std::max(progress.maps.total, progress.reduces.total) > most_tasks_of_a_run)
      throw refuse("tells of more tasks than a job can have");
    progress.failed_attempts = count_of(*told, "failedMapAttempts") + count_of(*told, "failedReduceAttempts");
    const Duration ahead = clock_ahead(*told, now);
    if (!tasks.empty()) take_tasks(tasks_of(document.parse(tasks, url)), progress);
    for (auto* const told_at : {&progress.started, &progress.maps_done}) {
      if (*told_at && **told_at < now + longest_duration) **told_at += ahead;
    }
  } catch (const InputError& error) {
    throw refuse("does not answer with JSON: " + error.problem());
  }
  return progress;
}

}  // namespace wavewright
