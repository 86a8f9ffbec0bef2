// The fast engine of a cluster with containers [UNL §2, YARN]. Application masters ask for containers and
// fetch them at their heartbeats. Nodes give memory at their heartbeats in the policy's order; within a job
// reduces go before maps. The clock jumps from event to event and visits only useful heartbeats (see
// nodes/engine.h).
#pragma once

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wavewright/sim/containers/application_masters.h"
#include "wavewright/sim/containers/container_scheduler.h"
#include "wavewright/sim/containers/free_room.h"
#include "wavewright/sim/containers/reserved_nodes.h"
#include "wavewright/sim/kernel/event_sources.h"

namespace wavewright::sim {

class ContainerEngine final : private ResourceManager, private ContainerRoom {
 public:
  ContainerEngine(const Workload& workload, Policy& policy, const NodeModel& model,
                  const ClusterOptions& options)
      : parts_(workload, policy, model, options, *this),
        masters_(parts_, *this, options),
        timers_(policy.needs().has(Feature::timers)),
        free_(parts_.world, policy.allocator->node_reservations()),
        reserved_(parts_.world, policy.allocator->node_reservations()) {
    const Containers& containers = model.cluster.containers;
    const auto most = [&](Count count) {
      return count == 0 || parts_.world.heartbeats.period == 0 ? std::numeric_limits<Count>::max() : count;
    };
    per_heartbeat_ = most(containers.per_heartbeat);
    off_switch_ = most(containers.off_switch_per_heartbeat);
    is_limited_ = parts_.world.heartbeats.period != 0;
    heartbeats_.resize(is_limited_ ? model.topology.size() : 1);
  }

  SimulationResult run_all() {
    const auto began = std::chrono::steady_clock::now();
    parts_.begin();
    auto events = EventSources(
        event_source([&] { return parts_.lifecycle.next_arrival(); }, [&] { parts_.lifecycle.arrivals(); }),
        event_source([&] { return parts_.runner.next_launch(); }, [&] { parts_.runner.launches(); }),
        event_source([&] { return parts_.runner.next_transfer(); }, [&] { parts_.runner.transfers(); }),
        event_source([&] { return parts_.world.masters.next_end(); }, [&] { masters_.master_ends(); }),
        event_source([&] { return parts_.world.maps.next_end(); }, [&] { ends(parts_.world.maps); }),
        event_source([&] { return parts_.world.reduces.next_end(); }, [&] { ends(parts_.world.reduces); }),
        every_instant([&] { reports(); }),
        event_source([&] { return parts_.changes.next(); }, [&] { parts_.changes.apply(); }),
        every_instant([&] { parts_.lifecycle.arrivals(); }),  // jobs whose last predecessor has just finished
        event_source([&] { return parts_.clock.next(); }, [&] { parts_.clock.timers(); }),
        event_source([&] { return parts_.speculation.next_check(); },
                     [&] { parts_.speculation.double_slow_tasks(); }),
        every_instant([&] { parts_.clock.preempt(); }), every_instant([&] { masters_.reviews(); }));
    try {
      while (!parts_.end.stopped() && advance(events.next())) {
        events.fire();
        if (timers_) parts_.end.expect_progress();
        parts_.allocation.sort_reports();
        // Without heartbeats nodes offer their room when something has changed, such as a reservation.
        const bool at_once = parts_.world.heartbeats.period == 0;
        for (bool again = !at_once || masters_.changed() || unreserved_; again;
             again = at_once && unreserved_) {
          unreserved_ = false;
          parts_.allocation.each_reporting(
              free_.offering(), [&] { return parts_.world.tree().any(); },
              [&](NodeIndex node) { offer(node); });
        }
        parts_.allocation.forget_reports();
      }
      account();
      parts_.end.sum_up();
    } catch (const Infeasible& why) {
      // Memory counts up to the last event. The heartbeats behind it are no part of the run.
      parts_.world.now_ms = std::max(accounted_, parts_.world.idle_since_ms.value_or(parts_.world.now_ms));
      account();
      parts_.end.end_stuck(why);
    }
    parts_.world.result.engine_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return std::move(parts_.world.result);
  }

 private:
  using Room = NodeModel::Room;
  static constexpr std::uint64_t never = NodeJob::never;

  // ---- ResourceManager: requests of masters
  void begin_job(JobIndex job) override { masters_.admitted(job); }
  void has_work(JobIndex job, Kind) override { masters_.has_work(job); }
  void has_less_work(JobIndex job, Kind kind) override { masters_.has_less_work(job, kind); }
  void job_settled(JobIndex job) override { masters_.settled(job); }
  void cap_changed(JobIndex job) override { masters_.cap_changed(job); }
  void master_launched(std::uint32_t slot) override { masters_.launched(slot); }
  static std::size_t at(Kind kind) { return ApplicationMasters::at(kind); }

  // ---- time

  // Moves the clock to the next instant; false at the end. `event`: the next one of the event sources.
  bool advance(std::uint64_t event) {
    const std::uint64_t review = masters_.next_review();
    const bool offers =
        parts_.world.heartbeats.period != 0 && parts_.world.tree().any() && !free_.offering().empty();
    const std::uint64_t next =
        std::min({event, review, offers ? parts_.allocation.next_heartbeat(free_.offering()) : never});
    if (event == next) {
      parts_.allocation.taken();
    } else if (event == never && next != never) {
      parts_.allocation.expect_progress(
          next, parts_.world.tree().any() ? parts_.world.tree().best() : masters_.next_to_ask());
    }
    masters_.set_changed(event == next);
    if (next == never || parts_.lifecycle.all_settled()) return false;
    parts_.world.now_ms = next;
    return true;
  }

  // ---- containers end

  void ends(SlotTable& table) {
    while (!table.queue.empty() && table.queue.first_instant() == parts_.world.now_ms) {
      const std::uint32_t slot = table.queue.first_slot();
      if (table.on[slot].over) {
        table.queue.clear(slot);
        reported(table.kind, slot);
        continue;
      }
      if (parts_.runner.still_reads(table, slot)) continue;
      ++parts_.world.result.events;
      masters_.count_end();
      const Running attempt = table.on[slot];
      wait_for_report(table, slot);
      parts_.lifecycle.ended(table, slot, attempt, table.node_of[slot]);
    }
  }
  // The master knows the end; the room is free when the node reports it, not at the heartbeat that gave it.
  void wait_for_report(SlotTable& table, std::uint32_t slot) override {
    table.on[slot].twin = Running::alone;
    if (table.shared(slot)) {  // other tasks share the container
      (void)table.release(slot);
      return;
    }
    table.on[slot].over = true;
    std::uint64_t report = parts_.world.now_ms;
    if (parts_.world.heartbeats.period != 0) {
      report = std::max(parts_.world.now_ms, table.on[slot].since + 1);
      if (!parts_.world.model.cluster.mode.out_of_band)
        report = parts_.world.heartbeats.at_or_after(table.node_of[slot], report);
    }
    if (report == parts_.world.now_ms) {
      table.queue.clear(slot);
      reported(table.kind, slot);
    } else {
      table.queue.set(slot, report);
    }
  }
  void reported(Kind kind, std::uint32_t slot) override { due_.push_back({kind, slot}); }
  [[nodiscard]] Count free_memory() const override { return free_.memory(); }
  void unreserve(JobIndex job) override {
    reserved_.release_all_of(job);
    unreserved_ = true;
  }
  void reports() {
    std::sort(due_.begin(), due_.end());
    for (const auto& [kind, slot] : due_) {
      SlotTable& table = parts_.world.table_of(kind);
      const NodeIndex node = table.node_of[slot];
      vacate(table, slot);
      parts_.runner.heartbeat(node);
      if (parts_.world.model.cluster.mode.out_of_band && parts_.world.heartbeats.period != 0)
        parts_.allocation.reports(node);
      parts_.world.tell(Event::What::ended, table, slot);
    }
    due_.clear();
  }

  // ---- room

  // Integrates the memory given out over time. Call before it changes.
  void account() {
    parts_.world.result.memory_busy += static_cast<double>(parts_.world.tree().used(root_group)) *
                                       static_cast<double>(parts_.world.now_ms - accounted_);
    accounted_ = parts_.world.now_ms;
  }
  void occupy(NodeIndex node, JobIndex index, Kind kind) {
    NodeJob& state = parts_.world.jobs[index];
    account();
    free_.take(node, state.request[at(kind)], kind);
    parts_.world.holds(index, kind, node);
    ++state.held[at(kind)];
    --state.asked[at(kind)];
    if (kind == Kind::reduce) --state.decided;
    parts_.world.tree().started(index, state.request[at(kind)].memory);
    masters_.list(index);
    masters_.review_again(index);
  }
  void vacate(SlotTable& table, std::uint32_t slot) override {
    const JobIndex index = table.on[slot].job;
    NodeJob& state = parts_.world.jobs[index];
    const Room& room = state.request[at(table.kind)];
    const NodeIndex node = table.node_of[slot];
    account();
    table.on[slot].over = false;
    if (!table.release(slot)) return;
    free_.give_back(node, room, table.kind, parts_.changes.is_away(node));
    --state.held[at(table.kind)];
    parts_.world.holds_no_more(index, table.kind, node);
    parts_.world.tree().ended(index, room.memory);
    masters_.schedule_review(index);
  }
  void withdraw(NodeIndex node) override {
    free_.leave(node);
    reserved_.release(node);
    for (SlotTable* const table : {&parts_.world.masters, &parts_.world.maps, &parts_.world.reduces}) {
      for (std::uint32_t slot = table->first_slot[node]; slot < table->first_slot[node + 1]; ++slot) {
        if (table->idle.contains(slot)) continue;
        if (table->on[slot].over) {
          vacate(*table, slot);
          parts_.world.tell(Event::What::ended, *table, slot);
        } else if (table->kind == Kind::master) {
          masters_.lose_master(slot);
        } else {
          parts_.lifecycle.stop(*table, slot, AttemptOutcome::lost, true);
        }
      }
    }
  }
  void close(NodeIndex node) override {
    free_.close(node);
    reserved_.release(node);
  }
  void restore(NodeIndex node) override { free_.join(node); }
  [[nodiscard]] std::span<const Count> free_on_classes(Kind) override { return free_.on_classes(); }

  // ---- allocation

  void offer(NodeIndex node) {
    Heartbeat& heartbeat = heartbeat_of(node);
    for (; heartbeat.given < per_heartbeat_ && heartbeat.off_switch < off_switch_; ++heartbeat.given) {
      if (!free_.offering().contains(node) || !parts_.world.tree().any()) return;
      const std::optional<ContainerScheduler::Grant> grant = scheduler_.choose(node);
      if (!grant) {
        parts_.allocation.passed();
        return;
      }
      parts_.allocation.taken();
      heartbeat.off_switch += grant->off_switch ? 1 : 0;
      parts_.runner.heartbeat(node);
      if (grant->given_up) {
        reserved_.release(*grant->given_up);
        unreserved_ = true;
      }
      start(node, *grant);
      if (grant->reserved && is_limited_) {  // that is all the node gives at a heartbeat
        heartbeat.given = per_heartbeat_;
        return;
      }
    }
  }
  // Containers that a node has given at an instant. Other events of that instant begin no second heartbeat.
  struct Heartbeat {
    std::uint64_t at = never;
    Count given = 0, off_switch = 0;
  };
  [[nodiscard]] Heartbeat& heartbeat_of(NodeIndex node) {
    Heartbeat& heartbeat = heartbeats_[is_limited_ ? node : 0];
    if (!is_limited_ || heartbeat.at != parts_.world.now_ms) heartbeat = {.at = parts_.world.now_ms};
    return heartbeat;
  }
  void start(NodeIndex node, const ContainerScheduler::Grant& grant) {
    const JobIndex index = grant.choice.job;
    if (grant.kind == Kind::master) {
      masters_.start_master(node, index);
      occupy(node, index, Kind::master);
      parts_.world.tell(Event::What::started, parts_.world.masters, parts_.world.jobs[index].master);
    } else if (grant.kind == Kind::map) {
      start_tasks<Kind::map>(node, grant.choice);
    } else {
      start_tasks<Kind::reduce>(node, grant.choice);
    }
  }
  // Starts the task in a container, with the tasks that may share it.
  template <Kind kind>
  void start_tasks(NodeIndex node, const TaskChoice& choice) {
    NodeJob& state = parts_.world.jobs[choice.job];
    const std::uint64_t launched =
        masters_.heartbeat_from(state, parts_.world.now_ms + 1) + parts_.world.launch;
    const std::uint32_t slot = parts_.world.table_of(kind).occupy(node);
    const auto start = [&](std::uint32_t place, const TaskChoice& next) {
      parts_.allocation.start_task<kind>(node, place, next, launched);
      if (kind == Kind::map && state.maps.pending == 0 && !state.attempts &&
          !parts_.world.model.network.reads())
        parts_.lifecycle.forget_places(state);
      place == slot ? occupy(node, choice.job, kind) : masters_.has_less_work(choice.job, kind);
      parts_.world.tell(Event::What::started, parts_.world.table_of(kind), place);
    };
    start(slot, choice);
    parts_.allocation.fill<kind>(slot, start);
  }

  void explain_stuck(JobIndex index) const override {
    const Count masters = parts_.world.masters.slots() - parts_.world.masters.idle.count();
    if (masters > 0) {
      throw Infeasible(
          fmt::format("job '{}' can never be placed: {} application masters hold memory and none of "
                      "them gets a task's container",
                      parts_.world.id(index), masters),
          "limit how many jobs run at once, raise the queue's maximum or its user limits, or add nodes");
    }
    parts_.end.explain_stuck(index);
  }

  Simulation parts_;
  ApplicationMasters masters_;
  const bool timers_;  // the policy sets some
  FreeRoom free_;
  ReservedNodes reserved_;
  bool unreserved_ = false;  // since the nodes last offered their room
  Count per_heartbeat_ = 0;
  Count off_switch_ = 0;
  bool is_limited_ = false;            // what a heartbeat gives; so without heartbeats nothing is
  std::vector<Heartbeat> heartbeats_;  // by node; one for all where nothing is limited
  std::uint64_t accounted_ = 0;
  std::vector<std::pair<Kind, std::uint32_t>> due_;  // containers whose ends are reported at this instant
  ContainerScheduler scheduler_{parts_, free_, reserved_};
};

}  // namespace wavewright::sim
