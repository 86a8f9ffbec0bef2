// Slow tasks of a simulated cluster of nodes get a second attempt (rules: model/speculation.h). A check looks
// at jobs whose tasks have all started and in which one may be slow by then: tasks move on evenly, so it is
// known beforehand how far one may fall behind. O(tasks of those jobs) per check.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "wavewright/sim/model/speculation.h"
#include "wavewright/sim/nodes/attempt_runner.h"

namespace wavewright::sim {

class Speculation {
 public:
  Speculation(World& world, ResourceManager& resources, const AttemptRunner& runner)
      : w_(world), resources_(resources), runner_(runner) {}

  [[nodiscard]] bool speculates() const { return w_.model.cluster.mode.speculation; }
  // True if it compares running tasks with how long finished ones took.
  [[nodiscard]] bool needs_lengths() const {
    return speculates() && w_.model.cluster.mode.rule == SpeculationRule::late;
  }
  // The next check for slow tasks; never while nothing runs.
  [[nodiscard]] std::uint64_t next_check() const {
    if (!speculates()) return never;
    const bool busy = !w_.maps.queue.empty() || !w_.reduces.queue.empty() || runner_.busy();
    return busy ? (w_.now_ms / check_ + 1) * check_ : never;
  }
  // At a check, marks the slow tasks of jobs that have nothing new to start.
  void double_slow_tasks() {
    if (!speculates() || w_.now_ms % check_ != 0) return;
    mark_slow_tasks(w_.maps);
    mark_slow_tasks(w_.reduces);
  }
  // The job's last pending task of the kind has started, or one has got a second attempt.
  void all_started(SlotTable& table, JobIndex index) { look_anew(table, index); }
  void left_alone(SlotTable& table, JobIndex index) { look_anew(table, index); }
  void maps_over(JobIndex index) {
    const NodeJob::Tasks& reduces = w_.jobs[index].reduces;
    if (speculates() && reduces.left > 0 && reduces.pending == 0 && reduces.look_at == never)
      look_at(w_.reduces, index, w_.now_ms);
  }

 private:
  // Looks again once an attempt of the job can be old enough.
  void look_anew(SlotTable& table, JobIndex index) {
    if (!speculates()) return;
    const auto begun = static_cast<std::uint64_t>(to_ms(w_.result.jobs[index].start - Time{}));
    look_at(table, index, std::max(w_.now_ms, begun + age_));
  }
  void look_at(SlotTable& table, JobIndex index, std::uint64_t instant) {
    w_.jobs[index].tasks(table.kind).look_at = instant;
    if (instant != never) table.looks[(instant + check_ - 1) / check_].push_back(index);
  }
  void mark_slow_tasks(SlotTable& table) {
    due_.clear();
    while (!table.looks.empty() && table.looks.begin()->first <= w_.now_ms / check_) {
      const std::vector<JobIndex>& jobs = table.looks.begin()->second;
      for (const JobIndex index : jobs) prefetch(&w_.jobs[index], NodeJob::hot);
      due_.insert(due_.end(), jobs.begin(), jobs.end());
      table.looks.erase(table.looks.begin());
    }
    std::sort(due_.begin(), due_.end());
    due_.erase(std::unique(due_.begin(), due_.end()), due_.end());
    for (const JobIndex index : due_) {
      const NodeJob& state = w_.jobs[index];
      const NodeJob::Tasks& tasks = state.tasks(table.kind);
      if (tasks.look_at > w_.now_ms) continue;
      // A job with something to start is looked at when all of it has started.
      if (state.settled || tasks.left == 0 || tasks.pending > 0) continue;
      if (table.kind == Kind::reduce && state.maps_done_at == never) {
        look_at(table, index, never);  // when its maps are done
      } else {
        mark_slow_tasks(table, index);
      }
    }
  }
  void mark_slow_tasks(SlotTable& table, JobIndex index) {
    running_of(table, index);
    const std::uint64_t possible = first_possible(table, index);
    if (possible > w_.now_ms) return look_at(table, index, possible);
    // Look again, even at this instant: attempts of no length may have ended by then.
    look_at(table, index, w_.now_ms);
    std::sort(running_.begin(), running_.end());
    progress_.clear();
    for (const std::uint32_t slot : running_) {
      const Running& attempt = table.on[slot];
      const std::uint64_t elapsed = w_.now_ms - attempt.since;
      const AttemptWork& work = table.work[slot];
      progress_.push_back(
          {done_part(w_.now_ms, work.from, work.full), elapsed, alone(table, attempt) && elapsed >= age_});
    }
    const std::size_t most = w_.model.most_seconds(table.count, table.seconds + table.marked);
    for (const std::size_t i : choose_to_double(w_.model.cluster.mode.rule, progress_, finished(table, index),
                                                most, lengths(table, index)))
      mark(table, index, table.on[running_[i]].task);
  }
  [[nodiscard]] std::uint32_t finished(const SlotTable& table, JobIndex index) const {
    const NodeJob::Tasks& tasks = w_.jobs[index].tasks(table.kind);
    return tasks.count - tasks.left;
  }
  // Of the job's finished tasks.
  [[nodiscard]] std::span<const std::uint64_t> lengths(const SlotTable& table, JobIndex index) {
    lengths_.clear();
    const Attempts::OfKind& attempts = w_.jobs[index].attempts->of(table.kind);
    for (std::uint32_t task = 0; task < attempts.took.size(); ++task) {
      if (attempts.is_done(task)) lengths_.push_back(attempts.took[task]);
    }
    return lengths_;
  }
  // True if the task has no other attempt and was never marked for one.
  [[nodiscard]] bool alone(const SlotTable& table, const Running& attempt) const {
    return attempt.twin == Running::alone &&
           !w_.jobs[attempt.job].attempts->of(table.kind).was_doubled(attempt.task);
  }

  // The earliest instant at which a running attempt of the job can be doubled, if until then only its tasks
  // end: old enough and, by Hadoop's rule, far enough behind. `w_.now_ms` or before if that is not known.
  [[nodiscard]] std::uint64_t first_possible(const SlotTable& table, JobIndex index) {
    bool even = w_.model.cluster.mode.rule == SpeculationRule::hadoop;  // each moves evenly to a known end
    Pace pace;
    candidates_.clear();
    for (const std::uint32_t slot : running_) {
      const Running& attempt = table.on[slot];
      const AttemptWork& work = table.work[slot];
      even = even && attempt.ends && work.full != 0;
      const Pace::Move move(w_.now_ms, work.from, work.full);
      pace.add(move);
      if (alone(table, attempt)) candidates_.push_back({attempt.since + age_, move});
    }
    pace.divide(running_.size() + finished(table, index), finished(table, index));
    std::uint64_t first = never;
    for (const Candidate& each : candidates_) {
      if (each.old_at >= first) continue;
      first =
          std::min(first, std::max(each.old_at, even ? pace.first_behind(w_.now_ms, each.move) : w_.now_ms));
    }
    return first;
  }
  void mark(SlotTable& table, JobIndex index, std::uint32_t task) {
    Attempts::OfKind& attempts = w_.jobs[index].attempts->of(table.kind);
    attempts.flags[task / 64].doubled |= attempts.bit(task);
    attempts.marked.push_back(task);
    ++table.marked;
    resources_.has_work(index, table.kind);
  }
  // Finds the slots on which the job's tasks run.
  void running_of(const SlotTable& table, JobIndex index) {
    const Attempts::OfKind& attempts = w_.jobs[index].attempts->of(table.kind);
    tasks_.clear();
    for (std::size_t word = 0; word < attempts.flags.size(); ++word) {
      for (std::uint64_t bits = attempts.flags[word].running; bits != 0; bits &= bits - 1) {
        tasks_.push_back(static_cast<std::uint32_t>(word * 64) +
                         static_cast<std::uint32_t>(std::countr_zero(bits)));
        table.expect(attempts.tasks[tasks_.back()].slot);
      }
    }
    running_.clear();
    for (const std::uint32_t task : tasks_) {
      const std::uint32_t slot = attempts.tasks[task].slot;
      const Running& attempt = table.on[slot];
      if (table.idle.contains(slot) || attempt.over || attempt.job != index || attempt.task != task) continue;
      running_.push_back(slot);
      if (attempt.twin != Running::alone) running_.push_back(attempt.twin);
    }
  }

  static constexpr std::uint64_t never = NodeJob::never;
  World& w_;
  ResourceManager& resources_;
  const AttemptRunner& runner_;
  const std::uint64_t check_ = AttemptRunner::length(w_.model.cluster.mode.speculation_check);
  const std::uint64_t age_ = AttemptRunner::length(w_.model.cluster.mode.speculation_after);
  std::vector<JobIndex> due_;           // jobs to look at now
  std::vector<std::uint32_t> tasks_;    // tasks of the job that may run
  std::vector<std::uint32_t> running_;  // slots of the job's running tasks
  std::vector<Progress> progress_;
  std::vector<std::uint64_t> lengths_;
  // Attempts that may be doubled once they are old enough.
  struct Candidate {
    std::uint64_t old_at = 0;
    Pace::Move move;
  };
  std::vector<Candidate> candidates_;
};

}  // namespace wavewright::sim
