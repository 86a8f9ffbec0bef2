// Slow tasks of a simulated cluster of nodes get a second attempt (speculation.h says which). Every so often
// the jobs are looked at all of whose tasks have started: of these only those in which a task may be slow by
// then, for tasks move on evenly, so that it can be told beforehand how far one may fall behind. O(tasks of
// those jobs) a look.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "wavewright/sim/model/speculation.h"
#include "wavewright/sim/nodes/job_course.h"

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
  using Course::result_;

  SlowTasks(const Workload& workload, Policy& policy, const NodeModel& model, const ClusterOptions& options)
      : Course(workload, policy, model, options) {}

  [[nodiscard]] bool speculates() const { return model_.cluster.mode.speculation; }
  // When slow tasks are next looked for, as long as anything runs.
  [[nodiscard]] std::uint64_t next_check() const {
    if (!speculates()) return never;
    const bool busy = !maps_.queue.empty() || !reduces_.queue.empty() || !this->sharing_.empty() ||
                      (this->flows_ && !this->flows_->empty());
    return busy ? (now_ / check_ + 1) * check_ : never;
  }
  // Marks the slow tasks of jobs that have nothing new to start, where it is time to look for them.
  void double_slow_tasks() {
    if (!speculates() || now_ % check_ != 0) return;
    mark_slow_tasks(maps_);
    mark_slow_tasks(reduces_);
  }
  // The job's last task of the kind that was to start has started, or one has got a second attempt.
  void all_started(Side& side, JobIndex index) { look_anew(side, index); }
  void left_alone(Side& side, JobIndex index) override { look_anew(side, index); }
  void maps_over(JobIndex index) override {
    const NodeJob::Tasks& reduces = jobs_[index].reduces;
    if (speculates() && reduces.left > 0 && reduces.pending == 0 && reduces.look_at == never)
      look_at(reduces_, index, now_);
  }

 private:
  // Not before any of the job's attempts can be old enough.
  void look_anew(Side& side, JobIndex index) {
    if (!speculates()) return;
    const auto begun = static_cast<std::uint64_t>(to_ms(result_.jobs[index].start - Time{}));
    look_at(side, index, std::max(now_, begun + age_));
  }
  void look_at(Side& side, JobIndex index, std::uint64_t instant) {
    jobs_[index].tasks(side.kind).look_at = instant;
    if (instant != never) side.looks[(instant + check_ - 1) / check_].push_back(index);
  }
  void mark_slow_tasks(Side& side) {
    due_.clear();
    while (!side.looks.empty() && side.looks.begin()->first <= now_ / check_) {
      const std::vector<JobIndex>& jobs = side.looks.begin()->second;
      for (const JobIndex index : jobs) prefetch(&jobs_[index], NodeJob::hot);
      due_.insert(due_.end(), jobs.begin(), jobs.end());
      side.looks.erase(side.looks.begin());
    }
    std::sort(due_.begin(), due_.end());
    due_.erase(std::unique(due_.begin(), due_.end()), due_.end());
    for (const JobIndex index : due_) {
      const NodeJob& state = jobs_[index];
      const NodeJob::Tasks& tasks = state.tasks(side.kind);
      if (tasks.look_at > now_) continue;
      // One with something to start will tell when all of it has.
      if (state.settled || tasks.left == 0 || tasks.pending > 0) continue;
      if (side.kind == Kind::reduce && state.maps_done_at == never) {
        look_at(side, index, never);  // when its maps are done
      } else {
        mark_slow_tasks(side, index);
      }
    }
  }
  void mark_slow_tasks(Side& side, JobIndex index) {
    running_of(side, index);
    const std::uint64_t possible = first_possible(side, index);
    if (possible > now_) return look_at(side, index, possible);
    // Again, were it at this instant: attempts of no length may have ended by then.
    look_at(side, index, now_);
    std::sort(running_.begin(), running_.end());
    progress_.clear();
    for (const std::uint32_t slot : running_) {
      const Running& attempt = side.on[slot];
      const std::uint64_t elapsed = now_ - attempt.since;
      progress_.push_back(
          {done_part(now_, attempt.from, attempt.full), elapsed, alone(side, attempt) && elapsed >= age_});
    }
    const std::size_t most = model_.most_seconds(side.count, side.seconds + side.marked);
    for (const std::size_t i :
         choose_to_double(model_.cluster.mode.rule, progress_, finished(side, index), most))
      mark(side, index, side.on[running_[i]].task);
  }
  [[nodiscard]] std::uint32_t finished(const Side& side, JobIndex index) const {
    const NodeJob::Tasks& tasks = jobs_[index].tasks(side.kind);
    return tasks.count - tasks.left;
  }
  // At its task, which was never doubled.
  [[nodiscard]] bool alone(const Side& side, const Running& attempt) const {
    return attempt.twin == Running::alone &&
           !jobs_[attempt.job].attempts->of(side.kind).was_doubled(attempt.task);
  }

  // Before that, if nothing happens to the job but ends of its tasks, none of those that run can be doubled:
  // it is not old enough, or (by Hadoop's rule) not far enough behind. `now_` or before where that is not
  // known.
  [[nodiscard]] std::uint64_t first_possible(const Side& side, JobIndex index) {
    bool even = model_.cluster.mode.rule == SpeculationRule::hadoop;  // each is known to move so to its end
    Pace pace;
    candidates_.clear();
    for (const std::uint32_t slot : running_) {
      const Running& attempt = side.on[slot];
      even = even && attempt.ends && attempt.full != 0;
      const Pace::Move move(now_, attempt.from, attempt.full);
      pace.add(move);
      if (alone(side, attempt)) candidates_.push_back({attempt.since + age_, move});
    }
    pace.divide(running_.size() + finished(side, index), finished(side, index));
    std::uint64_t first = never;
    for (const Candidate& each : candidates_) {
      if (each.old_at >= first) continue;
      first = std::min(first, std::max(each.old_at, even ? pace.first_behind(now_, each.move) : now_));
    }
    return first;
  }
  void mark(Side& side, JobIndex index, std::uint32_t task) {
    Attempts::OfKind& attempts = jobs_[index].attempts->of(side.kind);
    attempts.flags[task / 64].doubled |= attempts.bit(task);
    attempts.marked.push_back(task);
    ++side.marked;
    this->has_work(index, side.kind);
  }
  // The slots on which the job's tasks run.
  void running_of(const Side& side, JobIndex index) {
    const Attempts::OfKind& attempts = jobs_[index].attempts->of(side.kind);
    tasks_.clear();
    for (std::size_t word = 0; word < attempts.flags.size(); ++word) {
      for (std::uint64_t bits = attempts.flags[word].running; bits != 0; bits &= bits - 1) {
        tasks_.push_back(static_cast<std::uint32_t>(word * 64) +
                         static_cast<std::uint32_t>(std::countr_zero(bits)));
        side.expect(attempts.tasks[tasks_.back()].slot);
      }
    }
    running_.clear();
    for (const std::uint32_t task : tasks_) {
      const std::uint32_t slot = attempts.tasks[task].slot;
      const Running& attempt = side.on[slot];
      if (side.idle.contains(slot) || attempt.over || attempt.job != index || attempt.task != task) continue;
      running_.push_back(slot);
      if (attempt.twin != Running::alone) running_.push_back(attempt.twin);
    }
  }

  const std::uint64_t check_ = Course::length(model_.cluster.mode.speculation_check);
  const std::uint64_t age_ = Course::length(model_.cluster.mode.speculation_after);
  std::vector<JobIndex> due_;           // jobs to be looked at now
  std::vector<std::uint32_t> tasks_;    // that may run, and
  std::vector<std::uint32_t> running_;  // the slots of those that do, of the one that is looked at
  std::vector<Progress> progress_;
  // Those that may be doubled once they are old enough.
  struct Candidate {
    std::uint64_t old_at = 0;
    Pace::Move move;
  };
  std::vector<Candidate> candidates_;
};

}  // namespace wavewright::sim
