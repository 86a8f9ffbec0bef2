// Allocation on a simulated cluster of nodes: nodes to offer, tasks for offered slots, and their start.
#pragma once

#include <algorithm>
#include <bit>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "wavewright/sim/nodes/attempt_runner.h"
#include "wavewright/sim/nodes/speculation.h"

namespace wavewright::sim {

// If this many offers in a row are refused, over at least this many heartbeat periods and with nothing else
// under way, all offers will be refused for ever.
inline constexpr std::uint64_t most_passes = 1'000'000;
inline constexpr std::uint64_t most_idle_periods = 1'000;

// Throws Infeasible if the policy has told why the job may never start (Decisions::explain, with a remedy)
// and none of its maps runs or is done.
void refuse_explained(const World& world, JobIndex job);

// The nodes that offer slots and are of a class on which some job may start a task, as of now. While all jobs
// wait for their nodes (Decisions::near_only), only those that are in `holding`, with one bit for each.
class OpenNodes {
 public:
  explicit OpenNodes(const SlotTable& table, std::span<const std::uint64_t> holding = {})
      : table_(table), holding_(holding) {}

  // As those of NumberSet. O(classes · log64 nodes), or O(nodes / 64) in `holding`.
  [[nodiscard]] NodeIndex next(NodeIndex from) const {
    if (all_wait())
      return table_.offering.next_in_both(holding_, from, static_cast<NodeIndex>(table_.free.size()));
    if (!table_.picks_classes) return table_.offering.next(from);
    const OrderTree::Classes open = table_.ready.open();
    if (open == table_.ready.all_classes()) return table_.offering.next(from);
    NodeIndex next = NumberSet::none;
    for (OrderTree::Classes left = open; left != 0; left &= left - 1) {
      for (auto c = static_cast<ClassId>(std::countr_zero(left)); c < table_.offering_on.size();
           c += OrderTree::distinct_classes)
        next = std::min(next, table_.offering_on[c].next(from));
    }
    return next;
  }
  [[nodiscard]] bool empty() const {
    return table_.picks_classes || all_wait() ? next(0) == NumberSet::none : table_.offering.empty();
  }
  [[nodiscard]] bool contains(NodeIndex node) const { return next(node) == node; }

 private:
  // Jobs at their caps alone make it not so: a placer may count the offers that come to nothing.
  [[nodiscard]] bool all_wait() const {
    return !holding_.empty() && table_.ready.has_hidden() && table_.ready.open() == 0;
  }

  const SlotTable& table_;
  std::span<const std::uint64_t> holding_;
};

// The nodes of a table with a free slot that a placer named, and that are offered at all.
class NamedNodes {
 public:
  NamedNodes(const SlotTable& table, std::span<const std::uint64_t> named) : table_(table), named_(named) {}

  // As those of NumberSet. O(nodes / 64).
  [[nodiscard]] NodeIndex next(NodeIndex from) const {
    return table_.offering.next_in_both(named_, from, static_cast<NodeIndex>(table_.free.size()));
  }
  [[nodiscard]] bool contains(NodeIndex node) const { return next(node) == node; }

 private:
  const SlotTable& table_;
  std::span<const std::uint64_t> named_;
};

class Allocation {
 public:
  Allocation(World& world, ResourceManager& resources, AttemptRunner& runner, Speculation& speculation)
      : w_(world), resources_(resources), runner_(runner), speculation_(speculation) {}

  // ---- which nodes are offered

  // The next heartbeat, after now, of a node in the set (NumberSet, OpenNodes); `never` if it is empty.
  template <class Nodes>
  [[nodiscard]] std::uint64_t next_heartbeat(const Nodes& offering) const {
    return next_heartbeat(offering, w_.now_ms);
  }
  template <class Nodes>
  [[nodiscard]] std::uint64_t next_heartbeat(const Nodes& offering, std::uint64_t after) const {
    const std::uint64_t phase = w_.heartbeats.into_round(after);
    const std::uint64_t round = after - phase;
    const NodeIndex node = offering.next(static_cast<NodeIndex>(w_.heartbeats.first_from(phase + 1)));
    if (node != NumberSet::none) return round + w_.heartbeats.phase(node);
    const NodeIndex lowest = offering.next(0);
    if (lowest == NumberSet::none) return NodeJob::never;
    return round + w_.heartbeats.period + w_.heartbeats.phase(lowest);
  }

  // The next heartbeat, after now, of a node in both sets (NumberSet::next_in_both); `never` if there is
  // none.
  [[nodiscard]] std::uint64_t next_heartbeat_of_both(const NumberSet& offering,
                                                     std::span<const std::uint64_t> other) const {
    const std::uint64_t phase = w_.heartbeats.into_round(w_.now_ms);
    const std::uint64_t round = w_.now_ms - phase;
    const auto from = static_cast<NodeIndex>(w_.heartbeats.first_from(phase + 1));
    const auto nodes = static_cast<NodeIndex>(w_.model.topology.size());
    NodeIndex node = offering.next_in_both(other, from, nodes);
    if (node != NumberSet::none) return round + w_.heartbeats.phase(node);
    node = offering.next_in_both(other, 0, nodes);
    if (node == NumberSet::none) return NodeJob::never;
    return round + w_.heartbeats.period + w_.heartbeats.phase(node);
  }

  // Calls `offer` for nodes of the set that report at this instant, in node order; regular ones while
  // `wanted`.
  template <class Nodes, class Wanted, class Offer>
  void each_reporting(const Nodes& offering, Wanted wanted, Offer offer) {
    const auto range = [&](NodeIndex from, NodeIndex end) {
      while (wanted()) {
        const NodeIndex node = offering.next(from);
        if (node >= end) return;
        offer(node);
        from = node + 1;
      }
    };
    if (w_.heartbeats.period == 0) return range(0, w_.model.topology.size());
    if (!wanted()) return;
    const std::uint64_t phase = w_.heartbeats.into_round(w_.now_ms);
    const auto first = static_cast<NodeIndex>(w_.heartbeats.first_from(phase));
    const auto end = static_cast<NodeIndex>(w_.heartbeats.first_from(phase + 1));
    auto reporting = reporting_.begin();
    NodeIndex last = NumberSet::none;
    const auto out_of_turn = [&](NodeIndex below) {
      for (; reporting != reporting_.end() && *reporting < below; ++reporting) {
        if (*reporting == last || (*reporting >= first && *reporting < end)) continue;
        last = *reporting;
        if (offering.contains(last)) offer(last);
      }
    };
    out_of_turn(first);
    range(first, end);
    out_of_turn(w_.model.topology.size());
  }

  // The same for nodes in both sets (NumberSet::next_in_both), if none reports out of turn.
  template <class Wanted, class Offer>
  void each_reporting_of_both(const NumberSet& offering, std::span<const std::uint64_t> other, Wanted wanted,
                              Offer offer) {
    const std::uint64_t phase = w_.heartbeats.into_round(w_.now_ms);
    const auto end = static_cast<NodeIndex>(w_.heartbeats.first_from(phase + 1));
    for (auto from = static_cast<NodeIndex>(w_.heartbeats.first_from(phase)); wanted();) {
      const NodeIndex node = offering.next_in_both(other, from, end);
      if (node == NumberSet::none) return;
      offer(node);
      from = node + 1;
    }
  }

  // Throws Infeasible if offers have been refused too long. `next`: the next offer; `waits`: a waiting job.
  void expect_progress(std::uint64_t next, JobIndex waits);

  // ---- which task

  // The job's pending task closest to the node, or one to double; none if none is as close as `at_most`.
  [[nodiscard]] std::optional<TaskChoice> closest(JobIndex index, NodeIndex node, Kind kind,
                                                  Locality at_most) {
    NodeJob& state = w_.jobs[index];
    if (state.tasks(kind).pending == 0) return second(index, node, kind, at_most);
    if (kind == Kind::map && state.failed_maps) {
      const TaskChoice failed = failed_map(index, node);
      return failed.locality <= at_most ? std::optional(failed) : std::nullopt;
    }
    if (kind == Kind::reduce || !state.local)
      return TaskChoice{index, next_task(state, kind), Locality::node};
    const auto found = state.local->closest(node, at_most);
    if (!found) return std::nullopt;
    return TaskChoice{index, found->task, found->locality};
  }
  // The map whose failed attempt has waited longest; there must be one.
  [[nodiscard]] TaskChoice failed_map(JobIndex index, NodeIndex node) const {
    const NodeJob& state = w_.jobs[index];
    const std::uint32_t task = state.attempts->failed_maps.front();
    return {index, task, state.local ? state.local->locality(task, node) : Locality::node};
  }
  [[nodiscard]] bool runs_on(const NodeJob& state, Kind kind, std::uint32_t task, NodeIndex node) {
    return w_.table_of(kind).node_of[state.attempts->of(kind).tasks[task].slot] == node;
  }
  // A task that runs on another node and is marked for a second attempt.
  [[nodiscard]] std::optional<TaskChoice> second(JobIndex index, NodeIndex node, Kind kind,
                                                 Locality at_most) {
    const NodeJob& state = w_.jobs[index];
    for (const std::uint32_t task : state.attempts->of(kind).marked) {
      if (runs_on(state, kind, task, node)) continue;
      const Locality lies =
          kind == Kind::map && state.local ? state.local->locality(task, node) : Locality::node;
      if (lies <= at_most) return TaskChoice{index, task, lies};
    }
    return std::nullopt;
  }
  // If tasks start in order: those that must run again, then those that never ran.
  [[nodiscard]] static std::uint32_t next_task(NodeJob& state, Kind kind) {
    if (state.attempts && !state.attempts->of(kind).returned.empty())
      return state.attempts->of(kind).returned.top();
    return state.tasks(kind).next;
  }

  // True if the job may not start a task there: blacklist, cap of the class, other jobs' reservations.
  [[nodiscard]] bool refused(JobIndex job, Kind kind, NodeIndex node) {
    if (!refuses_nodes()) return false;
    if (w_.ledger.picks_nodes() && !w_.ledger.below_class_cap(job, kind, w_.node_class(node))) return true;
    return refused_below_cap(job, kind, node);
  }
  // The same for a job below its cap of the node's class.
  [[nodiscard]] bool refused_below_cap(JobIndex job, Kind kind, NodeIndex node) {
    if (w_.blacklisted(job, node)) return true;
    if (!w_.ledger.picks_nodes() || w_.ledger.reservations().empty()) return false;
    return !w_.ledger.reservations().allow(job, kind, w_.node_class(node), w_.now(), supply(kind));
  }
  [[nodiscard]] Reservations::Supply supply(Kind kind) {
    return {
        .free = resources_.free_on_classes(kind),
        .containers = w_.model.containers,
        .held = [this](JobIndex job, Kind of, ClassId on) { return w_.ledger.holdings().of(job, of, on); },
        .size =
            [this](JobIndex job, Kind of) {
              return w_.model.containers ? w_.jobs[job].request[static_cast<std::size_t>(of)].memory
                                         : Count{1};
            }};
  }
  // A job below its cap of the node's class may never start a task there.
  [[nodiscard]] bool never_refuses_below_cap() const {
    return !w_.model.refuses_nodes && !w_.ledger.reserves();
  }
  // True if a job with something to start may refuse a node.
  [[nodiscard]] bool refuses_nodes() const { return w_.model.refuses_nodes || w_.ledger.picks_nodes(); }

  void check_choice(const TaskChoice& choice, NodeIndex node, Kind kind);
  // Instead: the next task to start is chosen as it was offered to the placer, who decided nothing else.
  void is_offered() { is_offered_ = true; }

  // ---- start of a task

  // Starts the task on the slot; its container and JVM are launched from `from` on.
  template <Kind kind>
  void start_task(NodeIndex node, std::uint32_t slot, const TaskChoice& choice, std::uint64_t from) {
    SlotTable& table = w_.table_of(kind);
    NodeJob& state = w_.jobs[choice.job];
    const std::uint32_t attempt = state.attempts ? state.attempts->of(kind).tasks[choice.task].started++ : 0;
    table.on[slot].begin(choice.job, choice.task, attempt, w_.now_ms,
                         kind == Kind::map ? place_map(choice, node) : Locality::node);
    if (!state.started) w_.result.jobs[choice.job].start = w_.now();
    state.started = true;
    if (state.tasks(kind).pending == 0) {
      pair(table, slot, state);
    } else {
      take(state, kind, choice.task);
      if (state.tasks(kind).pending == 0) speculation_.all_started(table, choice.job);
    }
    if (state.attempts) state.attempts->of(kind).starts(choice.task, slot);
    if (runner_.shares_network()) table.transfer[slot] = {};
    runner_.begin_record(table, slot);
    runner_.launch(table, slot, from);
  }

  // Data-parallel jobs: calls `start` for each further task that shares the slot, and its place. Takes the
  // closest tasks; with a placer none farther than the first one.
  template <Kind kind, class Start>
  void fill(std::uint32_t slot, Start start) {
    SlotTable& table = w_.table_of(kind);
    const Running& first = table.on[slot];
    if (!table.shares() || first.second) return;
    const JobIndex index = first.job;
    const NodeIndex node = table.node_of[slot];
    const NodeJob& state = w_.jobs[index];
    const std::uint32_t most = w_.model.sharing(*state.job, node);
    const Locality at_most = w_.placer == nullptr ? Locality::off_rack : first.locality;
    for (std::uint32_t shared = 1; shared < most && state.tasks(kind).pending > 0; ++shared) {
      const std::optional<TaskChoice> choice = closest(index, node, kind, at_most);
      if (!choice) return;
      start(table.join(slot), *choice);
    }
  }

  // Makes the attempt on the slot the second of its task.
  void pair(SlotTable& table, std::uint32_t slot, NodeJob& state);

  static void take(NodeJob& state, Kind kind, std::uint32_t task) {
    --state.tasks(kind).pending;
    if (kind == Kind::map && state.attempts && !state.attempts->asked_again.empty())
      state.attempts->asked_again.erase(task);
    if (kind == Kind::map && state.failed_maps) {  // the first of them, see closest
      std::vector<std::uint32_t>& failed = state.attempts->failed_maps;
      failed.erase(failed.begin());
      state.failed_maps = !failed.empty();
    } else if (kind == Kind::map && state.local) {
      state.local->take(task);
    } else if (state.attempts && !state.attempts->of(kind).returned.empty()) {
      state.attempts->of(kind).returned.pop();
    } else {
      ++state.tasks(kind).next;
    }
  }

  // Locality of the map; counted if block places are known.
  Locality place_map(const TaskChoice& choice, NodeIndex node) {
    if (!w_.jobs[choice.job].local) return Locality::node;
    const Locality locality = w_.placer == nullptr || std::exchange(is_offered_, false)
                                  ? choice.locality
                                  : w_.jobs[choice.job].local->locality(choice.task, node);
    JobOutcome& outcome = w_.result.jobs[choice.job];
    ++(locality == Locality::node   ? outcome.node_local
       : locality == Locality::rack ? outcome.rack_local
                                    : outcome.off_rack);
    return locality;
  }

  // The node sends an out-of-band heartbeat at this instant.
  void reports(NodeIndex node) { reporting_.push_back(node); }
  void sort_reports() { std::sort(reporting_.begin(), reporting_.end()); }
  void forget_reports() { reporting_.clear(); }
  // `taken`: an offer was taken, or something else happened. `passed`: nobody took the offer.
  void taken() { passes_ = 0; }
  void passed() {
    if (passes_++ == 0) idle_since_ = w_.now_ms;
  }

 private:
  World& w_;
  ResourceManager& resources_;
  AttemptRunner& runner_;
  Speculation& speculation_;
  std::vector<NodeIndex> reporting_;  // nodes with an out-of-band heartbeat at this instant
  std::uint64_t passes_ = 0;          // offers in a row that nobody took
  std::uint64_t idle_since_ = 0;      // instant of the first of them
  bool is_offered_ = false;
};

}  // namespace wavewright::sim
