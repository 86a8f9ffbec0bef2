// Which task of a job an offered slot takes, and how it starts, in a simulated cluster of nodes. Which job's
// turn it is, is the engine's matter.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "wavewright/sim/nodes/incidents.h"

namespace wavewright::sim {

// Offers that nobody takes this often in a row, over this many heartbeats of each node at least and with
// nothing else under way, will be refused for ever.
inline constexpr std::uint64_t most_passes = 1'000'000;
inline constexpr std::uint64_t most_idle_periods = 1'000;

class Offers : protected Incidents {
 protected:
  using Course = JobCourse;
  using State = ClusterState;
  using Course::heartbeats_;
  using Course::id;
  using Course::jobs_;
  using Course::known;
  using Course::ledger_;
  using Course::maps_;
  using Course::model_;
  using Course::now;
  using Course::now_;
  using Course::placer_;
  using Course::result_;
  static constexpr std::uint64_t never = NodeJob::never;

  Offers(const Workload& workload, Policy& policy, const NodeModel& model, const ClusterOptions& options)
      : Incidents(workload, policy, model, options) {}

  // ---- whose turn it is to be offered

  // The next heartbeat after this one of a node of the set, which is not empty.
  [[nodiscard]] std::uint64_t next_heartbeat(const NumberSet& offering) const {
    const std::uint64_t phase = now_ % heartbeats_.period;
    const std::uint64_t round = now_ - phase;
    const NodeIndex node = offering.next(static_cast<NodeIndex>(heartbeats_.first_from(phase + 1)));
    if (node != NumberSet::none) return round + heartbeats_.phase(node);
    return round + heartbeats_.period + heartbeats_.phase(offering.lowest());
  }

  // Calls `offer` with the nodes of the set that report at this instant, in their order, while `wanted`.
  template <class Wanted, class Offer>
  void each_reporting(const NumberSet& offering, Wanted wanted, Offer offer) {
    const auto range = [&](NodeIndex first, NodeIndex end) {
      for (NodeIndex node = offering.next(first); node < end && wanted(); node = offering.next(node + 1))
        offer(node);
    };
    if (!wanted() || offering.empty()) return;
    if (heartbeats_.period == 0) return range(0, model_.topology.size());
    const std::uint64_t phase = now_ % heartbeats_.period;
    const auto first = static_cast<NodeIndex>(heartbeats_.first_from(phase));
    const auto end = static_cast<NodeIndex>(heartbeats_.first_from(phase + 1));
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
    out_of_turn(model_.topology.size());
  }

  // Throws NoAnswer where nobody has taken anything for so long that nobody will. `next`: of what is left.
  void expect_progress(std::uint64_t next, JobIndex waits) {
    if (passes_ == 0) idle_since_ = next;
    if (passes_ <= most_passes || (next - idle_since_) / most_idle_periods <= heartbeats_.period) return;
    throw NoAnswer("job '" + id(waits) + "' is never placed: " + std::to_string(passes_) +
                       " offers in a row were passed while nothing else runs" +
                       (placer_ ? " (placer '" + placer_->name() + "')" : ""),
                   placer_
                       ? "choose another placer, or check its parameters"
                       : "give it room: larger nodes, fewer jobs at once, or nodes that do not refuse it");
  }

  // ---- which task

  // The job's pending task closest to the node; none where none is as close as `at_most`.
  [[nodiscard]] std::optional<TaskChoice> closest(JobIndex index, NodeIndex node, Kind kind,
                                                  Locality at_most) {
    NodeJob& state = jobs_[index];
    if (state.tasks(kind).pending == 0) return second(index, node, kind, at_most);
    if (kind == Kind::reduce || !state.local)
      return TaskChoice{index, next_task(state, kind), Locality::node};
    const auto found = state.local->closest(node, at_most);
    if (!found) return std::nullopt;
    return TaskChoice{index, found->task, found->locality};
  }
  [[nodiscard]] bool runs_on(const NodeJob& state, Kind kind, std::uint32_t task, NodeIndex node) {
    return State::side_of(kind).node_of[state.attempts->of(kind).tasks[task].slot] == node;
  }
  // A task that runs elsewhere and is marked for a second attempt.
  [[nodiscard]] std::optional<TaskChoice> second(JobIndex index, NodeIndex node, Kind kind,
                                                 Locality at_most) {
    const NodeJob& state = jobs_[index];
    for (const std::uint32_t task : state.attempts->of(kind).marked) {
      if (runs_on(state, kind, task, node)) continue;
      const Locality lies =
          kind == Kind::map && state.local ? state.local->locality(task, node) : Locality::node;
      if (lies <= at_most) return TaskChoice{index, task, lies};
    }
    return std::nullopt;
  }
  // Where tasks start in order: those that must run again, then those that never ran.
  [[nodiscard]] static std::uint32_t next_task(NodeJob& state, Kind kind) {
    if (state.attempts && !state.attempts->of(kind).returned.empty())
      return state.attempts->of(kind).returned.top();
    return state.tasks(kind).next;
  }

  [[nodiscard]] bool blacklisted(JobIndex job, NodeIndex node) const {
    return jobs_[job].bars && jobs_[job].attempts->barred.contains(node);
  }
  // The job may not take one of the kind there: blacklist, cap of the class, reservations of others.
  [[nodiscard]] bool refused(JobIndex job, Kind kind, NodeIndex node) {
    if (blacklisted(job, node)) return true;
    if (!ledger_.picks_nodes()) return false;
    const ClassId on = this->node_class(node);
    if (!ledger_.below_class_cap(job, kind, on)) return true;
    if (ledger_.reservations().empty()) return false;
    return !ledger_.reservations().allow(job, kind, on, now(), supply(kind));
  }
  [[nodiscard]] Reservations::Supply supply(Kind kind) {
    return {.free = free_on_classes(kind),
            .containers = model_.containers,
            .held = [this](JobIndex job, Kind of, ClassId on) { return ledger_.holdings().of(job, of, on); },
            .size =
                [this](JobIndex job, Kind of) {
                  return model_.containers ? jobs_[job].request[static_cast<std::size_t>(of)].memory
                                           : Count{1};
                }};
  }
  [[nodiscard]] virtual std::span<const Count> free_on_classes(Kind kind) {
    return State::side_of(kind).free_on_class;
  }
  // A node may be refused by a job that has something to start.
  [[nodiscard]] bool picky() const { return model_.picky || ledger_.picks_nodes(); }

  void check_choice(const TaskChoice& choice, NodeIndex node, Kind kind) {
    const auto misplaced = [&](const std::string& what) {
      throw Defect("placer '" + placer_->name() + "' chose task " + std::to_string(choice.task) +
                   " of job '" + id(choice.job) + "' for node '" + model_.topology.names[node] + "', " +
                   what);
    };
    NodeJob& state = known(choice.job);
    if (!State::side_of(kind).ready.eligible(choice.job) || refused(choice.job, kind, node))
      misplaced("but the job may not start one there now");
    if (state.tasks(kind).pending == 0) {
      const std::vector<std::uint32_t>& marked = state.attempts->of(kind).marked;
      if (std::find(marked.begin(), marked.end(), choice.task) == marked.end() ||
          runs_on(state, kind, choice.task, node))
        misplaced("which is not one to double there");
    } else if (kind == Kind::map && state.local) {
      if (!state.local->has(choice.task)) misplaced("which has started or does not exist");
    } else if (choice.task != next_task(state, kind)) {
      misplaced("which is not the next one");
    }
  }

  // ---- it starts

  // The task takes the slot of the node; its container and JVM are launched from `from` on.
  template <Kind kind>
  void start_task(NodeIndex node, std::uint32_t slot, const TaskChoice& choice, std::uint64_t from) {
    Side& side = State::side<kind>();
    NodeJob& state = jobs_[choice.job];
    const std::uint32_t attempt = state.attempts ? state.attempts->of(kind).tasks[choice.task].started++ : 0;
    side.on[slot] = {
        .job = choice.job, .task = choice.task, .attempt = attempt, .since = now_, .until = now_};
    if (!state.started) result_.jobs[choice.job].start = now();
    state.started = true;
    if (state.tasks(kind).pending == 0) {
      pair(side, slot, state);
    } else {
      take(state, kind, choice.task);
      if (state.tasks(kind).pending == 0) this->all_started(side, choice.job);
    }
    if (state.attempts) state.attempts->of(kind).starts(choice.task, slot);
    const Locality locality = kind == Kind::map ? place_map(choice, node) : Locality::node;
    side.on[slot].locality = locality;
    if (this->flows_) side.transfer[slot] = {};
    this->begin_record(side, slot);
    this->launch(side, slot, from);
  }

  // What is to share the slot with its first task, of a data-parallel job: the closest, with a placer none
  // that is farther than that one. `start` is called with a place and a task, one by one.
  template <Kind kind, class Start>
  void fill(std::uint32_t slot, Start start) {
    Side& side = State::side<kind>();
    const Running& first = side.on[slot];
    if (!side.shares() || first.second) return;
    const JobIndex index = first.job;
    const NodeIndex node = side.node_of[slot];
    const NodeJob& state = jobs_[index];
    const std::uint32_t most = model_.sharing(*state.job, node);
    const Locality at_most = placer_ == nullptr ? Locality::off_rack : first.locality;
    for (std::uint32_t shared = 1; shared < most && state.tasks(kind).pending > 0; ++shared) {
      const std::optional<TaskChoice> choice = closest(index, node, kind, at_most);
      if (!choice) return;
      start(side.join(slot), *choice);
    }
  }

  // The attempt on the slot is the second of its task.
  void pair(Side& side, std::uint32_t slot, NodeJob& state) {
    Running& attempt = side.on[slot];
    Attempts::OfKind& attempts = state.attempts->of(side.kind);
    side.marked -= std::erase(attempts.marked, attempt.task);
    attempt.second = true;
    ++side.seconds;
    attempt.twin = attempts.tasks[attempt.task].slot;
    side.on[attempt.twin].twin = slot;
    ++result_.jobs[attempt.job].second_attempts;
    this->all_started(side, attempt.job);
  }

  static void take(NodeJob& state, Kind kind, std::uint32_t task) {
    --state.tasks(kind).pending;
    if (kind == Kind::map && state.local) {
      state.local->take(task);
    } else if (state.attempts && !state.attempts->of(kind).returned.empty()) {
      state.attempts->of(kind).returned.pop();
    } else {
      ++state.tasks(kind).next;
    }
  }

  // How far the map is from its block; counted where places are known.
  Locality place_map(const TaskChoice& choice, NodeIndex node) {
    if (!jobs_[choice.job].local) return Locality::node;
    const Locality locality =
        placer_ == nullptr ? choice.locality : jobs_[choice.job].local->locality(choice.task, node);
    JobOutcome& outcome = result_.jobs[choice.job];
    ++(locality == Locality::node   ? outcome.node_local
       : locality == Locality::rack ? outcome.rack_local
                                    : outcome.off_rack);
    return locality;
  }

  std::vector<NodeIndex> reporting_;  // nodes that report at this instant out of turn
  std::uint64_t passes_ = 0;          // offers in a row that nobody took
  std::uint64_t idle_since_ = 0;      // the first of them
};

}  // namespace wavewright::sim
