// The obvious engine. It keeps no queue and no index: at every instant it looks at every slot and every
// job. Nothing of it is shared with the fast engine but the contract, so that agreement means something.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>

#include "wavewright/core/error.h"
#include "wavewright/sim/parts/estimate.h"
#include "wavewright/sim/parts/obvious_order.h"
#include "wavewright/sim/simulate.h"

namespace wavewright {

namespace {

struct Slot {
  bool busy = false;
  bool waits = false;  // its reduce waits for the job's last map
  JobIndex job = 0;
  std::size_t task = 0;
  Time end{};
  std::size_t record = 0;  // in the trace
};

struct JobState {
  bool admitted = false;
  bool rejected = false;
  bool finished = false;
  std::size_t maps_started = 0, maps_ended = 0, reduces_started = 0, reduces_ended = 0;
  std::optional<Time> maps_done;
};

class Reference final : private View, private Decisions {
 public:
  Reference(const Workload& workload, Allocator& policy, const SimulationOptions& options)
      : workload_(workload),
        policy_(policy),
        options_(options),
        jobs_(workload.jobs.size()),
        order_(workload.jobs.size()) {
    map_slots_.resize(static_cast<std::size_t>(options.pool.map_slots));
    reduce_slots_.resize(static_cast<std::size_t>(options.pool.reduce_slots));
  }

  SimulationResult run() {
    const auto began = std::chrono::steady_clock::now();
    for (const Job& job : workload_.jobs)
      result_.jobs.push_back({job.submit, job.submit, job.submit, job.submit, false});
    policy_.begin(*this, *this);
    while (const std::optional<Time> next = next_instant()) {
      now_ = *next;
      arrivals();
      end_tasks(Kind::map);
      end_tasks(Kind::reduce);
      arrivals();
      give_out(Kind::map);
      give_out(Kind::reduce);
    }
    sum_up();
    result_.engine_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return std::move(result_);
  }

 private:
  std::vector<Slot>& slots(Kind kind) { return kind == Kind::map ? map_slots_ : reduce_slots_; }
  [[nodiscard]] const std::vector<Slot>& slots(Kind kind) const {
    return kind == Kind::map ? map_slots_ : reduce_slots_;
  }
  [[nodiscard]] const Job& job(JobIndex index) const { return workload_.jobs[index]; }

  std::optional<Time> next_instant() {
    std::optional<Time> next;
    const auto offer = [&](Time t) {
      if (!next || t < *next) next = t;
    };
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      const std::optional<Time> from = there_from(static_cast<JobIndex>(i));
      if (!arrived_[static_cast<JobIndex>(i)] && from) offer(*from);
    }
    for (const Kind kind : {Kind::map, Kind::reduce}) {
      for (const Slot& slot : slots(kind)) {
        if (slot.busy && !slot.waits) offer(slot.end);
      }
    }
    return next;
  }

  // Its submission or its last predecessor's end; none before that is known.
  [[nodiscard]] std::optional<Time> there_from(JobIndex index) const {
    Time from = job(index).submit;
    for (const std::string& id : job(index).after) {
      for (JobIndex other = 0; other < jobs_.size(); ++other) {
        if (job(other).id != id) continue;
        if (!jobs_[other].finished) return std::nullopt;
        from = std::max(from, result_.jobs[other].finish);
      }
    }
    return from;
  }

  void arrivals() {
    for (JobIndex index = 0; index < jobs_.size(); ++index) {
      if (arrived_[index] || there_from(index) != now_) continue;
      arrived_[index] = true;
      JobOutcome& outcome = result_.jobs[index];
      outcome.start = outcome.maps_done = outcome.finish = now_;
      ++result_.events;
      tell(Event::What::arrived, index, Kind::map);
      return arrivals();  // jobs without tasks are done at once
    }
  }

  void end_tasks(Kind kind) {
    for (Slot& slot : slots(kind)) {
      if (!slot.busy || slot.waits || slot.end != now_) continue;
      slot.busy = false;
      ++result_.events;
      JobState& state = jobs_[slot.job];
      if (kind == Kind::map) {
        ++state.maps_ended;
        tell_if_ready(slot.job);
        settle_maps(slot.job);
      } else {
        ++state.reduces_ended;
        settle(slot.job);
      }
      tell(Event::What::ended, slot.job, kind);
    }
  }

  void settle_maps(JobIndex index) {
    JobState& state = jobs_[index];
    if (state.maps_ended != job(index).maps.size() || state.maps_done) return;
    state.maps_done = now_;
    result_.jobs[index].maps_done = now_;
    for (Slot& slot : reduce_slots_) {
      if (!slot.busy || !slot.waits || slot.job != index) continue;
      slot.waits = false;
      slot.end = now_ + job(index).first_shuffle(slot.task) + job(index).reduces[slot.task];
      if (options_.trace) result_.trace[slot.record].end = slot.end;
      result_.reduce_busy += slot.end - started_[slot.record];
    }
    settle(index);
  }

  void settle(JobIndex index) {
    JobState& state = jobs_[index];
    if (!state.maps_done || state.reduces_ended != job(index).reduces.size() || state.finished) return;
    state.finished = true;
    result_.jobs[index].finish = now_;
    tell(Event::What::finished, index, Kind::reduce);
  }

  [[nodiscard]] std::size_t threshold(JobIndex index) const {
    return static_cast<std::size_t>(
        std::ceil(options_.slowstart * static_cast<double>(job(index).maps.size()) - 1e-9));
  }
  void tell_if_ready(JobIndex index) {
    if (jobs_[index].maps_ended == threshold(index) && !job(index).reduces.empty()) {
      tell(Event::What::ready, index, Kind::reduce);
    }
  }

  [[nodiscard]] bool has_ready_task(JobIndex index, Kind kind) const {
    const JobState& state = jobs_[index];
    if (!state.admitted) return false;
    if (kind == Kind::map) return state.maps_started < job(index).maps.size();
    return state.reduces_started < job(index).reduces.size() && state.maps_ended >= threshold(index);
  }

  [[nodiscard]] sim::ObviousOrder::Held held_of(Kind kind) const {
    return [this, kind](JobIndex index) { return held(index, kind, 0); };
  }
  [[nodiscard]] std::optional<JobIndex> best(Kind kind) const {
    const auto ready = [&](JobIndex index) { return has_ready_task(index, kind); };
    const std::vector<JobIndex> ordered = order_.jobs(kind, ready, held_of(kind));
    return ordered.empty() ? std::nullopt : std::optional(ordered.front());
  }

  void give_out(Kind kind) {
    for (;;) {
      std::uint32_t slot = 0;
      while (slot < slots(kind).size() && slots(kind)[slot].busy) ++slot;
      if (slot == slots(kind).size()) return;
      const std::optional<JobIndex> index = best(kind);
      if (!index) return;
      start(*index, kind, slot);
      tell(Event::What::started, *index, kind);
    }
  }

  void start(JobIndex index, Kind kind, std::uint32_t number) {
    Slot& slot = slots(kind)[number];
    JobState& state = jobs_[index];
    if (state.maps_started + state.reduces_started == 0) result_.jobs[index].start = now_;
    slot.busy = true;
    slot.job = index;
    slot.record = started_.size();
    started_.push_back(now_);
    if (kind == Kind::map) {
      slot.task = state.maps_started++;
      slot.end = now_ + job(index).maps[slot.task];
      result_.map_busy += slot.end - now_;
    } else {
      slot.task = state.reduces_started++;
      slot.waits = !state.maps_done;
      slot.end = now_;
      if (state.maps_done) {
        const Duration shuffle = *state.maps_done == now_ ? job(index).first_shuffle(slot.task)
                                                          : job(index).later_shuffle(slot.task);
        slot.end = now_ + shuffle + job(index).reduces[slot.task];
        result_.reduce_busy += slot.end - now_;
      }
    }
    if (options_.trace) {
      result_.trace.push_back({index, kind, static_cast<std::uint32_t>(slot.task), number, now_, slot.end});
    }
  }

  void sum_up() {
    Time latest{};
    for (JobIndex index = 0; index < jobs_.size(); ++index) {
      const JobState& state = jobs_[index];
      if (state.rejected || !there_from(index)) continue;  // of those that wait for one that is stuck
      if (!state.admitted) {
        throw Defect("policy '" + policy_.name() + "' neither admitted nor rejected job '" + job(index).id +
                     "'");
      }
      if (!state.finished) throw NoAnswer("job '" + job(index).id + "' can never be placed", "give it slots");
      latest = std::max(latest, result_.jobs[index].finish);
      result_.total_completion += result_.jobs[index].finish - result_.jobs[index].submit;
    }
    result_.makespan = latest - Time{};
  }

  void tell(Event::What what, JobIndex index, Kind kind) {
    if (policy_.subscribes().has(what)) policy_.on({what, now_, index, kind, 0, 0}, *this, *this);
  }

  // View
  [[nodiscard]] Time now() const override { return now_; }
  [[nodiscard]] const std::string& id(JobIndex index) const override { return job(index).id; }
  [[nodiscard]] const std::string& queue(JobIndex index) const override { return job(index).queue; }
  [[nodiscard]] const std::string& user(JobIndex index) const override { return job(index).user; }
  [[nodiscard]] Count pending(JobIndex index, Kind kind) const override {
    return static_cast<Count>(kind == Kind::map ? job(index).maps.size() - jobs_[index].maps_started
                                                : job(index).reduces.size() - jobs_[index].reduces_started);
  }
  [[nodiscard]] Count held(JobIndex index, Kind kind, ClassId) const override {
    Count count = 0;
    for (const Slot& slot : slots(kind)) count += slot.busy && slot.job == index ? 1 : 0;
    return count;
  }
  [[nodiscard]] bool wants(JobIndex index) const override {
    return has_ready_task(index, Kind::map) || has_ready_task(index, Kind::reduce);
  }
  [[nodiscard]] Resources used(GroupId group) const override {
    return {order_.used(group, held_of(Kind::map)), order_.used(group, held_of(Kind::reduce))};
  }
  [[nodiscard]] Resources capacity(ClassId) const override {
    return {options_.pool.map_slots, options_.pool.reduce_slots};
  }
  [[nodiscard]] Estimate estimate(JobIndex index, Kind kind, ClassId) const override {
    return sim::estimate_of(job(index), kind);
  }
  [[nodiscard]] std::size_t nodes() const override { return 1; }
  [[nodiscard]] std::size_t classes() const override { return 1; }
  [[nodiscard]] ClassId node_class(NodeIndex) const override { return 0; }

  // Decisions
  void group(GroupId id, GroupId parent, Limits guaranteed, Limits max) override {
    order_.group(id, parent, guaranteed, max, sequence_++);
  }
  void rank_group(GroupId id, Kind kind, Key key) override { order_.rank_group(id, kind, key); }
  void order(GroupId id, Ordering ordering) override { order_.order(id, ordering); }
  void share(JobIndex index, Kind kind, Share share) override { order_.share(index, kind, share); }
  void share_group(GroupId id, Kind kind, Share share) override { order_.share_group(id, kind, share); }
  void admit(JobIndex index, GroupId group) override {
    jobs_[index].admitted = true;
    order_.admit(index, group, sequence_++);
    if (threshold(index) == 0 && !job(index).reduces.empty()) tell(Event::What::ready, index, Kind::reduce);
    settle_maps(index);
  }
  void reject(JobIndex index, const std::string&) override {
    jobs_[index].rejected = result_.jobs[index].rejected = true;
    for (JobIndex other = 0; other < jobs_.size(); ++other) {
      const std::vector<std::string>& after = job(other).after;
      if (!jobs_[other].rejected && std::find(after.begin(), after.end(), job(index).id) != after.end())
        reject(other, {});
    }
  }
  void rank(JobIndex index, Kind kind, Key key) override { order_.rank(index, kind, key); }
  void cap(JobIndex index, Kind kind, ClassId, Count count) override { order_.cap(index, kind, count); }
  void reserve(JobIndex, Kind, ClassId, Count, Time, Time) override {
    throw Defect("reservations were not declared");
  }
  void reclaim(JobIndex, Kind, Count, Duration) override { throw Defect("preemption was not declared"); }
  void wake(Time, Token) override { throw Defect("timers were not declared"); }
  void explain(JobIndex, const std::string&) override {}

  const Workload& workload_;
  Allocator& policy_;
  const SimulationOptions& options_;
  std::vector<JobState> jobs_;
  std::map<JobIndex, bool> arrived_;
  sim::ObviousOrder order_;
  std::vector<Slot> map_slots_, reduce_slots_;
  std::vector<Time> started_;  // by record
  Time now_{};
  std::uint64_t sequence_ = 0;
  SimulationResult result_;
};

}  // namespace

SimulationResult simulate_reference(const Workload& workload, Allocator& policy,
                                    const SimulationOptions& options) {
  require_features(policy.needs(), simulated_features(), policy.name(), "the simulator");
  return Reference(workload, policy, options).run();
}

}  // namespace wavewright
