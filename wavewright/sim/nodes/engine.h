// The fast engine of a cluster of nodes with slots. Its clock jumps from event to event: an end is put down
// for the instant at which its node reports it, and of all heartbeats only those are visited that can give a
// node work: while some job has a task ready, the next one of a node with a free slot.
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

#include "wavewright/sim/nodes/offers.h"

namespace wavewright::sim {

class NodeEngine final : private Offers {
 public:
  NodeEngine(const Workload& workload, Policy& policy, const NodeModel& model, const ClusterOptions& options)
      : Offers(workload, policy, model, options) {}

  SimulationResult run_all() {
    const auto began = std::chrono::steady_clock::now();
    this->begin();
    while (!this->stopped() && advance()) {
      this->arrivals();
      this->launches();
      this->transfers();
      ends<Kind::map>();
      ends<Kind::reduce>();
      this->come_and_go();
      this->arrivals();  // of jobs whose last predecessor has just finished
      this->timers();
      this->double_slow_tasks();
      this->preempt();
      std::sort(reporting_.begin(), reporting_.end());
      give_out<Kind::map>();
      give_out<Kind::reduce>();
      reporting_.clear();
    }
    this->sum_up();
    result_.engine_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return std::move(result_);
  }

 private:
  using Course = JobCourse;
  using State = ClusterState;
  using Course::arrivals_;
  using Course::heartbeats_;
  using Course::jobs_;
  using Course::launch_;
  using Course::launches_;
  using Course::ledger_;
  using Course::maps_;
  using Course::model_;
  using Course::never;
  using Course::now;
  using Course::now_;
  using Course::placer_;
  using Course::policy_;
  using Course::reduces_;
  using Course::result_;
  using Course::settled_;
  using Course::tell;
  using Offers::passes_;
  using Offers::reporting_;

  // Moves the clock to the next instant at which something happens.
  bool advance() {
    const auto first = [](const Side& side) {
      return side.queue.empty() ? never : side.queue.first_instant();
    };
    const std::uint64_t event = std::min({arrivals_.next(), launches_.next(), first(maps_), first(reduces_),
                                          this->next_incident(), this->next_transfer()});
    const std::uint64_t next = std::min({event, next_offer(maps_), next_offer(reduces_)});
    if (event == next) {
      passes_ = 0;
    } else if (event == never) {
      this->expect_progress(next, maps_.ready.any() ? maps_.ready.best() : reduces_.ready.best());
    }
    now_ = next;
    return next != never && settled_ < jobs_.size();
  }
  [[nodiscard]] std::uint64_t next_offer(const Side& side) const {
    if (heartbeats_.period == 0 || !side.ready.any() || side.offering.empty()) return never;
    return this->next_heartbeat(side.offering);
  }

  template <Kind kind>
  void ends() {
    Side& side = this->side<kind>();
    while (!side.queue.empty() && side.queue.first_instant() == now_) {
      const std::uint32_t slot = side.queue.first_slot();
      const Running& attempt = side.on[slot];  // as it is until its slot is given to another
      const NodeIndex node = side.node_of[slot];
      expect_attempts(attempt.job, kind);
      if (this->still_reads(side, slot)) continue;
      ++result_.events;
      this->beat(node);
      const bool free = side.release(slot);
      side.expect(side.queue.first_slot());
      if (free) side.ready.ended(attempt.job);
      if (free) this->holds_no_more(attempt.job, kind, node);
      if (side.ready.any()) expect(side, side.ready.best());
      if (model_.cluster.mode.out_of_band && heartbeats_.period != 0) reporting_.push_back(node);
      if (!this->ended(side, slot, attempt, node)) continue;
      tell(Event::What::ended, side, slot);
    }
  }

  // Offers the nodes whose heartbeat this instant is, in their order.
  template <Kind kind>
  void give_out() {
    const Side& side = this->side<kind>();
    if (side.ready.any()) expect_work(side);
    this->each_reporting(
        side.offering, [&] { return side.ready.any(); }, [&](NodeIndex node) { offer<kind>(node); });
  }

  template <Kind kind>
  void offer(NodeIndex node) {
    Side& side = this->side<kind>();
    for (Count given = 0; side.free[node] > 0 && given < side.per_heartbeat && side.ready.any(); ++given) {
      const std::optional<TaskChoice> choice = choose(node, kind);
      if (!choice) {
        ++passes_;
        return;
      }
      passes_ = 0;
      this->beat(node);
      start<kind>(node, *choice);
    }
  }

  template <Kind kind>
  void start(NodeIndex node, const TaskChoice& choice) {
    Side& side = this->side<kind>();
    NodeJob& state = jobs_[choice.job];
    if (!side.queue.empty()) expect(side, side.on[side.queue.first_slot()].job);
    const std::uint32_t slot = side.occupy(node);
    this->start_task<kind>(node, slot, choice, now_ + launch_);
    side.ready.started(choice.job);
    this->holds(choice.job, kind, node);
    const auto started = [&](std::uint32_t place) {
      if (!this->something_to_start(state, kind)) {
        side.ready.remove(choice.job);
        if (kind == Kind::map && !state.attempts && !model_.network.reads()) this->forget_places(state);
      }
      tell(Event::What::started, side, place);
    };
    started(slot);
    this->fill<kind>(slot, [&](std::uint32_t place, const TaskChoice& next) {
      this->start_task<kind>(node, place, next, now_ + launch_);
      started(place);
    });
  }

  // Of a large cluster hardly anything is in the cache: what is looked at next is asked for beforehand. No
  // answer depends on it.
  void expect(const Side& side, JobIndex job) const {
    prefetch(&jobs_[job], NodeJob::hot);
    side.ready.expect(job);
  }
  void expect_work(const Side& side) const {
    const NodeJob& job = jobs_[side.ready.best()];
    expect_attempts(side.ready.best(), side.kind);
    if (side.kind == Kind::map && model_.places) {
      __builtin_prefetch(job.local.get());
    } else {
      __builtin_prefetch(side.kind == Kind::map ? job.map_work + job.maps.next
                                                : job.reduce_work + job.reduces.next);
    }
  }
  void expect_attempts(JobIndex job, Kind kind) const {
    if (model_.retries && jobs_[job].attempts) __builtin_prefetch(&jobs_[job].attempts->of(kind));
  }

  [[nodiscard]] std::optional<TaskChoice> choose(NodeIndex node, Kind kind) {
    if (placer_ == nullptr && !this->picky()) {
      return this->closest(State::side_of(kind).ready.best(), node, kind, Locality::off_rack);
    }
    Shortlist candidates(*this, node, kind);
    if (placer_ == nullptr) {
      const JobIndex best = State::side_of(kind).ready.best();
      if (!this->refused(best, kind, node)) {
        if (const auto choice = candidates.closest(best, Locality::off_rack)) return choice;
      }
      while (const std::optional<JobIndex> job = candidates.next()) {
        if (const auto choice = candidates.closest(*job, Locality::off_rack)) return choice;
      }
      return std::nullopt;
    }
    const std::optional<TaskChoice> choice =
        placer_->place({node, kind, now()}, candidates, *this, ledger_.placer());
    if (choice) this->check_choice(*choice, node, kind);
    return choice;
  }

  class Shortlist final : public Candidates {
   public:
    Shortlist(NodeEngine& engine, NodeIndex node, Kind kind)
        : engine_(engine),
          walk_(kind == Kind::map ? engine.map_walk_ : engine.reduce_walk_),
          node_(node),
          kind_(kind) {
      walk_.restart();
    }
    [[nodiscard]] std::optional<JobIndex> next() override {
      for (;;) {
        const std::optional<JobIndex> job = walk_.next();
        if (!job || !engine_.refused(*job, kind_, node_)) return job;
      }
    }
    [[nodiscard]] std::optional<TaskChoice> closest(JobIndex job, Locality at_most) override {
      if (!engine_.something_to_start(engine_.known(job), kind_)) return std::nullopt;
      return engine_.closest(job, node_, kind_, at_most);
    }

   private:
    NodeEngine& engine_;
    OrderTree::Walk& walk_;
    NodeIndex node_;
    Kind kind_;
  };

  OrderTree::Walk map_walk_{maps_.ready};
  OrderTree::Walk reduce_walk_{reduces_.ready};
};

}  // namespace wavewright::sim
