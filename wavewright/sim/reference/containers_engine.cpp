// The reference engine of a cluster with containers. It visits every heartbeat of every node and application
// master, and looks at every container and every job each time. It shares with the fast one only the
// contract, the ledger, the numbers of NodeModel and LeaseBook, and the rules of ramp_up.h and speculation.h.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/sim/reference/engines.h"
#include "wavewright/sim/reference/reference_masters.h"

namespace wavewright {

namespace {

using sim::NodeModel;

class ContainersReference final : private sim::ReferenceMasters {
 public:
  ContainersReference(const Workload& workload, Policy& policy, const NodeModel& model)
      : ReferenceMasters(workload, policy, model) {}

  SimulationResult run() {
    policy_.begin(*this, ledger_.allocator());
    ledger_.decided();
    apply_file_changes();  // nodes that are away from the beginning
    while (const std::optional<Time> next = next_instant()) {
      for (const Container& each : containers_) {
        if (leads(each))
          result_.memory_busy +=
              static_cast<double>(request(each.job, each.kind).memory * to_ms(*next - now_));
      }
      pass(*next - now_);
      now_ = *next;
      changed_now_ = event_ == next;
      asked_anew_ = false;
      reported_.clear();
      arrivals();
      launches();
      transfers();
      for (const Kind kind : all_kinds) end_containers(kind);
      for (const Kind kind : all_kinds) report(kind);
      apply_node_changes();
      arrivals();
      timers();
      if (mode_.speculation && (now_ - Time{}) % mode_.speculation_check == Duration{}) {
        mark_slow_tasks(Kind::map);
        mark_slow_tasks(Kind::reduce);
      }
      preempt();
      bool unreserved = end_reservations();
      if (!last_review_ || *last_review_ != now_) reviews();
      last_review_ = now_;
      unreserved = end_reservations() || unreserved;
      if (period() != Duration{} || changed_now_ || asked_anew_ || unreserved) give_out();
      began_ = true;
    }
    for (JobIndex index = 0; index < jobs_.size(); ++index) {
      if (!jobs_[index].settled())
        throw Infeasible("job '" + id(index) + "' can never be placed", "give it room");
    }
    result_.sum_up();
    bill();
    sum_up_slot_time();
    return std::move(result_);
  }

 private:
  // ---- time

  // After so long without anything but heartbeats nothing will ever happen again.
  [[nodiscard]] Duration longest_idle() const {
    const Masters& masters = model_.cluster.masters;
    return ms(10'000) + 2 * masters.heartbeat +
           std::max(masters.preempt_delay, masters.unconditional_preempt_delay.value_or(Duration{}));
  }

  std::optional<Time> next_instant() {
    bool anything = false;
    std::optional<Time> next;
    const auto offer = [&](Time t) {
      if (!next || t < *next) next = t;
    };
    for (JobIndex index = 0; index < jobs_.size(); ++index) {
      const JobState& state = jobs_[index];
      if (state.settled()) continue;
      anything = true;
      const std::optional<Time> from = there_from(index);
      if (!state.arrived && from) offer(std::max(*from, now_));
    }
    if (!anything) return std::nullopt;
    if (const std::optional<Time> at = next_of_these()) offer(*at);
    if (changed_ < model_.changes.size())
      offer(at_ms(static_cast<std::int64_t>(model_.changes[changed_].at)));
    for (const Container& each : containers_) {
      if (mode_.speculation &&
          (each.shares || each.flow != 0 || (each.kind != Kind::master && !each.waits))) {
        offer(Time{} + ((now_ - Time{}) / mode_.speculation_check + 1) * mode_.speculation_check);
      }
      if (each.waits || (each.reads_on() && each.end <= now_)) continue;
      if (!each.over) offer(each.end);
      if (each.over && period() != Duration{} && mode_.out_of_band)
        offer(std::max(each.end, each.since + ms(1)));
    }
    if (const std::optional<Time> at = next_decided()) {
      if (next || seen_ != result_.events) timers_in_vain_ = 0;
      seen_ = result_.events;
      constexpr int most_timers = 20'000;  // in a row, with nothing else to come
      if (++timers_in_vain_ > most_timers)
        throw Infeasible("only timers of the policy are left", "give jobs room");
      offer(*at);
    }
    event_ = next;
    if (changed_now_) changed_last_ = now_;
    if (!next && now_ - changed_last_ > longest_idle()) return next;  // nothing will ever happen again
    // Heartbeats of nodes and masters, checked at each millisecond.
    for (Time at = began_ ? now_ + ms(1) : now_; !next || at < *next; at += ms(1)) {
      bool some = false;
      for (NodeIndex node = 0; node < model_.topology.size() && period() != Duration{}; ++node)
        some = some || beats(node, at);
      for (const JobState& state : jobs_) some = some || (!state.settled() && asks(state, at));
      if (some) offer(at);
      if (!next && at - now_ > longest_idle()) return next;
    }
    return next;
  }

  // ---- allocation

  [[nodiscard]] std::vector<JobIndex> candidates() const {
    const auto ready = [&](JobIndex index) { return jobs_[index].asked_in_all() > 0; };
    return ledger_.order(Kind::map).jobs(ready, memory_held());
  }
  [[nodiscard]] Count smallest() const {
    return std::min({model_.smallest[0], model_.smallest[1], model_.smallest[2]});
  }

  // Those of jobs that ask for nothing more. True if there were some.
  bool end_reservations() {
    const auto ended = [&](const auto& each) { return jobs_[each.second].asked_in_all() == 0; };
    return std::erase_if(reserved_, ended) > 0;
  }
  // Without heartbeats a node whose reservation has ended offers its room again.
  void give_out() {
    do {
      unreserved_ = false;
      each_node_gives();
    } while (unreserved_ && period() == Duration{});
  }
  void each_node_gives() {
    const sim::NodeModel& model = model_;
    const auto most = [&](Count count) { return count == 0 || period() == Duration{} ? unlimited : count; };
    for (NodeIndex node = 0; node < model.topology.size(); ++node) {
      const bool out_of_turn = mode_.out_of_band && reported_.contains(node);
      if (is_closed(node) || (!beats(node, now_) && !out_of_turn)) continue;
      Count off_switch = 0;
      for (Count given = 0; given < most(model.cluster.containers.per_heartbeat); ++given) {
        if (room(node).memory < smallest() || candidates().empty()) break;
        if (off_switch >= most(model.cluster.containers.off_switch_per_heartbeat)) break;
        const std::optional<Grant> grant = choose(node);
        if (!grant) break;
        off_switch += grant->off_switch ? 1 : 0;
        changed_now_ = true;
        heartbeat(node);
        start(node, *grant);
        unreserved_ = end_reservations() || unreserved_;
      }
    }
  }

  struct Grant {
    Kind kind = Kind::map;
    TaskChoice choice;
    bool off_switch = false;
  };

  [[nodiscard]] static Kind next_kind(JobState& state) {
    const bool failed_map = !state.failed_maps.empty() && state.asked(Kind::map) > 0;
    return state.asked(Kind::master) > 0                  ? Kind::master
           : state.asked(Kind::reduce) > 0 && !failed_map ? Kind::reduce
                                                          : Kind::map;
  }

  [[nodiscard]] bool may_reserve(NodeIndex node, JobIndex index) {
    JobState& state = jobs_[index];
    const NodeReservations most = policy_.node_reservations();
    const Count kept = std::count_if(reserved_.begin(), reserved_.end(),
                                     [&](const auto& each) { return each.second == index; });
    Count present = 0;
    for (NodeIndex each = 0; each < model_.topology.size(); ++each) present += is_closed(each) ? 0 : 1;
    const Kind kind = next_kind(state);
    const bool local = kind == Kind::map && state.failed_maps.empty() && !state.blocks.empty() &&
                       state.count(Kind::map, TaskState::pending) > 0 &&
                       closest(index, node, kind, Locality::node);
    return kept < state.asked_in_all() &&
           request(index, kind).memory >= most.least_multiple * model_.minimum_allocation() &&
           (static_cast<double>(kept) < most.nodes * static_cast<double>(present) || local);
  }

  // May the job start its next container on the node, if there were room?
  [[nodiscard]] bool may_start(JobIndex index, NodeIndex node) {
    const Kind kind = next_kind(jobs_[index]);
    const Room asked = request(index, kind);
    return !refused(index, kind, node) && model_.room_of(node).holds(asked) &&
           ledger_.order(Kind::map).has_room(index, asked.memory, memory_held());
  }

  std::optional<Grant> choose(NodeIndex node) {
    const std::vector<JobIndex> jobs = candidates();
    if (reserved_.contains(node)) {
      const JobIndex index = reserved_.at(node);
      const bool still = std::find(jobs.begin(), jobs.end(), index) != jobs.end() && may_start(index, node);
      if (still && !room(node).holds(request(index, next_kind(jobs_[index])))) return std::nullopt;
      const std::optional<Grant> found = still ? grant(index, node) : std::nullopt;
      reserved_.erase(node);
      if (found) return found;
    }
    for (const JobIndex index : jobs) {
      if (!may_start(index, node)) continue;
      if (room(node).holds(request(index, next_kind(jobs_[index])))) {
        if (const auto found = grant(index, node)) return found;
        continue;
      }
      if (may_reserve(node, index)) {
        reserved_[node] = index;
        return std::nullopt;
      }
    }
    return std::nullopt;
  }
  std::optional<Grant> grant(JobIndex index, NodeIndex node) {
    JobState& state = jobs_[index];
    const Kind kind = next_kind(state);
    const bool anywhere = kind != Kind::map || state.blocks.empty() || !state.failed_maps.empty();
    if (kind == Kind::master) return Grant{kind, {index, 0, Locality::node}, true};
    std::optional<TaskChoice> choice;
    const bool failed_map = kind == Kind::map && !state.failed_maps.empty();  // may run anywhere
    if (kind == Kind::map && placer_ != nullptr && !failed_map) {
      OneJob candidates(*this, index, node);
      choice = placer_->place({node, kind, now_}, candidates, *this, ledger_.placer());
    } else {
      choice = closest(index, node, kind, Locality::off_rack);
    }
    if (!choice) return std::nullopt;
    return Grant{kind, *choice, anywhere || choice->locality == Locality::off_rack};
  }

  class OneJob final : public Candidates {
   public:
    OneJob(ContainersReference& engine, JobIndex job, NodeIndex node)
        : engine_(engine), job_(job), node_(node) {}
    [[nodiscard]] std::optional<JobIndex> next() override { return std::exchange(job_, std::nullopt); }
    [[nodiscard]] std::optional<TaskChoice> closest(JobIndex job, Locality at_most) override {
      return engine_.closest(job, node_, Kind::map, at_most);
    }
    [[nodiscard]] std::optional<TaskChoice> first_local() override {
      return job_ ? closest(*job_, Locality::node) : std::nullopt;
    }

   private:
    ContainersReference& engine_;
    std::optional<JobIndex> job_;
    NodeIndex node_;
  };

  [[nodiscard]] bool runs_on(NodeIndex node, JobIndex index, Kind kind, std::uint32_t task) const override {
    return std::any_of(containers_.begin(), containers_.end(), [&](const Container& each) {
      return !each.over && each.kind == kind && each.job == index && each.task == task && each.node == node;
    });
  }

  // The node's lowest free number of the kind.
  [[nodiscard]] std::uint32_t free_slot(NodeIndex node, Kind kind) {
    std::uint32_t slot = 0;
    for (NodeIndex before = 0; before < node; ++before)
      slot += static_cast<std::uint32_t>(model_.slots(before, kind));
    while (!those(kind, [&](const Container& c) { return c.slot == slot; }).empty()) ++slot;
    return slot;
  }

  Container& add(NodeIndex node, Kind kind, const TaskChoice& choice, std::uint32_t slot) {
    containers_.emplace_back();
    Container& container = containers_.back();
    container.kind = kind;
    container.job = choice.job;
    container.task = choice.task;
    container.node = node;
    container.slot = slot;
    container.since = now_;
    return container;
  }
  void start(NodeIndex node, const Grant& grant) {
    const JobIndex index = grant.choice.job;
    JobState& state = jobs_[index];
    Container& container = add(node, grant.kind, grant.choice, free_slot(node, grant.kind));
    --state.asked(grant.kind);
    if (grant.kind == Kind::reduce) --state.decided;
    if (grant.kind != Kind::master) {
      start_task(container);
      if (!container.second) fill(container);
      return;
    }
    container.attempt = state.masters++;
    begin(container, now_ + mode_.launch);
    started(container);
  }
  void started(const Container& container) {
    result_.trace.back().memory = static_cast<std::uint32_t>(request(container.job, container.kind).memory);
    tell(Event::What::started, container);
  }
  // Starts the further tasks of the first one's job that share its container.
  void fill(const Container& first) {
    const std::uint32_t most = model_.sharing(job(first.job), first.node);
    for (std::uint32_t place = 1; place < most && pending(first.job, first.kind) > 0; ++place) {
      const std::optional<TaskChoice> choice =
          closest(first.job, first.node, first.kind, at_most_beside(first));
      if (!choice) return;
      Container& container = add(first.node, first.kind, *choice, first.slot);
      container.place = place;
      start_task(container);
    }
  }
  void start_task(Container& container) {
    JobState& state = jobs_[container.job];
    TaskInfo& task = state.tasks(container.kind)[container.task];
    JobOutcome& outcome = result_.jobs[container.job];
    if (!state.started) outcome.start = now_;
    state.started = true;
    container.attempt = task.attempts++;
    container.second = task.state == TaskState::running;
    if (container.second) ++outcome.second_attempts;
    std::erase(state.marked(container.kind), container.task);
    if (container.kind == Kind::map) std::erase(state.failed_maps, container.task);
    task.asked_again.reset();
    task.state = TaskState::running;
    state.ask_less(container.kind);
    if (container.kind == Kind::map) {
      container.where = locality(container.job, container.task, container.node);
      count_place(container.job, container.where);
    }
    Time fetched = now_ + ms(1);  // at its master's next heartbeat
    while (!asks(state, fetched)) fetched += ms(1);
    begin(container, fetched + mode_.launch);
    started(container);
  }
  void launched(sim::ReferenceAttempt& attempt) override {
    if (attempt.kind != Kind::master) return ReferenceContainers::launched(attempt);
    attempt.end = attempt.launched + model_.cluster.masters.start;
  }

  [[nodiscard]] bool has_pending_request(JobIndex index) const override {
    return !jobs_[index].settled() && jobs_[index].asked_in_all() > 0;
  }
  [[nodiscard]] Resources used(GroupId group) const override {
    const Count memory = ledger_.order(Kind::map).used(group, memory_held());
    return {memory, memory};
  }
  [[nodiscard]] Resources capacity(ClassId node_class) const override {
    Count memory = 0;
    for (NodeIndex node = 0; node < model_.topology.size(); ++node)
      memory += (node_class == any_class || this->node_class(node) == node_class) && counts(node)
                    ? model_.room_of(node).memory
                    : 0;
    return {memory, memory};
  }
  [[nodiscard]] Cores cores() const override {
    Count free = 0;
    for (NodeIndex node = 0; node < model_.topology.size(); ++node)
      free += is_closed(node) ? 0 : model_.cores_on(node);
    for (const Container& each : containers_)
      free -= is_closed(each.node) || !leads(each) ? 0 : model_.cores_of(each.kind);
    return {free, model_.cores_of(Kind::master)};
  }
  void admitted(JobIndex index) override {
    ReferenceContainers::admitted(index);
    ask_for_master(index);
  }
  void capped(JobIndex index, Kind kind, Count count) override {
    JobState& state = jobs_[index];
    state.cap[static_cast<std::size_t>(kind)] = count;
    if (state.admitted && !state.settled() && holds(index, Kind::master) == 0) ask_for_master(index);
  }

  std::optional<Time> last_review_;
  std::optional<Time> event_;  // the next instant with more than heartbeats
  std::uint64_t seen_ = 0;
  int timers_in_vain_ = 0;  // without another event
  Time changed_last_{};
  bool unreserved_ = false;  // since the nodes began to give
};

}  // namespace

SimulationResult sim::containers_reference(const Workload& workload, Policy& policy, const NodeModel& model) {
  return ContainersReference(workload, policy, model).run();
}

}  // namespace wavewright
