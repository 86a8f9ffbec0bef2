// The obvious engine of a cluster of nodes. It visits every heartbeat of every node, looks at every slot and
// every job each time, and shares with the fast one only the contract and the numbers of NodeModel.
#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/sim/nodes/obvious_world.h"
#include "wavewright/sim/nodes/references.h"
#include "wavewright/sim/nodes/speculation.h"
#include "wavewright/sim/parts/obvious_launches.h"

namespace wavewright {

namespace {

using sim::NodeModel;

struct Slot {
  NodeIndex node = 0;
  bool busy = false;
  bool waits = false;  // its reduce waits for the job's last map, or the attempt for its launch
  bool launching = false;
  bool fails = false;
  bool second = false;  // its task has, or had, another attempt running
  JobIndex job = 0;
  std::uint32_t task = 0;
  std::uint32_t attempt = 0;
  Time since{};
  Time end{};
  Time launched{};
  Locality where = Locality::node;
  std::uint64_t from = 0, full = 0;  // its work, were it not to fail; 0 while it is not known
  std::size_t record = 0;            // in the trace
  sim::ObviousFlows::Id flow = 0;    // what it reads or fetches now
  std::uint64_t fetched = 0, asked = 0;

  // A map whose work may be done, but not its reading.
  [[nodiscard]] bool reads_on() const { return flow != 0 && !fails && !waits; }
};

class Reference final : private sim::ObviousWorld {
 public:
  Reference(const Workload& workload, Policy& policy, const NodeModel& model)
      : ObviousWorld(workload, policy, model),
        launches_(model.cluster.launches.processors, model.launch_pools()) {
    for (NodeIndex node = 0; node < model.topology.size(); ++node) {
      for (const Kind kind : {Kind::map, Kind::reduce}) {
        for (Count slot = 0; slot < model.slots(node, kind); ++slot) slots(kind).push_back({.node = node});
      }
    }
  }

  SimulationResult run() {
    policy_.begin(*this, *this);
    while (const std::optional<Time> next = next_instant()) {
      launches_.pass(to_ms(*next - now_));
      flows_.pass(to_ms(*next - now_));
      now_ = *next;
      given_.clear();
      arrivals();
      launches();
      transfers();
      end_tasks(Kind::map);
      end_tasks(Kind::reduce);
      come_and_go();
      arrivals();
      timers();
      const std::int64_t check = to_ms(model_.cluster.mode.speculation_check);
      if (model_.cluster.mode.speculation && to_ms(now_) % check == 0) {
        mark_slow_tasks(Kind::map);
        mark_slow_tasks(Kind::reduce);
      }
      take_back();
      give_out(Kind::map);
      give_out(Kind::reduce);
      began_ = true;
    }
    sum_up();
    return std::move(result_);
  }

 private:
  std::vector<Slot>& slots(Kind kind) { return kind == Kind::map ? map_slots_ : reduce_slots_; }
  [[nodiscard]] const std::vector<Slot>& slots(Kind kind) const {
    return kind == Kind::map ? map_slots_ : reduce_slots_;
  }
  // When the end of the slot's task is known: at once, or at a heartbeat after the one that gave it.
  [[nodiscard]] bool reported(const Slot& slot) const {
    if (!slot.busy || slot.waits || slot.end > now_ || slot.reads_on()) return false;
    if (period() == Duration{}) return true;
    if (known_since(slot) >= now_) return false;
    return model_.cluster.mode.out_of_band || beats(slot.node, now_);
  }
  // The instant at which the task's end became settled: its start or, of a reduce that waited, the last
  // map's.
  [[nodiscard]] Time known_since(const Slot& slot) const { return settled_.at(&slot); }

  std::optional<Time> next_instant() {
    std::optional<Time> next;
    const auto offer = [&](Time t) {
      if (!next || t < *next) next = t;
    };
    bool anything = false;  // heartbeats go on for ever, but only matter while something is left
    for (JobIndex index = 0; index < jobs_.size(); ++index) {
      const JobState& state = jobs_[index];
      if (state.settled()) continue;
      anything = true;
      const std::optional<Time> from = there_from(index);
      if (!state.arrived && from) offer(std::max(*from, now_));
    }
    if (!anything) return std::nullopt;
    if (const std::int64_t launch = launches_.next(to_ms(now_)); launch >= 0) offer(at_ms(launch));
    if (const std::int64_t flow = flows_.next(to_ms(now_)); flow >= 0) offer(at_ms(flow));
    for (const auto& [at, token] : timers_) offer(at);
    for (const auto& [at, reclaim] : reclaims_) offer(at);
    if (changed_ < model_.changes.size())
      offer(at_ms(static_cast<std::int64_t>(model_.changes[changed_].at)));
    for (const Kind kind : {Kind::map, Kind::reduce}) {
      for (const Slot& slot : slots(kind)) {
        const std::int64_t check = to_ms(model_.cluster.mode.speculation_check);
        if (slot.busy && (!slot.waits || slot.launching || slot.flow != 0) && model_.cluster.mode.speculation)
          offer(at_ms((to_ms(now_) / check + 1) * check));
        if (!slot.busy || slot.waits || (slot.reads_on() && slot.end <= now_)) continue;
        if (period() == Duration{}) offer(slot.end);
        if (period() != Duration{} && model_.cluster.mode.out_of_band)
          offer(std::max(slot.end, known_since(slot) + ms(1)));
      }
    }
    if (period() != Duration{}) {
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

  void end_tasks(Kind kind) {
    for (Slot& slot : slots(kind)) {
      if (!reported(slot)) continue;
      slot.busy = false;
      cancel_flow(slot);
      given_[slot.node].reported = true;
      ++result_.events;
      if (slot.fails) {
        attempt_failed(kind, slot);
        continue;
      }
      JobState& state = jobs_[slot.job];
      if (Slot* const twin = twin_of(kind, slot)) {
        stop(kind, *twin, AttemptOutcome::killed, false);
      } else {
        std::erase(state.marked(kind), slot.task);
      }
      state.tasks(kind)[slot.task].state = TaskState::done;
      state.tasks(kind)[slot.task].ran_on = slot.node;
      if (kind == Kind::map) {
        tell_if_ready(slot.job);
        fetch_more(slot.job);
        settle_maps(slot.job);
      } else {
        settle(slot.job);
      }
      tell(Event::What::ended, slot.job, kind, slot.node);
    }
  }

  void attempt_failed(Kind kind, const Slot& slot) {
    JobState& state = jobs_[slot.job];
    TaskInfo& task = state.tasks(kind)[slot.task];
    count_failure(slot.job, slot.node);
    if (twin_of(kind, slot) == nullptr) {
      std::erase(state.marked(kind), slot.task);
      task.state = TaskState::pending;
    }
    if (++task.failures >= model_.cluster.faults.max_attempts) fail(slot.job);
    tell(Event::What::lost, slot.job, kind, slot.node);
  }
  // The task's other attempt, where there is one.
  [[nodiscard]] Slot* twin_of(Kind kind, const Slot& slot) {
    for (Slot& other : slots(kind)) {
      if (&other != &slot && other.busy && other.job == slot.job && other.task == slot.task) return &other;
    }
    return nullptr;
  }

  void mark_slow_tasks(Kind kind) {
    std::size_t seconds = 0;
    for (const Slot& slot : slots(kind)) seconds += slot.busy && slot.second ? 1 : 0;
    for (const JobState& state : jobs_) seconds += state.settled() ? 0 : state.marked(kind).size();
    for (JobIndex index = 0; index < jobs_.size(); ++index) {
      JobState& state = jobs_[index];
      if (state.settled() || pending(index, kind) > 0 || (kind == Kind::reduce && !state.maps_done)) continue;
      std::vector<sim::Progress> progress;
      std::vector<std::uint32_t> tasks;
      for (const Slot& slot : slots(kind)) {
        if (!slot.busy || slot.job != index) continue;
        const auto now = static_cast<std::uint64_t>(to_ms(now_));
        const bool old = now_ - slot.since >= model_.cluster.mode.speculation_after;
        progress.push_back({sim::done_part(now, slot.from, slot.full),
                            static_cast<std::uint64_t>(to_ms(now_ - slot.since)),
                            old && twin_of(kind, slot) == nullptr && !state.tasks(kind)[slot.task].doubled});
        tasks.push_back(slot.task);
      }
      const std::size_t most = NodeModel::most_seconds(slots(kind).size(), seconds);
      const auto finished = static_cast<std::size_t>(state.count(kind, TaskState::done));
      for (const std::size_t i : sim::choose_to_double(model_.cluster.mode.rule, progress, finished, most)) {
        state.tasks(kind)[tasks[i]].doubled = true;
        state.marked(kind).push_back(tasks[i]);
        ++seconds;
      }
    }
  }

  void fail(JobIndex index) {
    JobState& state = jobs_[index];
    state.failed = result_.jobs[index].failed = true;
    result_.jobs[index].finish = now_;
    for (const Kind kind : {Kind::map, Kind::reduce}) {
      for (TaskInfo& task : state.tasks(kind)) task.state = TaskState::done;
    }
    for (const Kind kind : {Kind::map, Kind::reduce}) {
      for (Slot& slot : slots(kind)) {
        if (slot.busy && slot.job == index) stop(kind, slot, AttemptOutcome::killed, false);
      }
    }
    tell(Event::What::finished, index, Kind::reduce, 0);
    drop_successors(index);
  }

  // Ends an attempt before its time.
  void stop(Kind kind, Slot& slot, AttemptOutcome outcome, bool again) {
    ++result_.events;
    ++result_.jobs[slot.job].lost_attempts;
    Duration& busy = kind == Kind::map ? result_.map_busy : result_.reduce_busy;
    if (!slot.waits) busy -= slot.end - slot.since;
    busy += now_ - slot.since;
    result_.trace[slot.record].end = now_;
    result_.trace[slot.record].outcome = outcome;
    slot.busy = slot.waits = slot.launching = false;
    cancel_launch(slot);
    cancel_flow(slot);
    if (again && twin_of(kind, slot) == nullptr) std::erase(jobs_[slot.job].marked(kind), slot.task);
    if (again && twin_of(kind, slot) == nullptr)
      jobs_[slot.job].tasks(kind)[slot.task].state = TaskState::pending;
    tell(Event::What::lost, slot.job, kind, slot.node);
  }

  void take_back() {
    while (!reclaims_.empty() && reclaims_.begin()->first == now_) {
      const Reclaim reclaim = reclaims_.begin()->second;
      reclaims_.erase(reclaims_.begin());
      for (Count i = 0; i < reclaim.count; ++i) {
        Slot* last = nullptr;
        for (Slot& slot : slots(reclaim.kind)) {
          if (slot.busy && slot.job == reclaim.job && (last == nullptr || slot.since >= last->since))
            last = &slot;
        }
        if (last == nullptr) break;
        stop(reclaim.kind, *last, AttemptOutcome::killed, true);
      }
    }
  }

  void lose_attempts(NodeIndex node) override {
    for (const Kind kind : {Kind::map, Kind::reduce}) {
      for (Slot& slot : slots(kind)) {
        if (slot.busy && slot.node == node) stop(kind, slot, AttemptOutcome::lost, true);
      }
    }
  }

  void settle_maps(JobIndex index) {
    JobState& state = jobs_[index];
    if (!state.all_done(Kind::map) || state.maps_done) return;
    state.maps_done = now_;
    result_.jobs[index].maps_done = now_;
    for (Slot& slot : reduce_slots_) {
      if (!slot.busy || !slot.waits || slot.launching || slot.job != index) continue;
      if (model_.network.shuffles(job(index))) {
        if (slot.flow == 0) fetch(slot);
        continue;
      }
      slot.waits = false;
      run(Kind::reduce, slot, std::max(now_, slot.launched),
          job(index).first_shuffle(slot.task) + reduce_work(slot.job, slot.task, slot.node));
    }
    settle(index);
  }

  void settle(JobIndex index) {
    JobState& state = jobs_[index];
    if (!state.maps_done || !state.all_done(Kind::reduce) || state.settled()) return;
    state.finished = true;
    result_.jobs[index].finish = now_ + model_.commit();
    tell(Event::What::finished, index, Kind::reduce, 0);
  }

  void tell_if_ready(JobIndex index) {
    if (!ready_for_reduces(index)) return;
    jobs_[index].reduces_ready = true;
    tell(Event::What::ready, index, Kind::reduce, 0);
  }

  [[nodiscard]] bool has_ready_task(JobIndex index, Kind kind) const {
    const JobState& state = jobs_[index];
    if (!state.admitted || state.settled()) return false;
    if (pending(index, kind) == 0 && state.marked(kind).empty()) return false;
    return kind == Kind::map || state.reduces_ready;
  }
  [[nodiscard]] Count holds(JobIndex index, Kind kind) const override {
    return std::count_if(slots(kind).begin(), slots(kind).end(),
                         [&](const Slot& slot) { return slot.busy && slot.job == index; });
  }
  [[nodiscard]] sim::ObviousOrder::Held held_of(Kind kind) const {
    return [this, kind](JobIndex index) { return holds(index, kind); };
  }
  [[nodiscard]] std::vector<JobIndex> candidates(Kind kind) const {
    const auto ready = [&](JobIndex index) { return has_ready_task(index, kind); };
    return order_.jobs(kind, ready, held_of(kind));
  }

  // Every node whose heartbeat this instant is, in order, takes tasks as long as it has slots.
  void give_out(Kind kind) {
    for (NodeIndex node = 0; node < model_.topology.size(); ++node) {
      const bool out_of_turn = model_.cluster.mode.out_of_band && given_[node].reported;
      if (away_[node] > 0 || (!beats(node, now_) && !out_of_turn)) continue;
      for (Count given = 0; given < model_.per_heartbeat(kind); ++given) {
        const auto slot = std::find_if(slots(kind).begin(), slots(kind).end(),
                                       [&](const Slot& each) { return each.node == node && !each.busy; });
        if (slot == slots(kind).end()) break;
        std::vector<JobIndex> jobs = candidates(kind);
        if (jobs.empty()) break;
        std::erase_if(jobs, [&](JobIndex index) { return barred(index, node); });
        const std::optional<TaskChoice> choice = choose(jobs, node, kind);
        if (!choice) break;
        start(*choice, kind, *slot);
        tell(Event::What::started, choice->job, kind, node);
      }
    }
  }

  class Shortlist final : public Candidates {
   public:
    Shortlist(const Reference& engine, const std::vector<JobIndex>& jobs, NodeIndex node, Kind kind)
        : engine_(engine), jobs_(jobs), node_(node), kind_(kind) {}
    [[nodiscard]] std::optional<JobIndex> next() override {
      return at_ < jobs_.size() ? std::optional(jobs_[at_++]) : std::nullopt;
    }
    [[nodiscard]] std::optional<TaskChoice> closest(JobIndex job, Locality at_most) override {
      return engine_.closest(job, node_, kind_, at_most);
    }

   private:
    const Reference& engine_;
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
    return placer_->place({node, kind, now_}, shortlist, *this, *this);
  }

  [[nodiscard]] bool runs_on(NodeIndex node, JobIndex index, Kind kind, std::uint32_t task) const override {
    return std::any_of(slots(kind).begin(), slots(kind).end(), [&](const Slot& slot) {
      return slot.busy && slot.job == index && slot.task == task && slot.node == node;
    });
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
    slot = {.node = slot.node,
            .busy = true,
            .second = second,
            .job = choice.job,
            .task = choice.task,
            .attempt = task.attempts++,
            .since = now_,
            .end = now_,
            .record = result_.trace.size()};
    const Locality where = kind == Kind::map ? locality(choice.job, choice.task, slot.node) : Locality::node;
    const auto number = static_cast<std::uint32_t>(&slot - slots(kind).data());
    result_.trace.push_back({choice.job, kind, choice.task, number, now_, now_, slot.node, where,
                             slot.attempt, AttemptOutcome::done});
    slot.where = where;
    if (kind == Kind::map) count_place(choice.job, where);
    const Time at = now_ + model_.cluster.mode.launch;
    if (!model_.shares_launches(kind)) {
      slot.launched = at;
      launched(kind, slot);
      return;
    }
    slot.waits = slot.launching = true;
    const auto id =
        launches_.enter(model_.launch_pool(slot.node), to_ms(at), model_.launch_work(kind), to_ms(now_));
    launching_[id] = {kind, &slot};
  }

  void launches() {
    launches_.run(to_ms(now_), [this](sim::ObviousLaunches::Id id) {
      const auto [kind, slot] = launching_.at(id);
      launching_.erase(id);
      slot->waits = slot->launching = false;
      slot->launched = now_;
      launched(kind, *slot);
    });
  }
  void cancel_launch(const Slot& slot) {
    for (auto each = launching_.begin(); each != launching_.end(); ++each) {
      if (each->second.second != &slot) continue;
      launches_.cancel(each->first);
      launching_.erase(each);
      return;
    }
  }
  // It is known when the attempt can go to work.
  void launched(Kind kind, Slot& slot) {
    const JobState& state = jobs_[slot.job];
    if (kind == Kind::map) {
      run(kind, slot, slot.launched, map_work(slot.job, slot.task, slot.node, slot.where));
      slot.flow = read_block(slot.job, slot.task, slot.node, slot.launched);
    } else if (model_.network.shuffles(job(slot.job))) {
      fetch(slot);
    } else if (state.maps_done) {
      const Duration shuffle = slot.since <= *state.maps_done ? job(slot.job).first_shuffle(slot.task)
                                                              : job(slot.job).later_shuffle(slot.task);
      run(kind, slot, slot.launched, shuffle + reduce_work(slot.job, slot.task, slot.node));
    } else {
      slot.waits = true;
    }
  }

  void transfers() {
    flows_.run(to_ms(now_), [this](sim::ObviousFlows::Id id) {
      for (const Kind kind : {Kind::map, Kind::reduce}) {
        for (Slot& slot : slots(kind)) {
          if (slot.busy && slot.flow == id) return transferred(kind, slot);
        }
      }
    });
  }
  void transferred(Kind kind, Slot& slot) {
    slot.flow = 0;
    if (kind == Kind::reduce) {
      slot.fetched = slot.asked;
      fetch(slot);
    } else if (now_ > slot.end) {
      result_.map_busy += now_ - slot.end;
      slot.end = result_.trace[slot.record].end = now_;
      settled_[&slot] = now_;
    }
  }
  void cancel_flow(Slot& slot) {
    if (slot.flow != 0) flows_.cancel(std::exchange(slot.flow, 0));
  }
  void fetch(Slot& slot) {
    const Time from = std::max(now_, slot.launched);
    slot.waits = true;
    slot.asked = fetchable(slot.job, slot.task);
    if (slot.fetched < slot.asked) {
      slot.flow = flows_.start(model_.network.shuffle_route(slot.node), slot.asked - slot.fetched,
                               to_ms(from), to_ms(now_));
    } else if (jobs_[slot.job].maps_done) {
      run(Kind::reduce, slot, from, reduce_work(slot.job, slot.task, slot.node));
    }
  }
  void fetch_more(JobIndex index) {
    if (!model_.network.shuffles(job(index))) return;
    for (Slot& slot : reduce_slots_) {
      if (slot.busy && slot.waits && !slot.launching && slot.flow == 0 && slot.job == index) fetch(slot);
    }
  }

  void run(Kind kind, Slot& slot, Time from, Duration work) {
    const NodeModel::Course course =
        model_.course(static_cast<std::uint64_t>(to_ms(work)), sim::hash_of(job(slot.job).id),
                      job(slot.job).task_failure, kind, slot.task, slot.attempt, slot.node);
    slot.waits = false;
    slot.fails = course.fails;
    slot.from = static_cast<std::uint64_t>(to_ms(from));
    slot.full = slot.from + course.full;
    slot.end = from + ms(static_cast<std::int64_t>(course.work));
    settled_[&slot] = now_;
    (kind == Kind::map ? result_.map_busy : result_.reduce_busy) += slot.end - slot.since;
    result_.trace[slot.record].end = slot.end;
    if (slot.fails) result_.trace[slot.record].outcome = AttemptOutcome::failed;
  }

  void sum_up() {
    for (JobIndex index = 0; index < jobs_.size(); ++index) {
      if (!jobs_[index].settled())
        throw NoAnswer(fmt::format("job '{}' can never be placed", job(index).id), "give it slots");
    }
    result_.sum_up();
  }

  [[nodiscard]] bool wants(JobIndex index) const override {
    return has_ready_task(index, Kind::map) || has_ready_task(index, Kind::reduce);
  }
  [[nodiscard]] Resources used(GroupId group) const override {
    return {order_.used(group, held_of(Kind::map)), order_.used(group, held_of(Kind::reduce))};
  }
  [[nodiscard]] Resources capacity(ClassId node_class) const override {
    Resources sum;
    for (NodeIndex node = 0; node < model_.topology.size(); ++node) {
      if (this->node_class(node) != node_class) continue;
      sum.map_slots += model_.slots(node, Kind::map);
      sum.reduce_slots += model_.slots(node, Kind::reduce);
    }
    return sum;
  }
  void admitted(JobIndex index) override {
    tell_if_ready(index);
    settle_maps(index);
  }
  void capped(JobIndex index, Kind kind, Count count) override { order_.cap(index, kind, count); }
  void reclaim(JobIndex index, Kind kind, Count count, Duration grace) override {
    reclaims_.insert({now_ + std::max(grace, Duration{}), {index, kind, count}});
  }

  struct Given {
    bool reported = false;
  };
  struct Reclaim {
    JobIndex job = 0;
    Kind kind = Kind::map;
    Count count = 0;
  };

  std::vector<Slot> map_slots_, reduce_slots_;
  sim::ObviousLaunches launches_;
  std::map<sim::ObviousLaunches::Id, std::pair<Kind, Slot*>> launching_;
  std::map<const Slot*, Time> settled_;
  std::map<NodeIndex, Given> given_;  // in this instant
  std::multimap<Time, Reclaim> reclaims_;
};

}  // namespace

SimulationResult sim::nodes_reference(const Workload& workload, Policy& policy, const NodeModel& model) {
  return Reference(workload, policy, model).run();
}

}  // namespace wavewright
