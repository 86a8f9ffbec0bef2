// The fast engine of a cluster of nodes with slots. Its clock jumps from event to event: an end is put down
// for the instant at which its node reports it, and of all heartbeats only those are visited that can give a
// node work: while some job has a task ready, the next one of a node with a free slot.
#pragma once

#include <algorithm>
#include <chrono>

#include "wavewright/sim/kernel/event_sources.h"
#include "wavewright/sim/nodes/simulation.h"

namespace wavewright::sim {

class NodeEngine final : private ResourceManager {
 public:
  NodeEngine(const Workload& workload, Policy& policy, const NodeModel& model, const ClusterOptions& options)
      : parts_(workload, policy, model, options, *this) {}

  SimulationResult run_all() {
    const auto began = std::chrono::steady_clock::now();
    parts_.begin();
    auto events = EventSources(
        event_source([&] { return lifecycle_.next_arrival(); }, [&] { lifecycle_.arrivals(); }),
        event_source([&] { return runner_.next_launch(); }, [&] { runner_.launches(); }),
        event_source([&] { return runner_.next_transfer(); }, [&] { runner_.transfers(); }),
        event_source([&] { return w_.maps.next_end(); }, [&] { ends<Kind::map>(); }),
        event_source([&] { return w_.reduces.next_end(); }, [&] { ends<Kind::reduce>(); }),
        event_source([&] { return parts_.changes.next(); }, [&] { parts_.changes.apply(); }),
        every_instant([&] { lifecycle_.arrivals(); }),  // of jobs whose last predecessor has just finished
        event_source([&] { return parts_.clock.next(); }, [&] { parts_.clock.timers(); }),
        event_source([&] { return parts_.speculation.next_check(); },
                     [&] { parts_.speculation.double_slow_tasks(); }),
        every_instant([&] { parts_.clock.preempt(); }));
    while (!parts_.end.stopped() && advance(events.next())) {
      events.fire();
      allocation_.sort_reports();
      give_out<Kind::map>();
      give_out<Kind::reduce>();
      allocation_.forget_reports();
    }
    parts_.end.sum_up();
    w_.result.engine_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return std::move(w_.result);
  }

 private:
  static constexpr std::uint64_t never = NodeJob::never;

  // ---- ResourceManager
  void begin_job(JobIndex job) override { lifecycle_.begin_tasks(job); }
  void has_work(JobIndex job, Kind kind) override { w_.table_of(kind).ready.add(job); }
  void has_less_work(JobIndex job, Kind kind) override {
    if (!JobLifecycle::something_to_start(w_.jobs[job], kind)) w_.table_of(kind).ready.remove(job);
  }
  void vacate(SlotTable& table, std::uint32_t slot) override {
    if (!table.release(slot)) return;
    table.ready.ended(table.on[slot].job);
    w_.holds_no_more(table.on[slot].job, table.kind, table.node_of[slot]);
  }
  [[nodiscard]] std::span<const Count> free_on_classes(Kind kind) override {
    return w_.table_of(kind).free_on_class;
  }
  void withdraw(NodeIndex node) override {
    for (SlotTable* const table : {&w_.maps, &w_.reduces}) {
      for (std::uint32_t slot = table->first_slot[node]; slot < table->first_slot[node + 1]; ++slot) {
        if (!table->idle.contains(slot)) lifecycle_.stop(*table, slot, AttemptOutcome::lost, true);
      }
      table->withdraw(node);
    }
  }
  void restore(NodeIndex node) override {
    w_.maps.restore(node);
    w_.reduces.restore(node);
  }
  void refuse_stuck(JobIndex job) const override { parts_.end.refuse_stuck(job); }

  // ---- time

  // Moves the clock to the next instant at which something happens. `event`: of the event sources.
  bool advance(std::uint64_t event) {
    const std::uint64_t next = std::min({event, next_offer(w_.maps), next_offer(w_.reduces)});
    if (event == next) {
      allocation_.taken();
    } else if (event == never) {
      allocation_.expect_progress(next, w_.maps.ready.any() ? w_.maps.ready.best() : w_.reduces.ready.best());
    }
    w_.now_ms = next;
    return next != never && !lifecycle_.all_settled();
  }
  [[nodiscard]] std::uint64_t next_offer(const SlotTable& table) const {
    if (w_.heartbeats.period == 0 || !table.ready.any() || table.offering.empty()) return never;
    return allocation_.next_heartbeat(table.offering);
  }

  template <Kind kind>
  void ends() {
    SlotTable& table = w_.table_of(kind);
    while (!table.queue.empty() && table.queue.first_instant() == w_.now_ms) {
      const std::uint32_t slot = table.queue.first_slot();
      const Running& attempt = table.on[slot];  // as it is until its slot is given to another
      const NodeIndex node = table.node_of[slot];
      expect_attempts(attempt.job, kind);
      if (runner_.still_reads(table, slot)) continue;
      ++w_.result.events;
      runner_.beat(node);
      const bool free = table.release(slot);
      table.expect(table.queue.first_slot());
      if (free) table.ready.ended(attempt.job);
      if (free) w_.holds_no_more(attempt.job, kind, node);
      if (table.ready.any()) expect(table, table.ready.best());
      if (w_.model.cluster.mode.out_of_band && w_.heartbeats.period != 0) allocation_.reports(node);
      if (!lifecycle_.ended(table, slot, attempt, node)) continue;
      w_.tell(Event::What::ended, table, slot);
    }
  }

  // Offers the nodes whose heartbeat this instant is, in their order.
  template <Kind kind>
  void give_out() {
    const SlotTable& table = w_.table_of(kind);
    if (table.ready.any()) expect_work(table);
    allocation_.each_reporting(
        table.offering, [&] { return table.ready.any(); }, [&](NodeIndex node) { offer<kind>(node); });
  }

  template <Kind kind>
  void offer(NodeIndex node) {
    SlotTable& table = w_.table_of(kind);
    for (Count given = 0; table.free[node] > 0 && given < table.per_heartbeat && table.ready.any(); ++given) {
      const std::optional<TaskChoice> choice = choose(node, kind);
      if (!choice) {
        allocation_.passed();
        return;
      }
      allocation_.taken();
      runner_.beat(node);
      start<kind>(node, *choice);
    }
  }

  template <Kind kind>
  void start(NodeIndex node, const TaskChoice& choice) {
    SlotTable& table = w_.table_of(kind);
    NodeJob& state = w_.jobs[choice.job];
    if (!table.queue.empty()) expect(table, table.on[table.queue.first_slot()].job);
    const std::uint32_t slot = table.occupy(node);
    allocation_.start_task<kind>(node, slot, choice, w_.now_ms + w_.launch);
    table.ready.started(choice.job);
    w_.holds(choice.job, kind, node);
    const auto started = [&](std::uint32_t place) {
      if (!JobLifecycle::something_to_start(state, kind)) {
        table.ready.remove(choice.job);
        if (kind == Kind::map && !state.attempts && !w_.model.network.reads())
          lifecycle_.forget_places(state);
      }
      w_.tell(Event::What::started, table, place);
    };
    started(slot);
    allocation_.fill<kind>(slot, [&](std::uint32_t place, const TaskChoice& next) {
      allocation_.start_task<kind>(node, place, next, w_.now_ms + w_.launch);
      started(place);
    });
  }

  // Of a large cluster hardly anything is in the cache: what is looked at next is asked for beforehand. No
  // answer depends on it.
  void expect(const SlotTable& table, JobIndex job) const {
    prefetch(&w_.jobs[job], NodeJob::hot);
    table.ready.expect(job);
  }
  void expect_work(const SlotTable& table) const {
    const NodeJob& job = w_.jobs[table.ready.best()];
    expect_attempts(table.ready.best(), table.kind);
    if (table.kind == Kind::map && w_.model.places) {
      __builtin_prefetch(job.local.get());
    } else {
      __builtin_prefetch(table.kind == Kind::map ? job.map_work + job.maps.next
                                                 : job.reduce_work + job.reduces.next);
    }
  }
  void expect_attempts(JobIndex job, Kind kind) const {
    if (w_.model.retries && w_.jobs[job].attempts) __builtin_prefetch(&w_.jobs[job].attempts->of(kind));
  }

  [[nodiscard]] std::optional<TaskChoice> choose(NodeIndex node, Kind kind) {
    if (w_.placer == nullptr && !allocation_.picky()) {
      return allocation_.closest(w_.table_of(kind).ready.best(), node, kind, Locality::off_rack);
    }
    Shortlist candidates(*this, node, kind);
    if (w_.placer == nullptr) {
      const JobIndex best = w_.table_of(kind).ready.best();
      if (!allocation_.refused(best, kind, node)) {
        if (const auto choice = candidates.closest(best, Locality::off_rack)) return choice;
      }
      while (const std::optional<JobIndex> job = candidates.next()) {
        if (const auto choice = candidates.closest(*job, Locality::off_rack)) return choice;
      }
      return std::nullopt;
    }
    const std::optional<TaskChoice> choice =
        w_.placer->place({node, kind, w_.now()}, candidates, w_, w_.ledger.placer());
    if (choice) allocation_.check_choice(*choice, node, kind);
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
        if (!job || !engine_.allocation_.refused(*job, kind_, node_)) return job;
      }
    }
    [[nodiscard]] std::optional<TaskChoice> closest(JobIndex job, Locality at_most) override {
      if (!JobLifecycle::something_to_start(engine_.w_.known(job), kind_)) return std::nullopt;
      return engine_.allocation_.closest(job, node_, kind_, at_most);
    }

   private:
    NodeEngine& engine_;
    OrderTree::Walk& walk_;
    NodeIndex node_;
    Kind kind_;
  };

  Simulation parts_;
  World& w_ = parts_.world;
  AttemptRunner& runner_ = parts_.runner;
  JobLifecycle& lifecycle_ = parts_.lifecycle;
  Allocation& allocation_ = parts_.allocation;
  OrderTree::Walk map_walk_{w_.maps.ready};
  OrderTree::Walk reduce_walk_{w_.reduces.ready};
};

}  // namespace wavewright::sim
