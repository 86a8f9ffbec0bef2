// The reference engine of a cluster with containers. It visits every heartbeat of every node and application
// master, and looks at every container and every job each time. It shares with the fast one only the
// contract, the ledger, the numbers of NodeModel and LeaseBook, and the rules of ramp_up.h and speculation.h.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "wavewright/core/error.h"
#include "wavewright/sim/reference/engines.h"
#include "wavewright/sim/reference/reference_allocation.h"

namespace wavewright {

namespace {

using sim::NodeModel;

class ContainersReference final : private sim::ReferenceAllocation {
 public:
  ContainersReference(const Workload& workload, Policy& policy, const NodeModel& model)
      : ReferenceAllocation(workload, policy, model) {}

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

  [[nodiscard]] bool runs_on(NodeIndex node, JobIndex index, Kind kind, std::uint32_t task) const override {
    return std::any_of(containers_.begin(), containers_.end(), [&](const Container& each) {
      return !each.over && each.kind == kind && each.job == index && each.task == task && each.node == node;
    });
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
};

}  // namespace

SimulationResult sim::containers_reference(const Workload& workload, Policy& policy, const NodeModel& model) {
  return ContainersReference(workload, policy, model).run();
}

}  // namespace wavewright
