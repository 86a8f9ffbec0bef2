// The fast engine of a cluster that gives out containers [UNL §2, YARN]: jobs have application masters, which
// ask for containers and fetch those they got every so often; nodes give memory at their heartbeats to the
// jobs in the policy's order, a job's reduces before its maps. As in nodes/engine.h the clock jumps from
// event to event, and of all heartbeats, nodes' and masters', only those are visited that can change
// something.
#pragma once

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wavewright/sim/containers/masters.h"

namespace wavewright::sim {

class ContainerEngine final : private Masters {
 public:
  ContainerEngine(const Workload& workload, Policy& policy, const NodeModel& model,
                  const ClusterOptions& options)
      : Masters(workload, policy, model, options),
        least_(std::min({model.smallest[0], model.smallest[1], model.smallest[2]})),
        free_on_class_(ledger_.reserves() ? model.topology.classes.size() : 0),
        roomy_(model.topology.size(), false),
        reserved_(model.topology.size(), nobody) {
    for (NodeIndex node = 0; node < model.topology.size(); ++node) {
      room_.push_back(model.room_of(node));
      cores_.push_back(model.cores_on(node));
      restore(node);
    }
    const Containers& containers = model.cluster.containers;
    const auto most = [&](Count count) {
      return count == 0 || heartbeats_.period == 0 ? std::numeric_limits<Count>::max() : count;
    };
    per_heartbeat_ = most(containers.per_heartbeat);
    off_switch_ = most(containers.off_switch_per_heartbeat);
  }

  SimulationResult run_all() {
    const auto began = std::chrono::steady_clock::now();
    this->begin();
    while (!this->stopped() && advance()) {
      this->arrivals();
      this->launches();
      this->transfers();
      this->master_ends();
      ends(maps_);
      ends(reduces_);
      reports();
      this->come_and_go();
      this->arrivals();  // of jobs whose last predecessor has just finished
      this->timers();
      this->double_slow_tasks();
      this->preempt();
      this->reviews();
      std::sort(reporting_.begin(), reporting_.end());
      // Without heartbeats nodes offer what they have when something has changed.
      if (heartbeats_.period != 0 || changed_) {
        this->each_reporting(roomy_, [&] { return tree().any(); }, [&](NodeIndex node) { offer(node); });
      }
      reporting_.clear();
    }
    account();
    this->sum_up();
    result_.engine_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return std::move(result_);
  }

 private:
  using Course = JobCourse;
  using State = ClusterState;
  using Room = NodeModel::Room;
  using Course::arrivals_;
  using Course::commit_;
  using Course::heartbeats_;
  using Course::id;
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
  using Masters::at;
  using Masters::changed_;
  using Masters::ends_;
  using Masters::reviews_;
  using Offers::passes_;
  using Offers::reporting_;
  using State::free_cores_;
  using State::masters_;
  using State::tree;
  static constexpr JobIndex nobody = ~JobIndex{0};

  // ---- time

  bool advance() {
    const auto first = [](const Side& side) {
      return side.queue.empty() ? never : side.queue.first_instant();
    };
    const std::uint64_t event = std::min({arrivals_.next(), launches_.next(), first(masters_), first(maps_),
                                          first(reduces_), this->next_incident(), this->next_transfer()});
    const std::uint64_t review = reviews_.empty() ? never : reviews_.top().first;
    const bool offers = heartbeats_.period != 0 && tree().any() && !roomy_.empty();
    const std::uint64_t next = std::min({event, review, offers ? this->next_heartbeat(roomy_) : never});
    if (event == next) {
      passes_ = 0;
    } else if (event == never && next != never) {
      this->expect_progress(next, tree().any() ? tree().best() : reviews_.top().second);
    }
    changed_ = event == next;
    if (next == never || settled_ == jobs_.size()) return false;
    now_ = next;
    return true;
  }

  // ---- containers end

  void ends(Side& side) {
    while (!side.queue.empty() && side.queue.first_instant() == now_) {
      const std::uint32_t slot = side.queue.first_slot();
      if (side.on[slot].over) {
        side.queue.clear(slot);
        reported(side.kind, slot);
        continue;
      }
      if (this->still_reads(side, slot)) continue;
      ++result_.events;
      ++ends_;
      const Running attempt = side.on[slot];
      wait_for_report(side, slot);
      this->ended(side, slot, attempt, side.node_of[slot]);
    }
  }
  // The master knows; the container's room is free when its node reports, which is not at the heartbeat that
  // gave it.
  void wait_for_report(Side& side, std::uint32_t slot) override {
    side.on[slot].twin = Running::alone;
    if (side.shared(slot)) {  // the others go on
      (void)side.release(slot);
      return;
    }
    side.on[slot].over = true;
    std::uint64_t report = now_;
    if (heartbeats_.period != 0) {
      report = std::max(now_, side.on[slot].since + 1);
      if (!model_.cluster.mode.out_of_band) report = heartbeats_.at_or_after(side.node_of[slot], report);
    }
    if (report == now_) {
      side.queue.clear(slot);
      reported(side.kind, slot);
    } else {
      side.queue.set(slot, report);
    }
  }
  void reported(Kind kind, std::uint32_t slot) override { due_.push_back({kind, slot}); }
  [[nodiscard]] Count free_memory() const override { return free_; }
  void reports() {
    std::sort(due_.begin(), due_.end());
    for (const auto& [kind, slot] : due_) {
      Side& side = State::side_of(kind);
      const NodeIndex node = side.node_of[slot];
      vacate(side, slot);
      this->beat(node);
      if (model_.cluster.mode.out_of_band && heartbeats_.period != 0) reporting_.push_back(node);
      tell(Event::What::ended, side, slot);
    }
    due_.clear();
  }

  // ---- room

  // Memory given out, integrated over time; called before it changes.
  void account() {
    result_.memory_busy +=
        static_cast<double>(tree().used(root_group)) * static_cast<double>(now_ - accounted_);
    accounted_ = now_;
  }
  void occupy(NodeIndex node, JobIndex index, Kind kind) {
    NodeJob& state = jobs_[index];
    account();
    room_[node] -= state.request[at(kind)];
    free_ -= state.request[at(kind)].memory;
    count_free(node, -state.request[at(kind)].memory);
    this->holds(index, kind, node);
    cores_[node] -= model_.cores_of(kind);
    free_cores_ -= model_.cores_of(kind);
    if (room_[node].memory < least_) roomy_.erase(node);
    ++state.held[at(kind)];
    --state.asked[at(kind)];
    tree().started(index, state.request[at(kind)].memory);
    this->list(index);
    this->review_again(index);
  }
  void vacate(Side& side, std::uint32_t slot) override {
    const JobIndex index = side.on[slot].job;
    NodeJob& state = jobs_[index];
    const Room& room = state.request[at(side.kind)];
    const NodeIndex node = side.node_of[slot];
    account();
    side.on[slot].over = false;
    if (!side.release(slot)) return;
    room_[node] += room;
    cores_[node] += model_.cores_of(side.kind);
    if (!this->is_away(node)) {
      free_ += room.memory;
      count_free(node, room.memory);
      free_cores_ += model_.cores_of(side.kind);
      if (room_[node].memory >= least_ && !roomy_.contains(node)) roomy_.insert(node);
    }
    --state.held[at(side.kind)];
    this->holds_no_more(index, side.kind, node);
    tree().ended(index, room.memory);
    this->schedule_review(index);
  }
  void withdraw(NodeIndex node) override {
    free_ -= room_[node].memory;
    count_free(node, -room_[node].memory);
    free_cores_ -= cores_[node];
    if (roomy_.contains(node)) roomy_.erase(node);
    let_go(node);
    for (Side* const side : {&masters_, &maps_, &reduces_}) {
      for (std::uint32_t slot = side->first_slot[node]; slot < side->first_slot[node + 1]; ++slot) {
        if (side->idle.contains(slot)) continue;
        if (side->on[slot].over) {
          vacate(*side, slot);
          tell(Event::What::ended, *side, slot);
        } else if (side->kind == Kind::master) {
          this->lose_master(slot);
        } else {
          this->stop(*side, slot, AttemptOutcome::lost, true);
        }
      }
    }
  }
  void restore(NodeIndex node) override {
    free_ += room_[node].memory;
    count_free(node, room_[node].memory);
    free_cores_ += cores_[node];
    if (room_[node].memory >= least_) roomy_.insert(node);
  }
  // Free memory by class, of the nodes that are there; counted where a policy reserves some.
  [[nodiscard]] std::span<const Count> free_on_classes(Kind) override { return free_on_class_; }
  void count_free(NodeIndex node, Count by) {
    if (!free_on_class_.empty()) free_on_class_[this->node_class(node)] += by;
  }
  void keep_for(NodeIndex node, JobIndex index) {
    reserved_[node] = index;
    ++jobs_[index].reserved;
  }
  void let_go(NodeIndex node) {
    if (reserved_[node] == nobody) return;
    --jobs_[reserved_[node]].reserved;
    reserved_[node] = nobody;
  }

  // ---- room is given out

  struct Grant {
    Kind kind = Kind::map;
    TaskChoice choice;
    bool off_switch = false;  // near no block of its own
  };

  void offer(NodeIndex node) {
    Count off_switch = 0;
    for (Count given = 0; given < per_heartbeat_ && off_switch < off_switch_; ++given) {
      if (!roomy_.contains(node) || !tree().any()) return;
      const std::optional<Grant> grant = choose(node);
      if (!grant) {
        ++passes_;
        return;
      }
      passes_ = 0;
      off_switch += grant->off_switch ? 1 : 0;
      this->beat(node);
      start(node, *grant);
    }
  }
  void start(NodeIndex node, const Grant& grant) {
    const JobIndex index = grant.choice.job;
    if (grant.kind == Kind::master) {
      this->start_master(node, index);
      occupy(node, index, Kind::master);
      tell(Event::What::started, masters_, jobs_[index].master);
    } else if (grant.kind == Kind::map) {
      start_tasks<Kind::map>(node, grant.choice);
    } else {
      start_tasks<Kind::reduce>(node, grant.choice);
    }
  }
  // The task takes a container, and those that may share it with it.
  template <Kind kind>
  void start_tasks(NodeIndex node, const TaskChoice& choice) {
    NodeJob& state = jobs_[choice.job];
    const std::uint64_t launched = this->beat_from(state, now_ + 1) + launch_;
    const std::uint32_t slot = State::side<kind>().occupy(node);
    const auto start = [&](std::uint32_t place, const TaskChoice& next) {
      this->start_task<kind>(node, place, next, launched);
      if (kind == Kind::map && state.maps.pending == 0 && !state.attempts && !model_.network.reads())
        this->forget_places(state);
      place == slot ? occupy(node, choice.job, kind) : this->has_less_work(choice.job, kind);
      tell(Event::What::started, State::side_of(kind), place);
    };
    start(slot, choice);
    this->fill<kind>(slot, start);
  }

  // Masters first, then reduces, then maps [RMContainerAllocator's priorities].
  [[nodiscard]] static Kind next_kind(const NodeJob& state) {
    if (state.asked[at(Kind::master)] > 0) return Kind::master;
    return state.asked[at(Kind::reduce)] > 0 ? Kind::reduce : Kind::map;
  }

  // A node whose room is too small for the first job that could have it is kept for that job.
  [[nodiscard]] std::optional<Grant> choose(NodeIndex node) {
    if (reserved_[node] != nobody) {
      const JobIndex index = reserved_[node];
      const Room& asked = jobs_[index].request[at(next_kind(jobs_[index]))];
      if (tree().eligible(index) && !this->refused(index, next_kind(jobs_[index]), node) &&
          model_.room_of(node).holds(asked)) {
        if (!room_[node].holds(asked)) return std::nullopt;
        if (const auto found = grant(index, node)) {
          let_go(node);
          return found;
        }
      }
      let_go(node);
    }
    walk_.restart();
    while (const std::optional<JobIndex> index = walk_.next()) {
      const NodeJob& state = jobs_[*index];
      const Room& asked = state.request[at(next_kind(state))];
      if (this->refused(*index, next_kind(state), node) || !model_.room_of(node).holds(asked)) continue;
      if (room_[node].holds(asked)) {
        if (const auto found = grant(*index, node)) return found;
      } else if (state.reserved < state.asked[0] + state.asked[1] + state.asked[2]) {
        keep_for(node, *index);
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

  // What the job takes of a node that has the room for it.
  [[nodiscard]] std::optional<Grant> grant(JobIndex index, NodeIndex node) {
    const NodeJob& state = jobs_[index];
    const Kind kind = next_kind(state);
    const bool anywhere = kind != Kind::map || !state.local;
    if (kind == Kind::master) return Grant{kind, {index, 0, Locality::node}, true};
    std::optional<TaskChoice> choice;
    if (kind == Kind::map && placer_ != nullptr) {
      OneJob candidates(*this, index, node);
      choice = placer_->place({node, kind, now()}, candidates, *this, ledger_.placer());
      if (choice) this->check_choice(*choice, node, kind);
    } else if (this->something_to_start(jobs_[index], kind)) {
      choice = this->closest(index, node, kind, Locality::off_rack);
    }
    if (!choice) return std::nullopt;
    return Grant{kind, *choice, anywhere || choice->locality == Locality::off_rack};
  }

  // A placer is asked job by job: whose turn it is, is YARN's matter.
  class OneJob final : public Candidates {
   public:
    OneJob(ContainerEngine& engine, JobIndex job, NodeIndex node) : engine_(engine), job_(job), node_(node) {}
    [[nodiscard]] std::optional<JobIndex> next() override { return std::exchange(job_, std::nullopt); }
    [[nodiscard]] std::optional<TaskChoice> closest(JobIndex job, Locality at_most) override {
      if (!engine_.something_to_start(engine_.known(job), Kind::map)) return std::nullopt;
      return engine_.closest(job, node_, Kind::map, at_most);
    }

   private:
    ContainerEngine& engine_;
    std::optional<JobIndex> job_;
    NodeIndex node_;
  };

  void refuse_stuck(JobIndex index) const override {
    const NodeJob& state = jobs_[index];
    const Count masters = masters_.slots() - masters_.idle.count();
    if (!state.settled && state.admitted && masters > 0) {
      throw NoAnswer(
          fmt::format("job '{}' can never be placed: {} application masters hold memory and none of "
                      "them gets a task's container",
                      id(index), masters),
          "limit how many jobs run at once, or add nodes");
    }
    Incidents::refuse_stuck(index);
  }

  const Count least_;  // memory that any container takes
  Count per_heartbeat_ = 0;
  Count off_switch_ = 0;
  std::uint64_t accounted_ = 0;
  Count free_ = 0;  // memory of the nodes that are there
  std::vector<Count> free_on_class_;
  NumberSet roomy_;                                  // nodes that are there and may have room for a container
  std::vector<Room> room_;                           // free, by node
  std::vector<Count> cores_;                         // likewise
  std::vector<JobIndex> reserved_;                   // the job that each node is kept for
  std::vector<std::pair<Kind, std::uint32_t>> due_;  // containers whose nodes report them at this instant
  OrderTree::Walk walk_{tree()};
};

}  // namespace wavewright::sim
