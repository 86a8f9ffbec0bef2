// The fast engine of a cluster that gives out containers [UNL §2, YARN]: jobs have application masters, which
// ask for containers and fetch those they got every so often; nodes give memory at their heartbeats to the
// jobs in the policy's order, a job's reduces before its maps. As in nodes/engine.h the clock jumps from
// event to event, and of all heartbeats, nodes' and masters', only those are visited that can change
// something.
#pragma once

#include <algorithm>
#include <chrono>
#include <queue>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "wavewright/sim/containers/ramp_up.h"
#include "wavewright/sim/nodes/offers.h"

namespace wavewright::sim {

template <class Word>
class ContainerEngine final : private Offers<Word> {
 public:
  ContainerEngine(const Workload& workload, Policy& policy, const NodeModel& model, bool trace)
      : Offers<Word>(workload, policy, model, trace),
        beat_(static_cast<std::uint64_t>(to_ms(model.cluster.masters.heartbeat))),
        least_(std::min({model.smallest[0], model.smallest[1], model.smallest[2]})),
        roomy_(model.topology.size(), false),
        reserved_(model.topology.size(), nobody) {
    for (NodeIndex node = 0; node < model.topology.size(); ++node) {
      room_.push_back(model.room_of(node));
      restore(node);
    }
    if (trace) masters_.record.resize(masters_.slots());
    const Containers& containers = model.cluster.containers;
    const auto most = [&](Count count) {
      return count == 0 || heartbeats_.period == 0 ? std::numeric_limits<Count>::max() : count;
    };
    per_heartbeat_ = most(containers.per_heartbeat);
    off_switch_ = most(containers.off_switch_per_heartbeat);
  }

  SimulationResult run_all() {
    const auto began = std::chrono::steady_clock::now();
    policy_.begin(*this, *this);
    while (advance()) {
      this->arrivals();
      this->launches();
      master_ends();
      ends(maps_);
      ends(reduces_);
      reports();
      this->come_and_go();
      this->arrivals();  // of jobs whose last predecessor has just finished
      this->timers();
      this->double_slow_tasks();
      reviews();
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
  using Course = JobCourse<Word>;
  using State = ClusterState<Word>;
  using Room = NodeModel::Room;
  using Course::commit_;
  using Course::heartbeats_;
  using Course::id;
  using Course::jobs_;
  using Course::launch_;
  using Course::launches_;
  using Course::maps_;
  using Course::model_;
  using Course::never;
  using Course::now;
  using Course::now_;
  using Course::placer_;
  using Course::policy_;
  using Course::reduces_;
  using Course::releases_;
  using Course::result_;
  using Course::settled_;
  using Course::tell;
  using Course::trace_;
  using Offers<Word>::passes_;
  using Offers<Word>::reporting_;
  using State::masters_;
  using State::tree;
  static constexpr JobIndex nobody = ~JobIndex{0};

  [[nodiscard]] static std::size_t at(Kind kind) { return static_cast<std::size_t>(kind); }

  // ---- time

  bool advance() {
    const auto first = [](const Side<Word>& side) {
      return side.queue.empty() ? never : side.queue.first_instant();
    };
    const std::uint64_t event = std::min({releases_.next(), launches_.next(), first(masters_), first(maps_),
                                          first(reduces_), this->next_incident()});
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

  // ---- masters

  void admitted(JobIndex index) override {
    NodeJob& state = jobs_[index];
    for (const Kind kind : {Kind::master, Kind::map, Kind::reduce})
      state.request[at(kind)] = model_.request(*state.job, kind);
    ask_for_master(index);
  }
  void ask_for_master(JobIndex index) {
    jobs_[index].asked[at(Kind::master)] = 1;
    list(index);
  }

  void start_master(NodeIndex node, JobIndex index) {
    NodeJob& state = jobs_[index];
    const std::uint32_t slot = masters_.occupy(node);
    masters_.on[slot] = {.job = index, .attempt = state.masters_started++, .since = now_};
    state.master = slot;
    if (trace_) {
      masters_.record[slot] = result_.trace.size();
      result_.trace.push_back(
          {index, Kind::master, 0, slot, now(), now(), node, Locality::node, masters_.on[slot].attempt});
    }
    this->launch(masters_, slot, now_ + launch_);
  }
  void launched(Side<Word>& side, std::uint32_t slot) override {
    if (side.kind != Kind::master) return Course::launched(side, slot);
    masters_.queue.set(slot, masters_.on[slot].launched + Course::length(model_.cluster.masters.start));
  }

  // Masters that begin to ask, or that end.
  void master_ends() {
    while (!masters_.queue.empty() && masters_.queue.first_instant() == now_) {
      const std::uint32_t slot = masters_.queue.first_slot();
      if (masters_.on[slot].over) {
        masters_.queue.clear(slot);
        due_.push_back({Kind::master, slot});
        continue;
      }
      const JobIndex index = masters_.on[slot].job;
      if (jobs_[index].settled) {
        ++result_.events;
        wait_for_report(masters_, slot);
      } else {
        masters_.queue.clear(slot);
        master_is_up(index);
      }
    }
  }
  void master_is_up(JobIndex index) {
    NodeJob& state = jobs_[index];
    state.master_up = now_;
    schedule_review(index);
    if (!state.begun) this->begin_tasks(index);
    state.begun = true;
  }
  // The job is over, and with it, in a while, its master.
  void settled(JobIndex index) override {
    Course::settled(index);
    NodeJob& state = jobs_[index];
    if (state.master == Running::alone) return;
    const Duration stop = commit_ + model_.cluster.masters.stop;
    const std::uint64_t end = now_ + Course::length(stop);
    masters_.on[state.master].until = end;
    masters_.queue.set(state.master, end);
    if (trace_) result_.trace[masters_.record[state.master]].end = now() + stop;
  }
  // With it go its job's running tasks; what is done stays done.
  void lose_master(std::uint32_t slot) {
    const JobIndex index = masters_.on[slot].job;
    const NodeIndex node = masters_.node_of[slot];
    NodeJob& state = jobs_[index];
    ++result_.events;
    if (trace_) result_.trace[masters_.record[slot]].end = now();
    this->cancel_launch(masters_.on[slot]);
    vacate(masters_, slot);
    if (state.settled) return;
    if (trace_) result_.trace[masters_.record[slot]].outcome = AttemptOutcome::lost;
    ++result_.jobs[index].lost_attempts;
    state.master = Running::alone;
    state.master_up = never;
    state.review = never;
    state.asked[at(Kind::map)] = state.asked[at(Kind::reduce)] = 0;
    this->stop_all(index, true);
    ask_for_master(index);
    tell(Event::What::lost, index, Kind::master, node);
  }

  // ---- what a master asks for, at its heartbeats

  // The first heartbeat of the job's master from `instant` on.
  [[nodiscard]] std::uint64_t beat_from(const NodeJob& state, std::uint64_t instant) const {
    if (instant <= state.master_up) return state.master_up;
    return state.master_up + (instant - state.master_up + beat_ - 1) / beat_ * beat_;
  }
  // A master asks once an instant, before containers are given out.
  void schedule_review(JobIndex index) {
    NodeJob& state = jobs_[index];
    if (state.master_up == never || state.settled) return;
    const std::uint64_t due = beat_from(state, reviewed_ == now_ ? now_ + 1 : now_);
    if (due >= state.review) return;
    state.review = due;
    reviews_.push({due, index});
  }
  void reviews() {
    if (reviewed_ == now_) return;
    reviewed_ = now_;
    while (!reviews_.empty() && reviews_.top().first == now_) {
      const JobIndex index = reviews_.top().second;
      reviews_.pop();
      if (jobs_[index].review != now_) continue;
      jobs_[index].review = never;
      if (!jobs_[index].settled) review(index);
    }
  }
  void review(JobIndex index) {
    NodeJob& state = jobs_[index];
    Count& maps = state.asked[at(Kind::map)];
    Count& reduces = state.asked[at(Kind::reduce)];
    const std::pair before(maps, reduces);
    maps = std::min(wanted(state, Kind::map), allowed(state, Kind::map));
    if (state.reduces_ready) {
      const RampUp ramp = ramp_up(index);
      const Count stopped = reduces_to_stop(ramp);
      reduces = stopped > 0 ? 0 : std::min(reduces_to_ask(ramp), allowed(state, Kind::reduce));
      for (Count i = 0; i < stopped; ++i) {
        this->stop(reduces_, last_started(index), AttemptOutcome::killed, true);
      }
    }
    list(index);
    if (before == std::pair(maps, reduces)) {
      ++passes_;
    } else {
      changed_ = true;
      passes_ = 0;
    }
    review_again(index);
  }
  // As long as the answer may change without anything happening to the job.
  void review_again(JobIndex index) {
    const NodeJob& state = jobs_[index];
    if (state.asked[at(Kind::map)] == 0 || !state.reduces_ready) return;
    const bool ramping = state.asked[at(Kind::reduce)] < wanted(state, Kind::reduce);
    const bool starved = state.held[at(Kind::map)] == 0 && state.held[at(Kind::reduce)] > 0;
    if (ramping || starved) schedule_review(index);
  }
  [[nodiscard]] static Count wanted(const NodeJob& state, Kind kind) {
    Count wanted = state.tasks(kind).pending;
    if (state.attempts) wanted += static_cast<Count>(state.attempts->of(kind).marked.size());
    return wanted;
  }
  [[nodiscard]] static Count allowed(const NodeJob& state, Kind kind) {
    return std::max<Count>(0, state.cap[at(kind)] - state.held[at(kind)]);
  }
  [[nodiscard]] RampUp ramp_up(JobIndex index) const {
    const NodeJob& state = jobs_[index];
    return {.maps = state.maps.count,
            .maps_done = state.maps.count - state.maps.left,
            .maps_asked = state.asked[at(Kind::map)],
            .maps_held = state.held[at(Kind::map)],
            .reduces_wanted = wanted(state, Kind::reduce),
            .reduces_asked = state.asked[at(Kind::reduce)],
            .reduces_held = state.held[at(Kind::reduce)],
            .map_memory = state.request[at(Kind::map)].memory,
            .reduce_memory = state.request[at(Kind::reduce)].memory,
            .headroom = std::min(free_, tree().headroom(index)),
            .limit = model_.cluster.masters.ramp_up};
  }
  [[nodiscard]] std::uint32_t last_started(JobIndex index) const {
    std::uint32_t last = NumberSet::none;
    for (std::uint32_t slot = 0; slot < reduces_.slots(); ++slot) {
      const Running& attempt = reduces_.on[slot];
      if (reduces_.idle.contains(slot) || attempt.job != index || attempt.over) continue;
      if (last == NumberSet::none || attempt.since >= reduces_.on[last].since) last = slot;
    }
    return last;
  }

  void has_work(JobIndex index, Kind) override { schedule_review(index); }
  void has_less_work(JobIndex index, Kind kind) override {
    NodeJob& state = jobs_[index];
    Count& asked = state.asked[at(kind)];
    asked = std::min(asked, wanted(state, kind));
    list(index);
  }
  void capped(JobIndex index) override { schedule_review(index); }
  // The job stands in the tree while it asks for something.
  void list(JobIndex index) {
    const NodeJob& state = jobs_[index];
    if (state.asked[0] + state.asked[1] + state.asked[2] > 0) {
      tree().add(index);
    } else {
      tree().remove(index);
    }
  }

  // ---- containers end

  void ends(Side<Word>& side) {
    while (!side.queue.empty() && side.queue.first_instant() == now_) {
      const std::uint32_t slot = side.queue.first_slot();
      if (side.on[slot].over) {
        side.queue.clear(slot);
        due_.push_back({side.kind, slot});
        continue;
      }
      ++result_.events;
      const Running attempt = side.on[slot];
      wait_for_report(side, slot);
      this->ended(side, attempt, side.node_of[slot]);
    }
  }
  // The master knows; the container's room is free when its node reports, which is not at the heartbeat that
  // gave it.
  void wait_for_report(Side<Word>& side, std::uint32_t slot) {
    side.on[slot].over = true;
    side.on[slot].twin = Running::alone;
    std::uint64_t report = now_;
    if (heartbeats_.period != 0) {
      report = std::max(now_, side.on[slot].since + 1);
      if (!model_.cluster.mode.out_of_band) report = heartbeats_.at_or_after(side.node_of[slot], report);
    }
    if (report == now_) {
      side.queue.clear(slot);
      due_.push_back({side.kind, slot});
    } else {
      side.queue.set(slot, report);
    }
  }
  void reports() {
    std::sort(due_.begin(), due_.end());
    for (const auto& [kind, slot] : due_) {
      Side<Word>& side = State::side_of(kind);
      const JobIndex index = side.on[slot].job;
      const NodeIndex node = side.node_of[slot];
      vacate(side, slot);
      if (model_.cluster.mode.out_of_band && heartbeats_.period != 0) reporting_.push_back(node);
      tell(Event::What::ended, index, kind, node);
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
    if (trace_) result_.trace.back().memory = static_cast<std::uint32_t>(state.request[at(kind)].memory);
    room_[node] -= state.request[at(kind)];
    free_ -= state.request[at(kind)].memory;
    if (room_[node].memory < least_) roomy_.erase(node);
    ++state.held[at(kind)];
    --state.asked[at(kind)];
    tree().started(index, state.request[at(kind)].memory);
    list(index);
    review_again(index);
  }
  void vacate(Side<Word>& side, std::uint32_t slot) override {
    const JobIndex index = side.on[slot].job;
    NodeJob& state = jobs_[index];
    const Room& room = state.request[at(side.kind)];
    const NodeIndex node = side.node_of[slot];
    account();
    side.release(slot);
    side.on[slot].over = false;
    room_[node] += room;
    if (!this->is_away(node)) {
      free_ += room.memory;
      if (room_[node].memory >= least_ && !roomy_.contains(node)) roomy_.insert(node);
    }
    --state.held[at(side.kind)];
    tree().ended(index, room.memory);
    schedule_review(index);
  }
  void withdraw(NodeIndex node) override {
    free_ -= room_[node].memory;
    if (roomy_.contains(node)) roomy_.erase(node);
    let_go(node);
    for (Side<Word>* const side : {&masters_, &maps_, &reduces_}) {
      for (std::uint32_t slot = side->first_slot[node]; slot < side->first_slot[node + 1]; ++slot) {
        if (side->idle.contains(slot)) continue;
        if (side->on[slot].over) {
          vacate(*side, slot);
        } else if (side->kind == Kind::master) {
          lose_master(slot);
        } else {
          this->stop(*side, slot, AttemptOutcome::lost, true);
        }
      }
    }
  }
  void restore(NodeIndex node) override {
    free_ += room_[node].memory;
    if (room_[node].memory >= least_) roomy_.insert(node);
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
    for (Count given = 0; given < per_heartbeat_ && roomy_.contains(node) && tree().any(); ++given) {
      const std::optional<Grant> grant = choose(node, off_switch < off_switch_);
      if (!grant) {
        ++passes_;
        return;
      }
      passes_ = 0;
      off_switch += grant->off_switch ? 1 : 0;
      start(node, *grant);
    }
  }
  void start(NodeIndex node, const Grant& grant) {
    const JobIndex index = grant.choice.job;
    NodeJob& state = jobs_[index];
    if (grant.kind == Kind::master) {
      start_master(node, index);
    } else {
      const std::uint64_t launched = beat_from(state, now_ + 1) + launch_;
      if (grant.kind == Kind::map) {
        this->template start_task<Kind::map>(node, grant.choice, launched);
        if (state.maps.pending == 0 && !state.attempts) state.local.reset();
      } else {
        this->template start_task<Kind::reduce>(node, grant.choice, launched);
      }
    }
    occupy(node, index, grant.kind);
    tell(Event::What::started, index, grant.kind, node);
  }

  // Masters first, then reduces, then maps [RMContainerAllocator's priorities].
  [[nodiscard]] static Kind next_kind(const NodeJob& state) {
    if (state.asked[at(Kind::master)] > 0) return Kind::master;
    return state.asked[at(Kind::reduce)] > 0 ? Kind::reduce : Kind::map;
  }

  // A node whose room is too small for the first job that could have it is kept for that job.
  [[nodiscard]] std::optional<Grant> choose(NodeIndex node, bool off_switch) {
    if (reserved_[node] != nobody) {
      const JobIndex index = reserved_[node];
      const Room& asked = jobs_[index].request[at(next_kind(jobs_[index]))];
      if (tree().eligible(index) && !this->barred(index, node) && model_.room_of(node).holds(asked)) {
        if (!room_[node].holds(asked)) return std::nullopt;
        if (const auto found = grant(index, node, off_switch)) {
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
      if (this->barred(*index, node) || !model_.room_of(node).holds(asked)) continue;
      if (room_[node].holds(asked)) {
        if (const auto found = grant(*index, node, off_switch)) return found;
      } else if (state.reserved < state.asked[0] + state.asked[1] + state.asked[2]) {
        keep_for(node, *index);
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

  // What the job takes of a node that has the room for it.
  [[nodiscard]] std::optional<Grant> grant(JobIndex index, NodeIndex node, bool off_switch) {
    const NodeJob& state = jobs_[index];
    const Kind kind = next_kind(state);
    const bool anywhere = kind != Kind::map || !state.local;
    if (anywhere && !off_switch) return std::nullopt;
    if (kind == Kind::master) return Grant{kind, {index, 0, Locality::node}, true};
    const Locality at_most = off_switch ? Locality::off_rack : Locality::rack;
    std::optional<TaskChoice> choice;
    if (kind == Kind::map && placer_ != nullptr) {
      OneJob candidates(*this, index, node, at_most);
      choice = placer_->place({node, kind, now()}, candidates, *this, *this);
      if (choice) this->check_choice(*choice, node, kind);
    } else if (this->something_to_start(jobs_[index], kind)) {
      choice = this->closest(index, node, kind, at_most);
    }
    if (!choice) return std::nullopt;
    return Grant{kind, *choice, anywhere || choice->locality == Locality::off_rack};
  }

  // A placer is asked job by job: whose turn it is, is YARN's matter.
  class OneJob final : public Candidates {
   public:
    OneJob(ContainerEngine& engine, JobIndex job, NodeIndex node, Locality at_most)
        : engine_(engine), job_(job), node_(node), at_most_(at_most) {}
    [[nodiscard]] std::optional<JobIndex> next() override { return std::exchange(job_, std::nullopt); }
    [[nodiscard]] std::optional<TaskChoice> closest(JobIndex job, Locality at_most) override {
      if (!engine_.something_to_start(engine_.known(job), Kind::map)) return std::nullopt;
      return engine_.closest(job, node_, Kind::map, std::min(at_most, at_most_));
    }

   private:
    ContainerEngine& engine_;
    std::optional<JobIndex> job_;
    NodeIndex node_;
    Locality at_most_;
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
    Incidents<Word>::refuse_stuck(index);
  }

  const std::uint64_t beat_;
  const Count least_;  // memory that any container takes
  Count per_heartbeat_ = 0;
  Count off_switch_ = 0;
  std::uint64_t accounted_ = 0;
  Count free_ = 0;                  // memory of the nodes that are there
  NumberSet roomy_;                 // nodes that are there and may have room for a container
  std::vector<Room> room_;          // free, by node
  std::vector<JobIndex> reserved_;  // the job that each node is kept for
  bool changed_ = false;  // at this instant: more than masters that ask for what they asked for before
  std::uint64_t reviewed_ = never;                   // the instant at which masters asked last
  std::vector<std::pair<Kind, std::uint32_t>> due_;  // containers whose nodes report them at this instant
  using Due = std::pair<std::uint64_t, JobIndex>;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> reviews_;
  ReadyTree::Walk walk_{tree()};
};

}  // namespace wavewright::sim
