// How jobs pass in a simulated cluster of nodes: they arrive, become ready and are settled; their attempts
// end, fail and are stopped. When, and where slots go, is the engine's matter (engine.h).
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "wavewright/sim/kernel/arrivals.h"
#include "wavewright/sim/model/estimate.h"
#include "wavewright/sim/nodes/attempt_course.h"
#include "wavewright/sim/pool/stage.h"

namespace wavewright::sim {

class JobCourse : protected AttemptCourse {
 protected:
  using Attempt = AttemptCourse;
  using State = ClusterState;
  using Attempt::close_record;
  using Attempt::result_;
  using State::id;
  using State::jobs_;
  using State::known;
  using State::ledger_;
  using State::maps_;
  using State::model_;
  using State::now;
  using State::now_;
  using State::placer_;
  using State::policy_;
  using State::reduces_;
  using State::workload_;
  static constexpr std::uint64_t never = NodeJob::never;

  JobCourse(const Workload& workload, Policy& policy, const NodeModel& model, const ClusterOptions& options)
      : AttemptCourse(workload, policy, model, options),
        commit_(model.commit()),
        allocator_events_(policy_.subscribes()),
        placer_events_(placer_ ? placer_->subscribes() : EventSet{}),
        arrivals_(State::arrival_table_, Attempt::length(model.setup())),
        stop_(options.stop),
        jobs_over_(options.jobs_over) {}

  void tell(Event event) {
    if (!allocator_events_.has(event.what) && !placer_events_.has(event.what)) return;
    event.at = now();
    if (allocator_events_.has(event.what)) policy_.on(event, *this, ledger_.allocator());
    if (placer_events_.has(event.what)) placer_->on(event, *this, ledger_.placer());
    ledger_.decided();
  }
  // An event of the attempt that is, or was last, on the slot.
  void tell(Event::What what, const Side& side, std::uint32_t slot,
            AttemptOutcome outcome = AttemptOutcome::done) {
    if (!allocator_events_.has(what) && !placer_events_.has(what)) return;
    const Running& attempt = side.on[slot];
    const std::uint64_t lasted = what == Event::What::started ? 0 : now_ - attempt.since;
    tell({.what = what,
          .kind = side.kind,
          .outcome = outcome,
          .job = attempt.job,
          .task = attempt.task,
          .attempt = attempt.attempt,
          .node = side.node_of[slot],
          .slot = side.number(slot),
          .duration = ms(static_cast<std::int64_t>(lasted))});
  }

  // ---- jobs

  void arrivals() {
    while (arrivals_.next() == now_) {
      const JobIndex job = arrivals_.pop();
      if (!jobs_[job].rejected) arrive(job);  // it may be, with a job before it
    }
  }

  void arrive(JobIndex index) {
    NodeJob& state = jobs_[index];
    const Job& job = workload_.jobs[index];
    const auto maps = static_cast<std::uint32_t>(job.maps.size());
    const auto reduces = static_cast<std::uint32_t>(job.reduces.size());
    state.job = &job;
    state.map_work = job.maps.data();
    state.reduce_work = job.reduces.data();
    state.arrived = true;
    state.maps = {.count = maps, .left = maps, .pending = maps};
    state.reduces = {.count = reduces, .left = reduces, .pending = reduces};
    state.ready_after = maps_before_reduces(maps, model_.cluster.mode.slowstart);
    state.map = estimate_of(job, Kind::map);
    state.reduce = estimate_of(job, Kind::reduce);
    if (model_.draws_fates) state.hash = hash_of(job.id);
    if (model_.retries) {
      state.attempts = attempts_.take();
      if (!state.attempts) state.attempts = std::make_unique<Attempts>();
      state.attempts->renew(job);
    }
    if (!job.classes.empty()) state.own_factors = model_.factors_of(job);
    state.factor = (job.classes.empty() ? model_.group_factor : state.own_factors).data();
    if (model_.places && maps > 0) {
      state.local = places_.take();
      if (state.local) {
        state.local->renew(model_.blocks_of(job, state.local->retire()));
      } else {
        state.local = std::make_unique<LocalTasks>(model_.blocks_of(job), model_.topology);
      }
    }
    JobOutcome& outcome = result_.jobs[index];
    outcome.start = outcome.maps_done = outcome.finish = now();
    ++result_.events;
    ledger_.arrived(index);
    tell({.what = Event::What::arrived, .job = index});
  }

  void admitted(JobIndex index) override {
    jobs_[index].admitted = true;
    begin_tasks(index);
  }
  void begin_tasks(JobIndex index) {
    const NodeJob& state = jobs_[index];
    if (state.maps.count != 0) has_work(index, Kind::map);
    if (state.ready_after == 0) make_reduces_ready(index);  // they wait for no map
    if (state.maps.count == 0) maps_done(index);
  }
  // With every job that waits for it, however long the chain.
  void rejected(JobIndex index, const Reason& reason) override {
    std::vector<std::pair<JobIndex, Reason>> left = {{index, reason}};
    while (!left.empty()) {
      const auto [job, why] = std::move(left.back());
      left.pop_back();
      if (jobs_[job].settled) continue;
      jobs_[job].rejected = result_.jobs[job].rejected = true;
      result_.rejections.emplace(job, why);
      settled(job);
      reject_successors(job, left);
    }
  }
  void reject_successors(JobIndex index, std::vector<std::pair<JobIndex, Reason>>& left) const {
    const auto successors = arrivals_.successors(index);
    for (auto next = successors.rbegin(); next != successors.rend(); ++next)
      left.emplace_back(*next, behind(workload_.jobs[index].id));
  }
  void explained(JobIndex index, const Reason& reason) override {
    result_.remarks.push_back({now(), index, reason});
  }

  void map_ended(JobIndex index) {
    NodeJob& state = jobs_[index];
    if (state.maps.count - state.maps.left == state.ready_after) make_reduces_ready(index);
    if (this->flows_ && !state.waiting.empty() && model_.network.shuffles(*state.job))
      this->fetch_more(state);
    if (state.maps.left == 0) maps_done(index);
  }

  void make_reduces_ready(JobIndex index) {
    NodeJob& state = jobs_[index];
    if (state.reduces.count == 0 || state.reduces_ready) return;
    state.reduces_ready = true;
    has_work(index, Kind::reduce);
    tell({.what = Event::What::ready, .kind = Kind::reduce, .job = index});
  }

  void maps_done(JobIndex index) {
    NodeJob& state = jobs_[index];
    if (state.maps_done_at != never) return;
    state.maps_done_at = now_;
    result_.jobs[index].maps_done = now();
    maps_over(index);
    const std::vector<std::uint32_t> waiting = std::exchange(state.waiting, {});
    for (const std::uint32_t slot : waiting) reduces_.expect(slot);
    for (const std::uint32_t slot : waiting) {
      if (model_.network.shuffles(*state.job)) {
        this->fetch(slot);
      } else {
        this->run_reduce(slot, std::max(now_, reduces_.on[slot].launched), true);
      }
    }
    settle(index);
  }

  // The job's maps are done, for now.
  virtual void maps_over(JobIndex) {}

  // Finishes the job if nothing of it is left.
  void settle(JobIndex index) {
    if (!jobs_[index].done() || jobs_[index].settled) return;
    result_.jobs[index].finish = now() + commit_;
    settled(index);
    arrivals_.finished(index, now_ + Attempt::length(commit_));
    tell({.what = Event::What::finished, .kind = Kind::reduce, .job = index});
  }
  virtual void settled(JobIndex index) {
    jobs_[index].settled = true;
    ledger_.over(index);
    forget_places(jobs_[index]);
    attempts_.give(std::move(jobs_[index].attempts), jobs_[index].maps.count + jobs_[index].reduces.count);
    jobs_[index].bars = false;
    ++settled_;
    if (jobs_over_ != nullptr) jobs_over_->store(settled_, std::memory_order_relaxed);
  }

  // Nobody asks any more where its maps lie.
  void forget_places(NodeJob& state) { places_.give(std::move(state.local), state.maps.count); }

  // A task of the job has failed too often: all of it ends here.
  void fail(JobIndex index) {
    NodeJob& state = jobs_[index];
    result_.jobs[index].failed = true;
    result_.jobs[index].finish = now();
    state.maps.left = state.maps.pending = state.reduces.left = state.reduces.pending = 0;
    for (const Kind kind : {Kind::map, Kind::reduce}) {
      State::side_of(kind).marked -= state.attempts->of(kind).marked.size();
      state.attempts->of(kind).marked.clear();
      has_less_work(index, kind);
    }
    settled(index);
    stop_all(index, false);
    tell({.what = Event::What::finished,
          .kind = Kind::reduce,
          .outcome = AttemptOutcome::failed,
          .job = index});
    std::vector<std::pair<JobIndex, Reason>> behind_it;
    reject_successors(index, behind_it);
    for (; !behind_it.empty(); behind_it.pop_back())
      rejected(behind_it.back().first, behind_it.back().second);
  }

  // ---- what jobs want: here of the slots' trees

  virtual void has_work(JobIndex index, Kind kind) { State::side_of(kind).ready.add(index); }
  virtual void has_less_work(JobIndex index, Kind kind) {
    if (!something_to_start(jobs_[index], kind)) State::side_of(kind).ready.remove(index);
  }
  // The slot that an attempt held is free.
  virtual void vacate(Side& side, std::uint32_t slot) {
    if (!side.release(slot)) return;
    side.ready.ended(side.on[slot].job);
    this->holds_no_more(side.on[slot].job, side.kind, side.node_of[slot]);
  }
  void cap_changed(JobIndex) override {}

  // ---- attempts

  // The attempt's end is known, its slot free: false where it failed.
  bool ended(Side& side, std::uint32_t slot, const Running& attempt, NodeIndex node) {
    side.seconds -= attempt.second ? 1U : 0U;
    close_record(side, slot, attempt.until, attempt.fails ? AttemptOutcome::failed : AttemptOutcome::done);
    if (attempt.fails) {
      attempt_failed(side, slot, attempt, node);
      return false;
    }
    if (attempt.twin != Running::alone) {
      stop(side, attempt.twin, AttemptOutcome::killed, false);
    } else {
      unmark(attempt.job, side.kind, attempt.task);
    }
    --jobs_[attempt.job].tasks(side.kind).left;
    if (jobs_[attempt.job].attempts) jobs_[attempt.job].attempts->of(side.kind).ends(attempt.task, slot);
    if (side.kind == Kind::map) {
      map_ended(attempt.job);
    } else {
      settle(attempt.job);
    }
    return true;
  }

  void attempt_failed(Side& side, std::uint32_t slot, const Running& attempt, NodeIndex node) {
    const Kind kind = side.kind;
    Attempts& attempts = *jobs_[attempt.job].attempts;
    if (attempt.twin != Running::alone) leave(side, attempt);
    ++result_.jobs[attempt.job].failed_attempts;
    const Count most_here = model_.cluster.faults.blacklist_after;
    if (most_here > 0 && ++attempts.failures_on[node] >= most_here &&
        attempts.barred.size() < model_.most_barred) {
      attempts.barred.insert(node);
      jobs_[attempt.job].bars = true;
    }
    if (attempts.of(kind).fails(attempt.task) >= model_.cluster.faults.max_attempts) {
      fail(attempt.job);
    } else if (attempt.twin == Running::alone) {
      give_back(attempt.job, kind, attempt.task);
    }
    tell(Event::What::lost, side, slot, AttemptOutcome::failed);
  }

  // The attempt leaves its task to the other one.
  void leave(Side& side, const Running& attempt) {
    side.on[attempt.twin].twin = Running::alone;
    Attempts* const attempts = jobs_[attempt.job].attempts.get();  // none of a job that has failed
    if (attempts != nullptr) attempts->of(side.kind).tasks[attempt.task].slot = attempt.twin;
    left_alone(side, attempt.job);
  }
  // One of two attempts of a task of the job is gone.
  virtual void left_alone(Side&, JobIndex) {}

  // The task must run again.
  void give_back(JobIndex index, Kind kind, std::uint32_t task) {
    NodeJob& state = jobs_[index];
    unmark(index, kind, task);
    ++state.tasks(kind).pending;
    if (kind == Kind::map && state.local) {
      state.local->give_back(task);
    } else {
      state.attempts->of(kind).returned.push(task);
    }
    has_work(index, kind);
  }

  // The task is not to have a second attempt any more.
  void unmark(JobIndex index, Kind kind, std::uint32_t task) {
    NodeJob& state = jobs_[index];
    if (State::side_of(kind).marked == 0) return;
    Attempts::OfKind& attempts = state.attempts->of(kind);
    if (!attempts.was_doubled(task) || std::erase(attempts.marked, task) == 0) return;
    --State::side_of(kind).marked;
    has_less_work(index, kind);
  }
  [[nodiscard]] static bool something_to_start(NodeJob& state, Kind kind) {
    return state.tasks(kind).pending > 0 || (state.attempts && !state.attempts->of(kind).marked.empty());
  }

  // ---- attempts that end before their time

  // Every map and reduce of the job that runs.
  void stop_all(JobIndex index, bool again) {
    for (Side* const side : {&maps_, &reduces_}) {
      for (std::uint32_t slot = 0; slot < side->slots(); ++slot) {
        if (!side->idle.contains(slot) && side->on[slot].job == index && !side->on[slot].over)
          stop(*side, slot, AttemptOutcome::killed, again);
      }
    }
  }

  // Ends what runs on the slot before its time; it runs again.
  void stop_slot(Side& side, std::uint32_t slot) {
    const std::uint32_t end = side.end_of_places(slot);
    for (std::uint32_t place = side.shares() ? side.first_place(slot) : slot; place < end; ++place) {
      if (!side.idle.contains(place) && !side.on[place].over) stop(side, place, AttemptOutcome::killed, true);
    }
  }
  // Ends an attempt before its time.
  void stop(Side& side, std::uint32_t slot, AttemptOutcome outcome, bool again) {
    const Running attempt = side.on[slot];
    const bool twin = attempt.twin != Running::alone;
    if (twin) leave(side, attempt);
    side.seconds -= attempt.second ? 1U : 0U;
    ++result_.events;
    ++result_.jobs[attempt.job].lost_attempts;
    side.use(attempt.until, now_);
    close_record(side, slot, now_, outcome);
    if (side.kind == Kind::reduce) std::erase(jobs_[attempt.job].waiting, slot);
    this->cancel(side, slot);
    vacate(side, slot);
    if (again && !twin) give_back(attempt.job, side.kind, attempt.task);
    tell(Event::What::lost, side, slot, outcome);
  }

  const Duration commit_;
  const EventSet allocator_events_;
  const EventSet placer_events_;
  Arrivals arrivals_;
  std::size_t settled_ = 0;  // jobs done, failed or rejected
  const std::atomic<bool>* const stop_;
  std::atomic<std::uint64_t>* const jobs_over_;

 private:
  // What jobs that are done leave to later ones, so that its memory is at hand.
  template <class Part>
  class Spare {
   public:
    [[nodiscard]] std::unique_ptr<Part> take() {
      if (parts_.empty()) return nullptr;
      std::unique_ptr<Part> last = std::move(parts_.back());
      parts_.pop_back();
      return last;
    }
    // That of large jobs would be wasted on others.
    void give(std::unique_ptr<Part> part, std::uint32_t tasks) {
      constexpr std::uint32_t many = 500;
      if (part && tasks <= many) parts_.push_back(std::move(part));
    }

   private:
    std::vector<std::unique_ptr<Part>> parts_;
  };
  Spare<LocalTasks> places_;
  Spare<Attempts> attempts_;
};

}  // namespace wavewright::sim
