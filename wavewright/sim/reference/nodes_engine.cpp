// The reference engine of a cluster of nodes. It visits every heartbeat of every node, and looks at every
// slot and every job each time. It shares with the fast one only the contract, the ledger, the numbers of
// NodeModel and LeaseBook, and the rules of speculation.h.
#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/sim/reference/engines.h"
#include "wavewright/sim/reference/reference_slots.h"

namespace wavewright {

namespace {

using sim::NodeModel;

class NodesReference final : private sim::ReferenceSlots {
 public:
  NodesReference(const Workload& workload, Policy& policy, const NodeModel& model)
      : ReferenceSlots(workload, policy, model) {}

  SimulationResult run() {
    policy_.begin(*this, ledger_.allocator());
    ledger_.decided();
    apply_file_changes();  // nodes that are away from the beginning
    while (const std::optional<Time> next = next_instant()) {
      pass(*next - now_);
      now_ = *next;
      reported_.clear();
      arrivals();
      launches();
      transfers();
      end_tasks(Kind::map);
      end_tasks(Kind::reduce);
      apply_node_changes();
      arrivals();
      timers();
      const std::int64_t check = to_ms(model_.cluster.mode.speculation_check);
      if (model_.cluster.mode.speculation && to_ms(now_) % check == 0) {
        mark_slow_tasks(Kind::map);
        mark_slow_tasks(Kind::reduce);
      }
      preempt();
      give_out(Kind::map);
      give_out(Kind::reduce);
      began_ = true;
    }
    sum_up();
    return std::move(result_);
  }

 private:
  std::optional<Time> next_instant() {
    std::optional<Time> next;
    const auto offer = [&](Time t) {
      if (!next || t < *next) next = t;
    };
    bool anything = false;  // heartbeats never end, but only matter while a job is left
    for (JobIndex index = 0; index < jobs_.size(); ++index) {
      const JobState& state = jobs_[index];
      if (state.settled()) continue;
      anything = true;
      const std::optional<Time> from = there_from(index);
      if (!state.arrived && from) offer(std::max(*from, now_));
    }
    if (!anything) return std::nullopt;
    if (const std::optional<Time> at = next_of_these()) offer(*at);
    if (const std::optional<Time> at = next_decided()) offer(*at);
    if (changed_ < model_.changes.size())
      offer(at_ms(static_cast<std::int64_t>(model_.changes[changed_].at)));
    for (const Kind kind : {Kind::map, Kind::reduce}) {
      for (const Slot& slot : places(kind)) {
        const std::int64_t check = to_ms(model_.cluster.mode.speculation_check);
        if (slot.busy && (!slot.waits || slot.shares || slot.flow != 0) && model_.cluster.mode.speculation)
          offer(at_ms((to_ms(now_) / check + 1) * check));
        if (!slot.busy || slot.waits || (slot.reads_on() && slot.end <= now_)) continue;
        if (period() == Duration{}) offer(slot.end);
        if (period() != Duration{} && model_.cluster.mode.out_of_band)
          offer(std::max(slot.end, slot.known + ms(1)));
      }
    }
    if (next) beats_ = 0;
    if (period() != Duration{}) {
      if (!next && (all_away() || beats_in_vain())) return std::nullopt;
      Time beat = began_ ? now_ + ms(1) : now_;
      const auto some_node_beats = [&] {
        for (NodeIndex node = 0; node < model_.topology.size(); ++node) {
          if (beats(node, beat)) return true;
        }
        return false;
      };
      while (!some_node_beats()) beat += ms(1);
      offer(beat);
    }
    return next;
  }

  // ---- heartbeats are all that is left
  [[nodiscard]] bool all_away() const {
    for (NodeIndex node = 0; node < model_.topology.size(); ++node) {
      if (!is_closed(node)) return false;
    }
    return true;
  }
  // So many in a row start nothing that none ever will.
  [[nodiscard]] bool beats_in_vain() {
    constexpr std::uint64_t most = 1'000'000;
    constexpr std::int64_t most_periods = 1'000;
    if (std::exchange(started_, result_.trace.size()) != result_.trace.size()) beats_ = 0;
    if (beats_ == 0) idle_since_ = now_;
    return ++beats_ > most && (now_ - idle_since_) / most_periods > period();
  }

  [[nodiscard]] bool has_ready_task(JobIndex index, Kind kind) const {
    const JobState& state = jobs_[index];
    if (!state.admitted || state.settled()) return false;
    if (pending(index, kind) == 0 && state.marked(kind).empty()) return false;
    return kind == Kind::map || state.reduces_ready;
  }
  [[nodiscard]] sim::SortedOrder::Held held_of(Kind kind) const {
    return [this, kind](JobIndex index) { return holds(index, kind); };
  }
  [[nodiscard]] std::vector<JobIndex> candidates(Kind kind) const {
    const auto ready = [&](JobIndex index) { return has_ready_task(index, kind); };
    return ledger_.order(kind).jobs(ready, held_of(kind));
  }

  // Every node that reports at this instant, in order, takes tasks as long as it has slots.
  void give_out(Kind kind) {
    for (NodeIndex node = 0; node < model_.topology.size(); ++node) {
      const bool out_of_turn = model_.cluster.mode.out_of_band && reported_.contains(node);
      if (is_closed(node) || (!beats(node, now_) && !out_of_turn)) continue;
      for (Count given = 0; given < model_.per_heartbeat(kind); ++given) {
        const auto slot = std::find_if(places(kind).begin(), places(kind).end(),
                                       [&](const Slot& each) { return each.node == node && free(each); });
        if (slot == places(kind).end()) break;
        std::vector<JobIndex> jobs = candidates(kind);
        if (jobs.empty()) break;
        std::erase_if(jobs, [&](JobIndex index) { return refused(index, kind, node); });
        const std::optional<TaskChoice> choice = choose(jobs, node, kind);
        if (!choice) break;
        heartbeat(node);
        start(*choice, kind, *slot);
        if (!slot->second) fill(*slot);
      }
    }
  }

  // Starts the further tasks of the first one's job that share its slot.
  void fill(Slot& first) {
    const JobIndex index = first.job;
    const Kind kind = first.kind;
    const std::uint32_t most = model_.sharing(job(index), first.node);
    for (Slot& place : places(kind)) {
      if (!same_slot(place, first) || place.place == 0 || place.place >= most) continue;
      if (pending(index, kind) == 0) return;
      const std::optional<TaskChoice> choice = closest(index, first.node, kind, at_most_beside(first));
      if (!choice) return;
      start(*choice, kind, place);
    }
  }

  class Shortlist final : public Candidates {
   public:
    Shortlist(const NodesReference& engine, const std::vector<JobIndex>& jobs, NodeIndex node, Kind kind)
        : engine_(engine), jobs_(jobs), node_(node), kind_(kind) {}
    [[nodiscard]] std::optional<JobIndex> next() override {
      return at_ < jobs_.size() ? std::optional(jobs_[at_++]) : std::nullopt;
    }
    [[nodiscard]] bool may_start(JobIndex job) override {
      return std::find(jobs_.begin(), jobs_.end(), job) != jobs_.end();
    }
    [[nodiscard]] std::optional<TaskChoice> closest(JobIndex job, Locality at_most) override {
      return engine_.closest(job, node_, kind_, at_most);
    }
    [[nodiscard]] std::optional<TaskChoice> first_local() override {
      at_ = 0;
      const auto local = first_of(*this, Locality::node);
      at_ = 0;
      return local;
    }

   private:
    const NodesReference& engine_;
    const std::vector<JobIndex>& jobs_;
    std::size_t at_ = 0;
    NodeIndex node_;
    Kind kind_;
  };

  std::optional<TaskChoice> choose(const std::vector<JobIndex>& jobs, NodeIndex node, Kind kind) {
    if (placer_ == nullptr) {
      for (const JobIndex index : jobs) {
        if (const auto choice = closest(index, node, kind, Locality::off_rack)) return choice;
      }
      return std::nullopt;
    }
    Shortlist shortlist(*this, jobs, node, kind);
    return placer_->place({node, kind, now_}, shortlist, *this, ledger_.placer());
  }

  void start(const TaskChoice& choice, Kind kind, Slot& slot) {
    JobState& state = jobs_[choice.job];
    JobOutcome& outcome = result_.jobs[choice.job];
    if (!state.started) outcome.start = now_;
    state.started = true;
    TaskInfo& task = state.tasks(kind)[choice.task];
    const bool second = task.state == TaskState::running;
    if (second) ++outcome.second_attempts;
    std::erase(state.marked(kind), choice.task);
    task.state = TaskState::running;
    const Locality where = kind == Kind::map ? locality(choice.job, choice.task, slot.node) : Locality::node;
    if (kind == Kind::map) count_place(choice.job, where);
    static_cast<sim::ReferenceAttempt&>(slot) = {.kind = kind,
                                                 .job = choice.job,
                                                 .task = choice.task,
                                                 .node = slot.node,
                                                 .slot = slot.slot,
                                                 .place = slot.place,
                                                 .attempt = task.attempts++,
                                                 .since = now_,
                                                 .end = now_,
                                                 .second = second,
                                                 .where = where};
    slot.busy = true;
    begin(slot, now_ + model_.cluster.mode.launch);
    tell(Event::What::started, slot);
  }

  void sum_up() {
    for (JobIndex index = 0; index < jobs_.size(); ++index) {
      if (jobs_[index].settled() || !there_from(index)) continue;  // or it waits for a job that is stuck
      if (!jobs_[index].admitted) {
        throw InternalError(
            fmt::format("policy '{}' neither admitted nor rejected job '{}'", policy_.name(), id(index)));
      }
      const bool away = all_away();
      throw Infeasible(fmt::format("job '{}' can never be placed{}", id(index),
                                   away ? ": all nodes are away for good" : ""),
                       away ? "let some come back" : "give it slots");
    }
    result_.sum_up();
    bill();
    sum_up_slot_time();
  }

  [[nodiscard]] bool has_pending_request(JobIndex index) const override {
    return has_ready_task(index, Kind::map) || has_ready_task(index, Kind::reduce);
  }
  [[nodiscard]] Resources used(GroupId group) const override {
    return {ledger_.order(Kind::map).used(group, held_of(Kind::map)),
            ledger_.order(Kind::reduce).used(group, held_of(Kind::reduce))};
  }
  [[nodiscard]] Resources capacity(ClassId node_class) const override {
    Resources sum;
    for (NodeIndex node = 0; node < model_.topology.size(); ++node) {
      if ((node_class != any_class && this->node_class(node) != node_class) || !counts(node)) continue;
      sum.map_slots += model_.slots(node, Kind::map);
      sum.reduce_slots += model_.slots(node, Kind::reduce);
    }
    return sum;
  }
  void admitted(JobIndex index) override {
    ReferenceSlots::admitted(index);
    tell_if_ready(index);
    settle_maps(index);
  }

  std::uint64_t beats_ = 0;  // in a row, with nothing else to come
  std::size_t started_ = 0;  // attempts, when the first of them was looked at
  Time idle_since_{};
};

}  // namespace

SimulationResult sim::nodes_reference(const Workload& workload, Policy& policy, const NodeModel& model) {
  return NodesReference(workload, policy, model).run();
}

}  // namespace wavewright
