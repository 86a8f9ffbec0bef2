#include "wavewright/sim/metrics/waiting.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace wavewright {

namespace {

// Waits of one job's attempts.
class JobWaits {
 public:
  JobWaits(const SimulationResult& result, const Job& job, JobIndex index, const Cluster& cluster,
           Time released)
      : outcome_(result.jobs[index]), job_(job), index_(index), cluster_(cluster), released_(released) {}

  // Adds them in order of kind, task, start.
  void add(std::vector<const TaskRecord*> attempts, std::vector<TaskWait>& waits) {
    std::sort(attempts.begin(), attempts.end(), [](const TaskRecord* a, const TaskRecord* b) {
      return std::tie(a->kind, a->task, a->start) < std::tie(b->kind, b->task, b->start);
    });
    const std::optional<Time> reduces = reduces_ready(attempts);
    std::vector<bool> seen[2] = {std::vector<bool>(job_.maps.size()), std::vector<bool>(job_.reduces.size())};
    const TaskRecord* before = nullptr;
    for (const TaskRecord* each : attempts) {
      const bool again = before != nullptr && before->kind == each->kind && before->task == each->task;
      const Time ready = each->kind == Kind::master ? released_
                         : each->kind == Kind::map  ? maps_ready(attempts)
                                                    : reduces.value_or(each->start);
      add({index_, each->kind, again ? std::max(ready, before->end) : ready, each->start}, waits);
      if (each->kind != Kind::master) seen[each->kind == Kind::map ? 0 : 1].at(each->task) = true;
      before = each;
    }
    if (!outcome_.failed && !outcome_.unfinished) return;
    const auto given_up = [&](Kind kind, const std::vector<bool>& started, Time from) {
      for (const bool any : started) {
        if (!any) add({index_, kind, from, outcome_.finish}, waits);
      }
    };
    given_up(Kind::map, seen[0], maps_ready(attempts));
    if (reduces) given_up(Kind::reduce, seen[1], *reduces);
  }

 private:
  static void add(const TaskWait& wait, std::vector<TaskWait>& waits) {
    if (wait.from < wait.to) waits.push_back(wait);
  }

  [[nodiscard]] Time maps_ready(const std::vector<const TaskRecord*>& attempts) const {
    if (cluster_.mode.kind != ClusterMode::Kind::containers) return released_ + cluster_.masters.start;
    if (attempts.empty() || attempts.front()->kind != Kind::master) return outcome_.finish;
    return attempts.front()->start + cluster_.mode.launch + cluster_.masters.start;
  }

  // None if the maps that slow-start requires have not ended.
  [[nodiscard]] std::optional<Time> reduces_ready(const std::vector<const TaskRecord*>& attempts) const {
    const auto needed =
        static_cast<std::size_t>(std::ceil(cluster_.mode.slowstart * static_cast<double>(job_.maps.size())));
    if (needed == 0) return maps_ready(attempts);
    std::vector<std::optional<Time>> first_end(job_.maps.size());
    for (const TaskRecord* each : attempts) {
      if (each->kind != Kind::map || each->outcome != AttemptOutcome::done) continue;
      std::optional<Time>& end = first_end.at(each->task);
      if (!end || each->end < *end) end = each->end;
    }
    std::vector<Time> ends;
    for (const std::optional<Time>& end : first_end) {
      if (end) ends.push_back(*end);
    }
    if (ends.size() < needed) return std::nullopt;
    std::nth_element(ends.begin(), ends.begin() + static_cast<std::ptrdiff_t>(needed - 1), ends.end());
    return ends[needed - 1];
  }

  const JobOutcome& outcome_;
  const Job& job_;
  JobIndex index_;
  const Cluster& cluster_;
  Time released_;
};

}  // namespace

std::vector<Time> release_times(const SimulationResult& result, const Workload& workload) {
  std::unordered_map<std::string_view, JobIndex> index;
  for (JobIndex job = 0; job < workload.jobs.size(); ++job) index.emplace(workload.jobs[job].id, job);
  std::vector<Time> released;
  for (const Job& job : workload.jobs) {
    Time at = job.submit;
    for (const std::string& id : job.after) {
      const auto other = index.find(id);
      if (other != index.end()) at = std::max(at, result.jobs[other->second].finish);
    }
    released.push_back(at);
  }
  return released;
}

std::vector<TaskWait> task_waits(const SimulationResult& result, const Workload& workload,
                                 const Cluster& cluster) {
  std::vector<std::vector<const TaskRecord*>> attempts(workload.jobs.size());
  for (const TaskRecord& task : result.trace) attempts[task.job].push_back(&task);
  const std::vector<Time> released = release_times(result, workload);
  std::vector<TaskWait> waits;
  for (JobIndex job = 0; job < workload.jobs.size(); ++job) {
    if (result.jobs[job].rejected) continue;
    JobWaits(result, workload.jobs[job], job, cluster, released[job]).add(std::move(attempts[job]), waits);
  }
  return waits;
}

}  // namespace wavewright
