// Slow tasks of a simulated cluster of nodes get a second attempt (speculation.h says which). Every so often
// the jobs are looked at all of whose tasks have started, of these only those with an attempt that is old
// enough. O(tasks of those jobs) a look.
#pragma once

#include <algorithm>
#include <vector>

#include "wavewright/sim/nodes/job_course.h"
#include "wavewright/sim/nodes/speculation.h"

namespace wavewright::sim {

class SlowTasks : protected JobCourse {
 protected:
  using Course = JobCourse;
  using Course::jobs_;
  using Course::maps_;
  using Course::model_;
  using Course::never;
  using Course::now_;
  using Course::reduces_;

  SlowTasks(const Workload& workload, Policy& policy, const NodeModel& model, const ClusterOptions& options)
      : Course(workload, policy, model, options) {}

  [[nodiscard]] bool speculates() const { return model_.cluster.mode.speculation; }
  // When slow tasks are next looked for, as long as anything runs.
  [[nodiscard]] std::uint64_t next_check() const {
    if (!speculates()) return never;
    const bool busy = !maps_.queue.empty() || !reduces_.queue.empty() || !this->launching_.empty() ||
                      (this->flows_ && !this->flows_->empty());
    return busy ? (now_ / check_ + 1) * check_ : never;
  }
  // Marks the slow tasks of jobs that have nothing new to start, where it is time to look for them.
  void double_slow_tasks() {
    if (!speculates() || now_ % check_ != 0) return;
    mark_slow_tasks(maps_);
    mark_slow_tasks(reduces_);
  }
  // The job's last task of the kind that was to start has started.
  void all_started(Side& side, JobIndex index) {
    if (!speculates()) return;
    NodeJob::Tasks& tasks = jobs_[index].tasks(side.kind);
    tasks.look_at = 0;
    if (!tasks.tail) side.tails.push_back(index);
    tasks.tail = true;
  }

 private:
  void mark_slow_tasks(Side& side) {
    std::erase_if(side.tails, [&](JobIndex index) {
      NodeJob::Tasks& tasks = jobs_[index].tasks(side.kind);
      tasks.tail = !jobs_[index].settled && tasks.left > 0 && tasks.pending == 0;
      return !tasks.tail;
    });
    std::sort(side.tails.begin(), side.tails.end());
    for (const JobIndex index : side.tails) {
      if (now_ < jobs_[index].tasks(side.kind).look_at) continue;
      if (side.kind == Kind::reduce && jobs_[index].maps_done_at == never) continue;
      mark_slow_tasks(side, index);
    }
  }
  void mark_slow_tasks(Side& side, JobIndex index) {
    NodeJob& state = jobs_[index];
    running_of(side, index);
    const std::vector<bool>& doubled = state.attempts->of(side.kind).doubled;
    const auto alone = [&](const Running& attempt) {
      return attempt.twin == Running::alone && !doubled[attempt.task];
    };
    std::uint64_t look_at = never;
    for (const std::uint32_t slot : running_) {
      if (alone(side.on[slot])) look_at = std::min(look_at, side.on[slot].since + age_);
    }
    state.tasks(side.kind).look_at = look_at;
    if (now_ < look_at) return;
    std::sort(running_.begin(), running_.end());
    progress_.clear();
    for (const std::uint32_t slot : running_) {
      const Running& attempt = side.on[slot];
      const std::uint64_t elapsed = now_ - attempt.since;
      progress_.push_back(
          {done_part(now_, attempt.from, attempt.full), elapsed, alone(attempt) && elapsed >= age_});
    }
    const std::size_t most = model_.most_seconds(side.count, side.seconds + side.marked);
    const std::uint32_t finished = state.tasks(side.kind).count - state.tasks(side.kind).left;
    for (const std::size_t i : choose_to_double(model_.cluster.mode.rule, progress_, finished, most))
      mark(side, index, side.on[running_[i]].task);
  }
  void mark(Side& side, JobIndex index, std::uint32_t task) {
    Attempts::OfKind& attempts = jobs_[index].attempts->of(side.kind);
    attempts.doubled[task] = true;
    attempts.marked.push_back(task);
    ++side.marked;
    this->has_work(index, side.kind);
  }
  // The slots on which the job's tasks run.
  void running_of(const Side& side, JobIndex index) {
    Attempts& all = *jobs_[index].attempts;
    const Attempts::OfKind& attempts = all.of(side.kind);
    running_.clear();
    for (std::uint32_t task = 0; task < attempts.slot.size(); ++task) {
      if (side.kind == Kind::map && all.ran_on[task] != Attempts::nowhere) continue;  // it is done
      const std::uint32_t slot = attempts.slot[task];
      const Running& attempt = side.on[slot];
      if (side.idle.contains(slot) || attempt.over || attempt.job != index || attempt.task != task) continue;
      running_.push_back(slot);
      if (attempt.twin != Running::alone) running_.push_back(attempt.twin);
    }
  }

  const std::uint64_t check_ = Course::length(model_.cluster.mode.speculation_check);
  const std::uint64_t age_ = Course::length(model_.cluster.mode.speculation_after);
  std::vector<std::uint32_t> running_;  // of the job that is looked at
  std::vector<Progress> progress_;
};

}  // namespace wavewright::sim
