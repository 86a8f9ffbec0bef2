// The fast engine of a cluster of nodes. Its clock jumps from event to event: an end is put down for the
// instant at which its node reports it, and of all heartbeats only those are visited that can give a node
// work: while some job has a task ready, the next one of a node with a free slot.
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

#include <fmt/format.h>

#include "wavewright/sim/nodes/job_course.h"

namespace wavewright::sim {

// Offers that nobody takes this often in a row, over this many heartbeats of each node at least and with
// nothing else under way, will be refused for ever.
inline constexpr std::uint64_t most_passes = 1'000'000;
inline constexpr std::uint64_t most_idle_periods = 1'000;

template <class Word>
class NodeEngine final : private JobCourse<Word> {
 public:
  NodeEngine(const Workload& workload, Policy& policy, const NodeModel& model, bool trace)
      : Course(workload, policy, model, trace), away_(model.changes.empty() ? 0 : model.topology.size()) {}

  SimulationResult run_all() {
    const auto began = std::chrono::steady_clock::now();
    policy_.begin(*this, *this);
    while (advance()) {
      this->arrivals();
      ends<Kind::map>();
      ends<Kind::reduce>();
      come_and_go();
      this->arrivals();  // of jobs whose last predecessor has just finished
      timers();
      if (speculates() && now_ % check_ == 0) this->look_for_slow_tasks();
      this->take_back();
      give_out<Kind::map>();
      give_out<Kind::reduce>();
    }
    sum_up();
    result_.engine_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return std::move(result_);
  }

 private:
  using Course = JobCourse<Word>;
  using State = ClusterState<Word>;
  using Course::allocator_events_;
  using Course::heartbeats_;
  using Course::id;
  using Course::jobs_;
  using Course::known;
  using Course::launch_;
  using Course::maps_;
  using Course::model_;
  using Course::never;
  using Course::now;
  using Course::now_;
  using Course::placer_;
  using Course::placer_events_;
  using Course::policy_;
  using Course::reclaims_;
  using Course::reduces_;
  using Course::releases_;
  using Course::result_;
  using Course::settled_;
  using Course::tell;
  using Course::timers_;
  using Course::trace_;

  template <Kind kind>
  [[nodiscard]] Side<Word>& side() {
    return State::template side<kind>();
  }

  // ---- time

  // Moves the clock to the next instant at which something happens.
  bool advance() {
    const auto first = [](const Side<Word>& side) {
      return side.queue.empty() ? never : side.queue.first_instant();
    };
    const std::uint64_t change = changed_ < model_.changes.size() ? model_.changes[changed_].at : never;
    const std::uint64_t event = std::min({releases_.next(), first(maps_), first(reduces_), change,
                                          timers_.empty() ? never : timers_.top().first,
                                          reclaims_.empty() ? never : reclaims_.top().due, next_check()});
    const std::uint64_t next = std::min({event, next_offer(maps_), next_offer(reduces_)});
    if (event == next) {
      passes_ = 0;
    } else if (event == never) {
      expect_progress(next);
    }
    now_ = next;
    return next != never && settled_ < jobs_.size();
  }

  [[nodiscard]] bool speculates() const { return model_.cluster.mode.speculation; }
  // When slow tasks are next looked for, as long as anything runs.
  [[nodiscard]] std::uint64_t next_check() const {
    const bool busy = !maps_.queue.empty() || !reduces_.queue.empty();
    return speculates() && busy ? (now_ / check_ + 1) * check_ : never;
  }

  // The next heartbeat after this one of a node that could be given work.
  [[nodiscard]] std::uint64_t next_offer(const Side<Word>& side) const {
    if (heartbeats_.period == 0 || !side.ready.any() || side.offering.empty()) return never;
    const std::uint64_t phase = now_ % heartbeats_.period;
    const std::uint64_t round = now_ - phase;
    const NodeIndex node = side.offering.next(static_cast<NodeIndex>(heartbeats_.first_from(phase + 1)));
    if (node != NumberSet::none) return round + heartbeats_.phase(node);
    return round + heartbeats_.period + heartbeats_.phase(side.offering.lowest());
  }

  void expect_progress(std::uint64_t next) {
    if (passes_ == 0) idle_since_ = next;
    if (passes_ <= most_passes || (next - idle_since_) / most_idle_periods <= heartbeats_.period) return;
    const JobIndex waits = maps_.ready.any() ? maps_.ready.best() : reduces_.ready.best();
    throw NoAnswer("job '" + id(waits) + "' is never placed: " + std::to_string(passes_) +
                       " offers in a row were passed while nothing else runs" +
                       (placer_ ? " (placer '" + placer_->name() + "')" : ""),
                   "choose another placer, or check its parameters");
  }

  void timers() {
    while (!timers_.empty() && timers_.top().first == now_) {
      const Token token = timers_.top().second;
      timers_.pop();
      const Event event{Event::What::timer, now(), 0, Kind::map, 0, token};
      if (allocator_events_.has(Event::What::timer)) policy_.on(event, *this, *this);
      if (placer_events_.has(Event::What::timer)) placer_->on(event, *this, *this);
    }
  }

  // ---- attempts end

  template <Kind kind>
  void ends() {
    Side<Word>& side = this->template side<kind>();
    while (!side.queue.empty() && side.queue.first_instant() == now_) {
      const std::uint32_t slot = side.queue.first_slot();
      const Running attempt = side.on[slot];
      const NodeIndex node = side.node_of[slot];
      ++result_.events;
      side.release(slot);
      side.ready.ended(attempt.job);
      if (model_.cluster.mode.out_of_band && heartbeats_.period != 0) reporting_.push_back(node);
      if (attempt.fails) {
        this->attempt_failed(kind, attempt, node);
        continue;
      }
      if (attempt.twin != Running::alone) {
        this->stop(side, attempt.twin, AttemptOutcome::killed, false);
      } else {
        this->unmark(attempt.job, kind, attempt.task);
      }
      --jobs_[attempt.job].tasks(kind).left;
      if constexpr (kind == Kind::map) {
        if (jobs_[attempt.job].attempts) jobs_[attempt.job].attempts->ran_on[attempt.task] = node;
        this->map_ended(attempt.job);
      } else {
        this->settle(attempt.job);
      }
      tell(Event::What::ended, attempt.job, kind, node);
    }
  }

  // ---- nodes come and go

  void come_and_go() {
    for (; changed_ < model_.changes.size() && model_.changes[changed_].at == now_; ++changed_) {
      const NodeIndex node = model_.changes[changed_].node;
      if (!model_.changes[changed_].up) {
        if (away_[node]++ == 0) lose(node);
      } else if (--away_[node] == 0) {
        maps_.restore(node);
        reduces_.restore(node);
        tell(Event::What::node_up, 0, Kind::map, node);
      }
    }
  }

  // What runs there is lost, and so are the outputs of maps that some reduce has still to fetch.
  void lose(NodeIndex node) {
    for (Side<Word>* const side : {&maps_, &reduces_}) {
      for (std::uint32_t slot = side->first_slot[node]; slot < side->first_slot[node + 1]; ++slot) {
        if (!side->idle.contains(slot)) this->stop(*side, slot, AttemptOutcome::lost, true);
      }
      side->withdraw(node);
    }
    for (JobIndex index = 0; index < jobs_.size(); ++index) {
      NodeJob& state = jobs_[index];
      if (!state.admitted || state.settled || state.reduces.count == 0) continue;
      if (state.maps_done_at != never && state.reduces.pending == 0) continue;
      for (std::uint32_t map = 0; map < state.maps.count; ++map) {
        if (state.attempts->ran_on[map] != node) continue;
        state.attempts->ran_on[map] = Attempts::nowhere;
        ++state.maps.left;
        state.maps_done_at = never;
        this->give_back(index, Kind::map, map);
        tell(Event::What::lost, index, Kind::map, node);
      }
    }
    tell(Event::What::node_down, 0, Kind::map, node);
  }

  // ---- slots are given out

  // Offers the nodes whose heartbeat this instant is, in their order.
  template <Kind kind>
  void give_out() {
    Side<Word>& side = this->template side<kind>();
    if (kind == Kind::map) std::sort(reporting_.begin(), reporting_.end());
    if (side.ready.any() && !side.offering.empty()) {
      if (heartbeats_.period == 0) {
        offer_range<kind>(0, model_.topology.size());
      } else {
        const std::uint64_t phase = now_ % heartbeats_.period;
        const auto first = static_cast<NodeIndex>(heartbeats_.first_from(phase));
        const auto end = static_cast<NodeIndex>(heartbeats_.first_from(phase + 1));
        auto reporting = reporting_.begin();
        NodeIndex last = NumberSet::none;
        const auto out_of_turn = [&](NodeIndex below) {
          for (; reporting != reporting_.end() && *reporting < below; ++reporting) {
            if (*reporting == last || (*reporting >= first && *reporting < end)) continue;
            last = *reporting;
            if (side.offering.contains(last)) offer<kind>(last);
          }
        };
        out_of_turn(first);
        offer_range<kind>(first, end);
        out_of_turn(model_.topology.size());
      }
    }
    if (kind == Kind::reduce) reporting_.clear();
  }

  template <Kind kind>
  void offer_range(NodeIndex first, NodeIndex end) {
    const Side<Word>& side = this->template side<kind>();
    for (NodeIndex node = side.offering.next(first); node < end && side.ready.any();
         node = side.offering.next(node + 1)) {
      offer<kind>(node);
    }
  }

  template <Kind kind>
  void offer(NodeIndex node) {
    Side<Word>& side = this->template side<kind>();
    for (Count given = 0; side.free[node] > 0 && given < side.per_heartbeat && side.ready.any(); ++given) {
      const std::optional<TaskChoice> choice = choose(node, kind);
      if (!choice) {
        ++passes_;
        return;
      }
      passes_ = 0;
      start<kind>(node, *choice);
    }
  }

  [[nodiscard]] std::optional<TaskChoice> choose(NodeIndex node, Kind kind) {
    if (placer_ == nullptr && !model_.picky) {
      return closest(State::side_of(kind).ready.best(), node, kind, Locality::off_rack);
    }
    Shortlist candidates(*this, node, kind);
    if (placer_ == nullptr) {
      while (const std::optional<JobIndex> job = candidates.next()) {
        if (const auto choice = candidates.closest(*job, Locality::off_rack)) return choice;
      }
      return std::nullopt;
    }
    const std::optional<TaskChoice> choice = placer_->place({node, kind, now()}, candidates, *this, *this);
    if (choice) check_choice(*choice, node, kind);
    return choice;
  }

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
    return State::side_of(kind).node_of[state.attempts->of(kind).slot[task]] == node;
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
        if (!job || !engine_.barred(*job, node_)) return job;
      }
    }
    [[nodiscard]] std::optional<TaskChoice> closest(JobIndex job, Locality at_most) override {
      if (!engine_.something_to_start(engine_.known(job), kind_)) return std::nullopt;
      return engine_.closest(job, node_, kind_, at_most);
    }

   private:
    NodeEngine& engine_;
    ReadyTree::Walk& walk_;
    NodeIndex node_;
    Kind kind_;
  };

  [[nodiscard]] bool barred(JobIndex job, NodeIndex node) const {
    return jobs_[job].attempts && jobs_[job].attempts->barred.contains(node);
  }

  void check_choice(const TaskChoice& choice, NodeIndex node, Kind kind) {
    const auto misplaced = [&](const std::string& what) {
      throw Defect("placer '" + placer_->name() + "' chose task " + std::to_string(choice.task) +
                   " of job '" + id(choice.job) + "' for node '" + model_.topology.names[node] + "', " +
                   what);
    };
    NodeJob& state = known(choice.job);
    if (!State::side_of(kind).ready.eligible(choice.job) || barred(choice.job, node))
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

  template <Kind kind>
  void start(NodeIndex node, const TaskChoice& choice) {
    Side<Word>& side = this->template side<kind>();
    NodeJob& state = jobs_[choice.job];
    const std::uint32_t slot = side.occupy(node);
    const std::uint32_t attempt = state.attempts ? state.attempts->of(kind).started[choice.task]++ : 0;
    side.on[slot] = {
        .job = choice.job, .task = choice.task, .attempt = attempt, .since = now_, .until = now_};
    if (!state.started) result_.jobs[choice.job].start = now();
    state.started = true;
    if (state.tasks(kind).pending == 0) {
      pair(side, slot, state);
    } else {
      take(state, kind, choice.task);
    }
    if (state.attempts) state.attempts->of(kind).slot[choice.task] = slot;
    const Locality locality = kind == Kind::map ? place_map(choice, node) : Locality::node;
    if (trace_) {
      side.record[slot] = result_.trace.size();
      result_.trace.push_back({choice.job, kind, choice.task, slot, now(), now(), node, locality, attempt});
    }
    if constexpr (kind == Kind::map) {
      const std::uint64_t work =
          scaled(scaled(this->length(state.job->maps[choice.task]), this->speed(choice.job, node)),
                 model_.locality_factor[static_cast<std::size_t>(locality)]);
      this->run(side, slot, now_ + launch_, work);
    } else if (state.maps_done_at != never) {
      this->run_reduce(slot, now_ + launch_, state.maps_done_at == now_);
    } else {
      state.waiting.push_back(slot);
    }
    side.ready.started(choice.job);
    if (!this->something_to_start(state, kind)) {
      side.ready.remove(choice.job);
      if (kind == Kind::map && !state.attempts) state.local.reset();
    }
    tell(Event::What::started, choice.job, kind, node);
  }

  // The attempt on the slot is the second of its task.
  void pair(Side<Word>& side, std::uint32_t slot, NodeJob& state) {
    Running& attempt = side.on[slot];
    Attempts::OfKind& attempts = state.attempts->of(side.kind);
    std::erase(attempts.marked, attempt.task);
    attempt.second = true;
    attempt.twin = attempts.slot[attempt.task];
    side.on[attempt.twin].twin = slot;
    ++result_.jobs[attempt.job].second_attempts;
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
    const Locality locality = jobs_[choice.job].local->locality(choice.task, node);
    JobOutcome& outcome = result_.jobs[choice.job];
    ++(locality == Locality::node   ? outcome.node_local
       : locality == Locality::rack ? outcome.rack_local
                                    : outcome.off_rack);
    return locality;
  }

  // ---- the end

  // Sums up, and says who was left behind and why.
  void sum_up() {
    if (settled_ != jobs_.size()) {
      for (JobIndex job = 0; job < jobs_.size(); ++job) refuse_stuck(job);
    }
    result_.sum_up();
    result_.map_busy = ms(static_cast<std::int64_t>(maps_.busy));
    result_.reduce_busy = ms(static_cast<std::int64_t>(reduces_.busy));
  }
  void refuse_stuck(JobIndex index) const {
    const NodeJob& state = jobs_[index];
    if (state.settled || !state.arrived) return;
    const auto away =
        std::count_if(away_.begin(), away_.end(), [](std::uint32_t outages) { return outages > 0; });
    if (state.admitted && away > 0) {
      throw NoAnswer(fmt::format("job '{}' can never be placed: {} of {} nodes are away for good", id(index),
                                 away, model_.topology.size()),
                     "end an outage (to_ms), or add nodes");
    }
    throw_stuck(id(index), policy_.name(), state.admitted, state.maps.left != 0);
  }

  const std::uint64_t check_ = static_cast<std::uint64_t>(to_ms(model_.cluster.mode.speculation_check));
  ReadyTree::Walk map_walk_{maps_.ready};
  ReadyTree::Walk reduce_walk_{reduces_.ready};
  std::vector<std::uint32_t> away_;   // by node: outages that it is in
  std::size_t changed_ = 0;           // of model_.changes
  std::vector<NodeIndex> reporting_;  // nodes that report at this instant out of turn
  std::uint64_t passes_ = 0;          // offers in a row that nobody took
  std::uint64_t idle_since_ = 0;      // the first of them
};

}  // namespace wavewright::sim
