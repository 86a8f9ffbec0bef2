// The life of jobs on a simulated cluster of nodes: they arrive, become ready, finish, fail or are rejected
// as their attempts end, fail and are stopped.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "wavewright/sim/kernel/arrivals.h"
#include "wavewright/sim/model/estimate.h"
#include "wavewright/sim/nodes/attempt_runner.h"
#include "wavewright/sim/nodes/speculation.h"
#include "wavewright/sim/pool/stage.h"

namespace wavewright::sim {

class JobLifecycle final : public LedgerDriver {
 public:
  static constexpr std::uint64_t never = NodeJob::never;

  JobLifecycle(World& world, ResourceManager& resources, AttemptRunner& runner, Speculation& speculation,
               const ClusterOptions& options)
      : w_(world),
        resources_(resources),
        runner_(runner),
        speculation_(speculation),
        commit_(world.model.commit()),
        arrivals_(world.arrival_table, AttemptRunner::length(world.model.setup())),
        jobs_over_(options.jobs_over) {}
  JobLifecycle(const JobLifecycle&) = delete;
  JobLifecycle& operator=(const JobLifecycle&) = delete;

  // LedgerDriver
  [[nodiscard]] Time now() const override { return w_.now(); }
  [[nodiscard]] JobFacts facts(JobIndex job) const override { return w_.facts(job); }
  void admitted(JobIndex index) override {
    w_.jobs[index].admitted = true;
    resources_.begin_job(index);
  }
  // Also rejects every job that waits for it, directly or not.
  void rejected(JobIndex index, const Reason& reason) override;
  void reject_successors(JobIndex index, std::vector<std::pair<JobIndex, Reason>>& left) const;
  void explained(JobIndex index, const Reason& reason) override {
    w_.result.remarks.push_back({w_.now(), index, reason});
  }
  LeaseId rent(const LeaseRequest& request) override {
    return w_.leases.rent(request, w_.now_ms, w_.policy.name());
  }
  void give_back(LeaseId lease) override { w_.leases.give_back(lease, w_.now_ms, w_.policy.name()); }
  void capped(JobIndex job, Kind kind, Count count) override {
    if (!w_.model.containers) return;
    w_.jobs[job].cap[static_cast<std::size_t>(kind)] = count;
    resources_.cap_changed(job);
  }

  // ---- jobs

  void arrivals() {
    while (arrivals_.next() == w_.now_ms) {
      const JobIndex job = arrivals_.pop();
      if (!w_.jobs[job].rejected) arrive(job);  // a predecessor may have been rejected
    }
  }

  void arrive(JobIndex index);

  void begin_tasks(JobIndex index) {
    const NodeJob& state = w_.jobs[index];
    if (state.maps.count != 0) resources_.has_work(index, Kind::map);
    if (state.ready_after == 0) make_reduces_ready(index);  // they wait for no map
    if (state.maps.count == 0) maps_done(index);
  }
  void map_ended(JobIndex index) {
    NodeJob& state = w_.jobs[index];
    if (state.maps.count - state.maps.left == state.ready_after) make_reduces_ready(index);
    if (runner_.shares_network() && !state.waiting.empty() && w_.model.network.shuffles(*state.job))
      runner_.fetch_more(state);
    if (state.maps.left == 0) maps_done(index);
  }

  void make_reduces_ready(JobIndex index) {
    NodeJob& state = w_.jobs[index];
    if (state.reduces.count == 0 || state.reduces_ready) return;
    state.reduces_ready = true;
    resources_.has_work(index, Kind::reduce);
    w_.tell({.what = Event::What::ready, .kind = Kind::reduce, .job = index});
  }

  void maps_done(JobIndex index) {
    NodeJob& state = w_.jobs[index];
    if (state.maps_done_at != never) return;
    state.maps_done_at = w_.now_ms;
    w_.result.jobs[index].maps_done = w_.now();
    speculation_.maps_over(index);
    const std::vector<std::uint32_t> waiting = std::exchange(state.waiting, {});
    for (const std::uint32_t slot : waiting) {
      w_.reduces.expect(slot);
      __builtin_prefetch(&w_.reduces.work[slot]);
    }
    for (const std::uint32_t slot : waiting) {
      if (w_.model.network.shuffles(*state.job)) {
        runner_.fetch(slot);
      } else {
        runner_.run_reduce(slot, std::max(w_.now_ms, w_.reduces.work[slot].launched), true);
      }
    }
    settle(index);
  }

  // Finishes the job if no task is left.
  void settle(JobIndex index) {
    if (!w_.jobs[index].done() || w_.jobs[index].settled) return;
    w_.result.jobs[index].finish = w_.now() + commit_;
    settled(index);
    arrivals_.finished(index, w_.now_ms + AttemptRunner::length(commit_));
    w_.tell({.what = Event::What::finished, .kind = Kind::reduce, .job = index});
  }
  void settled(JobIndex index) {
    w_.jobs[index].settled = true;
    w_.ledger.over(index);
    forget_places(w_.jobs[index]);
    attempts_.give(std::move(w_.jobs[index].attempts),
                   w_.jobs[index].maps.count + w_.jobs[index].reduces.count);
    w_.jobs[index].blacklists = w_.jobs[index].failed_maps = false;
    ++settled_;
    if (jobs_over_ != nullptr) jobs_over_->store(settled_, std::memory_order_relaxed);
    resources_.job_settled(index);
  }

  // Call when the places of the job's maps are not needed any more.
  void forget_places(NodeJob& state) { places_.give(std::move(state.local), state.maps.count); }

  // A task of the job has failed too often: ends the whole job.
  void fail(JobIndex index);

  // ---- attempts

  // Call when the attempt's end is known and its slot is free. False if the attempt failed.
  bool ended(SlotTable& table, std::uint32_t slot, const Running& attempt, NodeIndex node) {
    table.seconds -= attempt.second ? 1U : 0U;
    runner_.close_record(table, slot, attempt.until,
                         attempt.fails ? AttemptOutcome::failed : AttemptOutcome::done);
    if (attempt.fails) {
      attempt_failed(table, slot, attempt, node);
      return false;
    }
    if (attempt.twin != Running::alone) {
      stop(table, attempt.twin, AttemptOutcome::killed, false);
    } else {
      unmark(attempt.job, table.kind, attempt.task);
    }
    --w_.jobs[attempt.job].tasks(table.kind).left;
    if (w_.jobs[attempt.job].attempts) {
      Attempts::OfKind& attempts = w_.jobs[attempt.job].attempts->of(table.kind);
      attempts.ends(attempt.task, slot);
      if (speculation_.needs_lengths()) attempts.took_so_long(attempt.task, attempt.until - attempt.since);
    }
    if (table.kind == Kind::map) {
      if (!w_.ended_maps.empty() && w_.jobs[attempt.job].reduces.count > 0)
        w_.ended_maps[node].push_back({attempt.job, attempt.task});
      map_ended(attempt.job);
    } else {
      settle(attempt.job);
    }
    return true;
  }

  void attempt_failed(SlotTable& table, std::uint32_t slot, const Running& attempt, NodeIndex node);

  // Leaves the task to its other attempt.
  void leave(SlotTable& table, const Running& attempt);
  // The task must run again after this end of its attempt.
  void give_back(JobIndex index, Kind kind, std::uint32_t task, AttemptOutcome after);
  // Failed maps are like others again: the job has a new application master.
  void forget_failed_maps(JobIndex index);

  // Cancels the task's planned second attempt.
  void unmark(JobIndex index, Kind kind, std::uint32_t task);
  [[nodiscard]] static bool something_to_start(NodeJob& state, Kind kind) {
    return state.tasks(kind).pending > 0 || (state.attempts && !state.attempts->of(kind).marked.empty());
  }

  // ---- attempts that are stopped

  // Stops every running map and reduce of the job.
  void stop_all(JobIndex index, bool again);

  // Kills what runs on the slot; it runs again.
  void stop_slot(SlotTable& table, std::uint32_t slot);
  // Stops an attempt; with `again` its task runs again, unless another attempt of it runs.
  void stop(SlotTable& table, std::uint32_t slot, AttemptOutcome outcome, bool again);

  [[nodiscard]] std::uint64_t next_arrival() const { return arrivals_.next(); }
  [[nodiscard]] bool all_settled() const { return settled_ == w_.jobs.size(); }

 private:
  static void return_task(NodeJob& state, Kind kind, std::uint32_t task);

  // Memory of finished jobs, for use by later ones.
  template <class Part>
  class Spare {
   public:
    [[nodiscard]] std::unique_ptr<Part> take() {
      if (parts_.empty()) return nullptr;
      std::unique_ptr<Part> last = std::move(parts_.back());
      parts_.pop_back();
      return last;
    }
    // The memory of large jobs would be wasted on others.
    void give(std::unique_ptr<Part> part, std::uint32_t tasks) {
      constexpr std::uint32_t many = 500;
      if (part && tasks <= many) parts_.push_back(std::move(part));
    }

   private:
    std::vector<std::unique_ptr<Part>> parts_;
  };
  World& w_;
  ResourceManager& resources_;
  AttemptRunner& runner_;
  Speculation& speculation_;
  const Duration commit_;
  Arrivals arrivals_;
  std::size_t settled_ = 0;  // jobs done, failed or rejected
  std::atomic<std::uint64_t>* const jobs_over_;
  Spare<LocalTasks> places_;
  Spare<Attempts> attempts_;
};

}  // namespace wavewright::sim
