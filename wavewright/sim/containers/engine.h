// The fast engine of a cluster with containers [UNL §2, YARN]. Application masters ask for containers and
// fetch them at their heartbeats. Nodes give memory at their heartbeats in the policy's order; within a job
// reduces go before maps. The clock jumps from event to event and visits only useful heartbeats (see
// nodes/engine.h).
#pragma once

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wavewright/sim/containers/application_masters.h"
#include "wavewright/sim/kernel/event_sources.h"

namespace wavewright::sim {

class ContainerEngine final : private ResourceManager, private ContainerRoom {
 public:
  ContainerEngine(const Workload& workload, Policy& policy, const NodeModel& model,
                  const ClusterOptions& options)
      : parts_(workload, policy, model, options, *this),
        masters_(parts_, *this, options),
        timers_(policy.needs().has(Feature::timers)),
        least_(std::min({model.smallest[0], model.smallest[1], model.smallest[2]})),
        reservations_(policy.allocator->node_reservations()),
        free_on_class_(parts_.world.ledger.reserves() ? model.topology.classes.size() : 0),
        with_room_(model.topology.size(), false),
        reserved_(model.topology.size(), nobody) {
    for (NodeIndex node = 0; node < model.topology.size(); ++node) {
      room_.push_back(model.room_of(node));
      cores_.push_back(model.cores_on(node));
      restore(node);
    }
    const Containers& containers = model.cluster.containers;
    const auto most = [&](Count count) {
      return count == 0 || parts_.world.heartbeats.period == 0 ? std::numeric_limits<Count>::max() : count;
    };
    per_heartbeat_ = most(containers.per_heartbeat);
    off_switch_ = most(containers.off_switch_per_heartbeat);
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
        // Without heartbeats nodes offer their room when something has changed.
        if (parts_.world.heartbeats.period != 0 || masters_.changed()) {
          parts_.allocation.each_reporting(
              with_room_, [&] { return parts_.world.tree().any(); }, [&](NodeIndex node) { offer(node); });
        }
        parts_.allocation.forget_reports();
      }
      account();
      parts_.end.sum_up();
    } catch (const Infeasible& why) {
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
  static constexpr JobIndex nobody = ~JobIndex{0};

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
        parts_.world.heartbeats.period != 0 && parts_.world.tree().any() && !with_room_.empty();
    const std::uint64_t next =
        std::min({event, review, offers ? parts_.allocation.next_heartbeat(with_room_) : never});
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
  [[nodiscard]] Count free_memory() const override { return free_; }
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
    room_[node] -= state.request[at(kind)];
    free_ -= state.request[at(kind)].memory;
    count_free(node, -state.request[at(kind)].memory);
    parts_.world.holds(index, kind, node);
    cores_[node] -= parts_.world.model.cores_of(kind);
    parts_.world.free_cores -= parts_.world.model.cores_of(kind);
    if (room_[node].memory < least_) with_room_.erase(node);
    ++state.held[at(kind)];
    --state.asked[at(kind)];
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
    room_[node] += room;
    cores_[node] += parts_.world.model.cores_of(table.kind);
    if (!parts_.changes.is_away(node)) {
      free_ += room.memory;
      count_free(node, room.memory);
      parts_.world.free_cores += parts_.world.model.cores_of(table.kind);
      if (room_[node].memory >= least_ && !with_room_.contains(node)) with_room_.insert(node);
    }
    --state.held[at(table.kind)];
    parts_.world.holds_no_more(index, table.kind, node);
    parts_.world.tree().ended(index, room.memory);
    masters_.schedule_review(index);
  }
  void withdraw(NodeIndex node) override {
    --present_;
    free_ -= room_[node].memory;
    count_free(node, -room_[node].memory);
    parts_.world.free_cores -= cores_[node];
    if (with_room_.contains(node)) with_room_.erase(node);
    unreserve_node(node);
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
  void restore(NodeIndex node) override {
    ++present_;
    free_ += room_[node].memory;
    count_free(node, room_[node].memory);
    parts_.world.free_cores += cores_[node];
    if (room_[node].memory >= least_) with_room_.insert(node);
  }
  // Free memory by class, of nodes that are present; counted if a policy reserves some.
  [[nodiscard]] std::span<const Count> free_on_classes(Kind) override { return free_on_class_; }
  void count_free(NodeIndex node, Count by) {
    if (!free_on_class_.empty()) free_on_class_[parts_.world.node_class(node)] += by;
  }
  // Whether the job may reserve the node for its next container, which does not fit there now.
  [[nodiscard]] bool may_reserve(NodeIndex node, const NodeJob& state) const {
    const Kind kind = next_kind(state);
    if (state.reserved >= state.asked[0] + state.asked[1] + state.asked[2]) return false;
    if (state.request[at(kind)].memory <
        reservations_.least_multiple * parts_.world.model.minimum_allocation())
      return false;
    if (static_cast<double>(state.reserved) < reservations_.nodes * static_cast<double>(present_))
      return true;
    return kind == Kind::map && !state.failed_maps && state.local &&
           state.local->closest(node, Locality::node).has_value();
  }
  void reserve_node(NodeIndex node, JobIndex index) {
    reserved_[node] = index;
    ++parts_.world.jobs[index].reserved;
  }
  void unreserve_node(NodeIndex node) {
    if (reserved_[node] == nobody) return;
    --parts_.world.jobs[reserved_[node]].reserved;
    reserved_[node] = nobody;
  }

  // ---- allocation

  struct Grant {
    Kind kind = Kind::map;
    TaskChoice choice;
    bool off_switch = false;  // off the rack of its block, or a task without a block
  };

  void offer(NodeIndex node) {
    Count off_switch = 0;
    for (Count given = 0; given < per_heartbeat_ && off_switch < off_switch_; ++given) {
      if (!with_room_.contains(node) || !parts_.world.tree().any()) return;
      const std::optional<Grant> grant = choose(node);
      if (!grant) {
        parts_.allocation.passed();
        return;
      }
      parts_.allocation.taken();
      off_switch += grant->off_switch ? 1 : 0;
      parts_.runner.heartbeat(node);
      start(node, *grant);
    }
  }
  void start(NodeIndex node, const Grant& grant) {
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

  // Masters first, then maps that failed, then reduces, then maps [RMContainerAllocator's priorities].
  [[nodiscard]] static Kind next_kind(const NodeJob& state) {
    if (state.asked[at(Kind::master)] > 0) return Kind::master;
    if (state.failed_maps && state.asked[at(Kind::map)] > 0) return Kind::map;
    return state.asked[at(Kind::reduce)] > 0 ? Kind::reduce : Kind::map;
  }

  // If the room is too small for the first job that could have it, the node is reserved for that job.
  [[nodiscard]] std::optional<Grant> choose(NodeIndex node) {
    if (reserved_[node] != nobody) {
      const JobIndex index = reserved_[node];
      const Room& asked = parts_.world.jobs[index].request[at(next_kind(parts_.world.jobs[index]))];
      if (parts_.world.tree().eligible(index) &&
          !parts_.allocation.refused(index, next_kind(parts_.world.jobs[index]), node) &&
          parts_.world.model.room_of(node).holds(asked)) {
        if (!room_[node].holds(asked)) return std::nullopt;
        if (const auto found = grant(index, node)) {
          unreserve_node(node);
          return found;
        }
      }
      unreserve_node(node);
    }
    walk_.restart();
    while (const std::optional<JobIndex> index = walk_.next()) {
      const NodeJob& state = parts_.world.jobs[*index];
      const Room& asked = state.request[at(next_kind(state))];
      if (parts_.allocation.refused(*index, next_kind(state), node) ||
          !parts_.world.model.room_of(node).holds(asked))
        continue;
      if (room_[node].holds(asked)) {
        if (const auto found = grant(*index, node)) return found;
      } else if (may_reserve(node, state)) {
        reserve_node(node, *index);
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

  // The task that the job starts on a node with enough room.
  [[nodiscard]] std::optional<Grant> grant(JobIndex index, NodeIndex node) {
    const NodeJob& state = parts_.world.jobs[index];
    const Kind kind = next_kind(state);
    const bool anywhere = kind != Kind::map || !state.local;
    if (kind == Kind::master) return Grant{kind, {index, 0, Locality::node}, true};
    if (kind == Kind::map && state.failed_maps)
      return Grant{kind, parts_.allocation.failed_map(index, node), true};
    std::optional<TaskChoice> choice;
    if (kind == Kind::map && parts_.world.placer != nullptr) {
      OneJob candidates(*this, index, node);
      choice = parts_.world.placer->place({node, kind, parts_.world.now()}, candidates, parts_.world,
                                          parts_.world.ledger.placer());
      if (choice) parts_.allocation.check_choice(*choice, node, kind);
    } else if (JobLifecycle::something_to_start(parts_.world.jobs[index], kind)) {
      choice = parts_.allocation.closest(index, node, kind, Locality::off_rack);
    }
    if (!choice) return std::nullopt;
    return Grant{kind, *choice, anywhere || choice->locality == Locality::off_rack};
  }

  // A placer is asked job by job, because YARN decides whose turn it is.
  class OneJob final : public Candidates {
   public:
    OneJob(ContainerEngine& engine, JobIndex job, NodeIndex node) : engine_(engine), job_(job), node_(node) {}
    [[nodiscard]] std::optional<JobIndex> next() override { return std::exchange(job_, std::nullopt); }
    [[nodiscard]] std::optional<TaskChoice> closest(JobIndex job, Locality at_most) override {
      if (!JobLifecycle::something_to_start(engine_.parts_.world.known(job), Kind::map)) return std::nullopt;
      return engine_.parts_.allocation.closest(job, node_, Kind::map, at_most);
    }

   private:
    ContainerEngine& engine_;
    std::optional<JobIndex> job_;
    NodeIndex node_;
  };

  void refuse_stuck(JobIndex index) const override {
    const NodeJob& state = parts_.world.jobs[index];
    const Count masters = parts_.world.masters.slots() - parts_.world.masters.idle.count();
    if (!state.settled && state.admitted && masters > 0) {
      throw Infeasible(
          fmt::format("job '{}' can never be placed: {} application masters hold memory and none of "
                      "them gets a task's container",
                      parts_.world.id(index), masters),
          "limit how many jobs run at once, or add nodes");
    }
    parts_.end.refuse_stuck(index);
  }

  Simulation parts_;
  ApplicationMasters masters_;
  const bool timers_;  // the policy sets some
  const Count least_;  // memory of the smallest container, MiB
  const NodeReservations reservations_;
  Count present_ = 0;  // nodes
  Count per_heartbeat_ = 0;
  Count off_switch_ = 0;
  std::uint64_t accounted_ = 0;
  Count free_ = 0;  // free memory of nodes that are present, MiB
  std::vector<Count> free_on_class_;
  NumberSet with_room_;             // nodes that are present and may have room for a container
  std::vector<Room> room_;          // free, by node
  std::vector<Count> cores_;        // free, by node
  std::vector<JobIndex> reserved_;  // by node: the job that it is reserved for
  std::vector<std::pair<Kind, std::uint32_t>> due_;  // containers whose ends are reported at this instant
  OrderTree::Walk walk_{parts_.world.tree()};
};

}  // namespace wavewright::sim
