// The fast engine of a cluster of nodes with slots. Its clock jumps from event to event. The event of an end
// is its report by the node. Of all heartbeats it visits only those that can give a node work: while some job
// has a task ready, the next heartbeat of a node with a free slot.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "wavewright/sched/placers/forgets_passes.h"
#include "wavewright/sched/placers/names_nodes.h"
#include "wavewright/sim/kernel/event_sources.h"
#include "wavewright/sim/nodes/shortlist.h"

namespace wavewright::sim {

class NodeEngine final : private ResourceManager {
 public:
  NodeEngine(const Workload& workload, Policy& policy, const NodeModel& model, const ClusterOptions& options)
      : parts_(workload, policy, model, options, *this),
        timers_(policy.needs().has(Feature::timers)),
        looks_often_(parts_.speculation.speculates() || parts_.runner.shares_network()),
        skips_(node_blocks_.on() && dynamic_cast<const ForgetsPasses*>(policy.placer.get()) != nullptr &&
               !parts_.speculation.speculates() && !model.cluster.mode.out_of_band && model.period() > 0 &&
               !parts_.world.arrival_table.dependent()),
        names_(dynamic_cast<const NamesNodes*>(policy.placer.get())),
        placer_only_chooses_(!policy.placer ||
                             policy.placer->needs().bits == Features::of(Feature::placement).bits),
        knows_classes_(parts_.world.maps.ready.keeps_classes() &&
                       model.topology.classes.size() <= OrderTree::distinct_classes),
        takes_best_(!policy.placer && !parts_.allocation.refuses_nodes()),
        only_caps_refuse_(!policy.placer && knows_classes_ && parts_.allocation.never_refuses_below_cap()) {
    if (node_blocks_.on()) parts_.world.maps.ready.allow_hiding();
  }

  SimulationResult run_all() {
    const auto began = std::chrono::steady_clock::now();
    parts_.begin();
    auto events = EventSources(
        event_source([&] { return parts_.lifecycle.next_arrival(); }, [&] { arrivals(); }),
        event_source([&] { return parts_.runner.next_launch(); }, [&] { parts_.runner.launches(); }),
        event_source([&] { return parts_.runner.next_transfer(); }, [&] { parts_.runner.transfers(); }),
        event_source([&] { return parts_.world.maps.next_end(); }, [&] { ends<Kind::map>(); }),
        event_source([&] { return parts_.world.reduces.next_end(); }, [&] { ends<Kind::reduce>(); }),
        event_source([&] { return parts_.changes.next(); }, [&] { parts_.changes.apply(); }),
        every_instant([&] { parts_.lifecycle.arrivals(); }),  // jobs whose last predecessor has just finished
        event_source([&] { return parts_.clock.next(); }, [&] { parts_.clock.timers(); }),
        event_source([&] { return parts_.speculation.next_check(); },
                     [&] { parts_.speculation.double_slow_tasks(); }),
        every_instant([&] { parts_.clock.preempt(); }));
    try {
      std::uint64_t event = 0;
      for (bool is_known = false; !parts_.end.stopped();) {
        if (!is_known) event = events.next();
        if (!advance(event)) break;
        is_known = event != parts_.world.now_ms && !looks_often_ && placer_only_chooses_;
        if (event == parts_.world.now_ms || looks_often_) events.fire();  // else it is a heartbeat
        const std::uint64_t starts = parts_.world.result.starts;
        if (timers_) parts_.end.expect_progress();
        parts_.allocation.sort_reports();
        give_out<Kind::map>();
        give_out<Kind::reduce>();
        parts_.allocation.forget_reports();
        is_known = is_known && parts_.world.result.starts == starts;  // then nothing has changed
      }
      parts_.end.sum_up();
    } catch (const Infeasible& why) {
      parts_.end.end_stuck(why);
    }
    parts_.world.result.engine_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return std::move(parts_.world.result);
  }

 private:
  static constexpr std::uint64_t never = NodeJob::never;

  // ---- ResourceManager
  void begin_job(JobIndex job) override { parts_.lifecycle.begin_tasks(job); }
  void has_work(JobIndex job, Kind kind) override {
    if (kind == Kind::map && node_blocks_.on()) node_blocks_.add(job);
    parts_.world.table_of(kind).ready.add(job);
  }
  void returned(JobIndex job, Kind kind, std::uint32_t task) override {
    if (kind == Kind::map && node_blocks_.on()) node_blocks_.give_back(job, task);
  }
  void has_less_work(JobIndex job, Kind kind) override {
    if (kind == Kind::map && node_blocks_.on() && parts_.world.result.jobs[job].failed)
      node_blocks_.forget(job);
    if (!JobLifecycle::something_to_start(parts_.world.jobs[job], kind))
      parts_.world.table_of(kind).ready.remove(job);
  }
  void vacate(SlotTable& table, std::uint32_t slot) override {
    if (!table.release(slot)) return;
    table.ready.ended(table.on[slot].job);
    parts_.world.holds_no_more(table.on[slot].job, table.kind, table.node_of[slot]);
  }
  [[nodiscard]] std::span<const Count> free_on_classes(Kind kind) override {
    return parts_.world.table_of(kind).free_on_class;
  }
  void withdraw(NodeIndex node) override {
    close(node);  // before the policy is told of each attempt
    for (SlotTable* const table : {&parts_.world.maps, &parts_.world.reduces}) {
      for (std::uint32_t slot = table->first_slot[node]; slot < table->first_slot[node + 1]; ++slot) {
        if (!table->idle.contains(slot)) parts_.lifecycle.stop(*table, slot, AttemptOutcome::lost, true);
      }
    }
  }
  void close(NodeIndex node) override {
    parts_.world.maps.close(node);
    parts_.world.reduces.close(node);
  }
  void restore(NodeIndex node) override {
    parts_.world.maps.restore(node);
    parts_.world.reduces.restore(node);
  }
  void explain_stuck(JobIndex job) const override { parts_.end.explain_stuck(job); }

  // ---- time

  // Moves the clock to the next instant with an event or an offer; false at the end. `event`: of the sources.
  bool advance(std::uint64_t event) {
    const std::uint64_t next =
        std::min({event, next_offer(parts_.world.maps, event), next_offer(parts_.world.reduces, event)});
    if (event == next) {
      parts_.allocation.taken();
    } else if (event == never) {
      parts_.allocation.expect_progress(next, parts_.world.maps.ready.any()
                                                  ? parts_.world.maps.ready.best()
                                                  : parts_.world.reduces.ready.best());
    }
    if (next == never) return false;
    parts_.world.now_ms = next;
    return !parts_.lifecycle.all_settled();
  }
  // True if some job may start a task somewhere. A placer sees also offers that no job may take.
  [[nodiscard]] bool wanted(const SlotTable& table) const {
    return parts_.world.placer == nullptr ? table.ready.open() != 0 : table.ready.any();
  }
  [[nodiscard]] std::uint64_t next_offer(const SlotTable& table, std::uint64_t event) const {
    if (parts_.world.heartbeats.period == 0 || !wanted(table)) return never;
    if (is_named(table)) return parts_.allocation.next_heartbeat(NamedNodes(table, names_->nodes_for_maps()));
    const OpenNodes nodes = open_nodes(table);
    const std::uint64_t skipped_before = table.kind == Kind::map ? skipped_until() : 0;
    if (skipped_before == 0 || nodes.empty()) return parts_.allocation.next_heartbeat(nodes);
    const std::uint64_t searched =
        parts_.allocation.next_heartbeat_of_both(table.offering, node_blocks_.holding());
    const std::uint64_t least = std::min(searched, event);
    if (least < skipped_before) return searched;
    return parts_.allocation.next_heartbeat(nodes, std::max(parts_.world.now_ms, skipped_before - 1));
  }
  [[nodiscard]] bool is_named(const SlotTable& table) const {
    return names_ != nullptr && table.kind == Kind::map;
  }
  [[nodiscard]] OpenNodes open_nodes(const SlotTable& table) const {
    const bool searches = table.kind == Kind::map && node_blocks_.on() && !parts_.speculation.speculates();
    return OpenNodes(table, searches ? node_blocks_.holding() : std::span<const std::uint64_t>());
  }
  // Before then, nodes that hold no block of a pending map need not be offered for maps (ForgetsPasses): a
  // job has come since their heartbeat before, and one will come until their next.
  [[nodiscard]] std::uint64_t skipped_until() const {
    const std::uint64_t period = parts_.world.heartbeats.period, next = parts_.lifecycle.next_arrival();
    if (!skips_ || node_blocks_.has_doubles() || !last_arrival_ || next == never ||
        next - parts_.world.now_ms > period)
      return 0;
    return *last_arrival_ + period;
  }
  void arrivals() {
    if (parts_.lifecycle.next_arrival() == parts_.world.now_ms) last_arrival_ = parts_.world.now_ms;
    parts_.lifecycle.arrivals();
  }

  template <Kind kind>
  void ends() {
    SlotTable& table = parts_.world.table_of(kind);
    while (!table.queue.empty() && table.queue.first_instant() == parts_.world.now_ms) {
      const std::uint32_t slot = table.queue.first_slot();
      const Running& attempt = table.on[slot];  // valid until its slot is given to another
      const NodeIndex node = table.node_of[slot];
      expect_attempts(attempt.job, kind);
      if (parts_.runner.still_reads(table, slot)) continue;
      ++parts_.world.result.events;
      parts_.runner.heartbeat(node);
      const bool free = table.release(slot);
      table.expect(table.queue.first_slot());
      if (free) table.ready.ended(attempt.job);
      if (free) parts_.world.holds_no_more(attempt.job, kind, node);
      if (table.ready.any()) expect(table, table.ready.best());
      if (parts_.world.model.cluster.mode.out_of_band && parts_.world.heartbeats.period != 0)
        parts_.allocation.reports(node);
      if (!parts_.lifecycle.ended(table, slot, attempt, node)) continue;
      parts_.world.tell(Event::What::ended, table, slot);
    }
  }

  // Offers the nodes that report at this instant, in node order.
  template <Kind kind>
  void give_out() {
    const SlotTable& table = parts_.world.table_of(kind);
    if (!wanted(table)) return;
    expect_work(table);
    const auto is_wanted = [&] { return wanted(table); };
    const auto offer_node = [&](NodeIndex node) { offer<kind>(node); };
    if (is_named(table)) {
      parts_.allocation.each_reporting(NamedNodes(table, names_->nodes_for_maps()), is_wanted, offer_node);
    } else if (kind == Kind::map && parts_.world.now_ms < skipped_until()) {
      parts_.allocation.each_reporting_of_both(table.offering, node_blocks_.holding(), is_wanted, offer_node);
    } else {
      parts_.allocation.each_reporting(open_nodes(table), is_wanted, offer_node);
    }
  }

  template <Kind kind>
  void offer(NodeIndex node) {
    SlotTable& table = parts_.world.table_of(kind);
    for (Count given = 0; table.free[node] > 0 && given < table.per_heartbeat && wanted(table); ++given) {
      const std::optional<TaskChoice> choice = choose(node, kind);
      if (!choice) {
        parts_.allocation.passed();
        return;
      }
      parts_.allocation.taken();
      parts_.runner.heartbeat(node);
      start<kind>(node, *choice);
    }
  }

  template <Kind kind>
  void start(NodeIndex node, const TaskChoice& choice) {
    SlotTable& table = parts_.world.table_of(kind);
    NodeJob& state = parts_.world.jobs[choice.job];
    if (!table.queue.empty()) expect(table, table.on[table.queue.first_slot()].job);
    const std::uint32_t slot = table.occupy(node);
    if (kind == Kind::map) take_blocks(choice);
    parts_.allocation.start_task<kind>(node, slot, choice, parts_.world.now_ms + parts_.world.launch);
    table.ready.started(choice.job);
    parts_.world.holds(choice.job, kind, node);
    const auto started = [&](std::uint32_t place) {
      if (!JobLifecycle::something_to_start(state, kind)) {
        table.ready.remove(choice.job);
        if (kind == Kind::map && !state.attempts && !parts_.world.model.network.reads())
          parts_.lifecycle.forget_places(state);
      }
      parts_.world.tell(Event::What::started, table, place);
    };
    started(slot);
    parts_.allocation.fill<kind>(slot, [&](std::uint32_t place, const TaskChoice& next) {
      if (kind == Kind::map) take_blocks(next);
      parts_.allocation.start_task<kind>(node, place, next, parts_.world.now_ms + parts_.world.launch);
      started(place);
    });
  }

  void take_blocks(const TaskChoice& choice) {
    if (node_blocks_.on() && parts_.world.jobs[choice.job].maps.pending > 0)  // else it is a second attempt
      node_blocks_.take(choice.job, choice.task);
  }

  // Prefetches: of a large cluster hardly anything is in the cache. Results do not depend on it.
  void expect(const SlotTable& table, JobIndex job) const {
    prefetch(&parts_.world.jobs[job], NodeJob::hot);
    table.ready.expect(job);
  }
  void expect_work(const SlotTable& table) const {
    const NodeJob& job = parts_.world.jobs[table.ready.best()];
    expect_attempts(table.ready.best(), table.kind);
    if (table.kind == Kind::map && parts_.world.model.places) {
      __builtin_prefetch(job.local.get());
    } else {
      __builtin_prefetch(table.kind == Kind::map ? job.map_work + job.maps.next
                                                 : job.reduce_work + job.reduces.next);
    }
  }
  void expect_attempts(JobIndex job, Kind kind) const {
    if (parts_.world.model.retries && parts_.world.jobs[job].attempts)
      __builtin_prefetch(&parts_.world.jobs[job].attempts->of(kind));
  }

  [[nodiscard]] std::optional<TaskChoice> choose(NodeIndex node, Kind kind) {
    if (takes_best_) {
      return parts_.allocation.closest(parts_.world.table_of(kind).ready.best(), node, kind,
                                       Locality::off_rack);
    }
    if (parts_.world.placer == nullptr) {
      const auto there = OrderTree::classes_of(parts_.world.node_class(node));
      const OrderTree& ready = parts_.world.table_of(kind).ready;
      const bool open = (ready.open() & there) != 0;
      const JobIndex first = open ? ready.first(there) : ready.best();
      const bool refused = open && only_caps_refuse_ ? false
                           : open && knows_classes_  ? parts_.allocation.refused_below_cap(first, kind, node)
                                                     : parts_.allocation.refused(first, kind, node);
      if (!refused && JobLifecycle::something_to_start(parts_.world.jobs[first], kind)) {
        if (const auto choice = parts_.allocation.closest(first, node, kind, Locality::off_rack))
          return choice;
      }
    }
    Shortlist candidates(parts_, node_blocks_, kind == Kind::map ? map_walk_ : reduce_walk_, node, kind);
    if (parts_.world.placer == nullptr) {
      while (const std::optional<JobIndex> job = candidates.next()) {
        if (const auto choice = candidates.closest(*job, Locality::off_rack)) return choice;
      }
      return std::nullopt;
    }
    const std::optional<TaskChoice> choice = parts_.world.placer->place(
        {node, kind, parts_.world.now()}, candidates, parts_.world, parts_.world.ledger.placer());
    if (!choice) return choice;
    if (placer_only_chooses_ && *choice == candidates.offered()) {
      if (kind == Kind::map) parts_.allocation.is_offered();
    } else {
      parts_.allocation.check_choice(*choice, node, kind);
    }
    return choice;
  }

  Simulation parts_;
  NodeBlocks node_blocks_{parts_.world, parts_.allocation};
  const bool timers_;       // the policy sets some
  const bool looks_often_;  // some event source acts at instants that it does not announce
  const bool skips_;        // nodes for which the placer would pass to no end
  std::optional<std::uint64_t> last_arrival_;
  const NamesNodes* const names_;  // null unless the placer is one
  const bool placer_only_chooses_;
  const bool knows_classes_;     // the order of jobs knows of each class whether it is open
  const bool takes_best_;        // the first job that may start a task takes any node
  const bool only_caps_refuse_;  // a job below its cap takes any node of the class
  ShortlistWalk map_walk_{parts_.world.maps.ready};
  ShortlistWalk reduce_walk_{parts_.world.reduces.ready};
};

}  // namespace wavewright::sim
