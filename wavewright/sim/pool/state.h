// What a policy sees and changes of a simulated pool of slots: the fast engine's View and Decisions.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "wavewright/core/error.h"
#include "wavewright/sim/parts/misuse.h"
#include "wavewright/sim/pool/stage.h"
#include "wavewright/sim/pool/task_layout.h"

namespace wavewright::sim {

template <class Word, class Ready>
class PoolState : protected View, protected Decisions {
 protected:
  using Stage = sim::Stage<Word, Ready>;
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  struct JobState {
    std::uint64_t maps_done_at = never;
    bool admitted = false;
    bool rejected = false;
    bool started = false;
    bool reduces_ready = false;
    std::vector<std::uint32_t> waiting;  // slots whose reduces wait for the last map
  };

  PoolState(const TaskTable::Layout& layout, Allocator& policy, const SimulationOptions& options)
      : layout_(layout),
        policy_(policy),
        options_(options),
        maps_(layout.jobs.size(), Kind::map, usable(options.pool.map_slots, layout.maps())),
        reduces_(layout.jobs.size(), Kind::reduce, usable(options.pool.reduce_slots, layout.reduces())),
        jobs_(layout.jobs.size()),
        releases_(layout.releases) {}

  // What becomes of it is the engine's matter.
  virtual void admitted(JobIndex job) = 0;

  // View
  [[nodiscard]] Time now() const final { return at_ms(static_cast<std::int64_t>(now_)); }
  [[nodiscard]] const std::string& id(JobIndex job) const final { return layout_.ids.at(job); }
  [[nodiscard]] const std::string& queue(JobIndex job) const final { return layout_.queues.at(job); }
  [[nodiscard]] const std::string& user(JobIndex job) const final { return layout_.users.at(job); }
  [[nodiscard]] Count pending(JobIndex job, Kind kind) const final {
    return (kind == Kind::map ? maps_ : reduces_).pending(job);
  }
  [[nodiscard]] Count held(JobIndex job, Kind kind, ClassId) const final {
    return (kind == Kind::map ? maps_ : reduces_).held(job);
  }
  [[nodiscard]] bool wants(JobIndex job) const final {
    return jobs_.at(job).admitted &&
           (maps_.pending(job) > 0 || (jobs_[job].reduces_ready && reduces_.pending(job) > 0));
  }
  [[nodiscard]] Resources used(GroupId group) const final {
    if constexpr (Ready::limited) return {maps_.ready.used(group), reduces_.ready.used(group)};
    return {maps_.busy_slots(), reduces_.busy_slots()};
  }
  [[nodiscard]] Resources capacity(ClassId) const final {
    return {options_.pool.map_slots, options_.pool.reduce_slots};
  }
  [[nodiscard]] Estimate estimate(JobIndex job, Kind kind, ClassId) const final {
    return kind == Kind::map ? layout_.jobs.at(job).map : layout_.jobs.at(job).reduce;
  }

  [[nodiscard]] std::size_t nodes() const final { return 1; }
  [[nodiscard]] std::size_t classes() const final { return 1; }
  [[nodiscard]] ClassId node_class(NodeIndex) const final { return 0; }

  // Decisions
  void group(GroupId group, GroupId parent, Limits guaranteed, Limits max) final {
    if constexpr (Ready::limited) {
      maps_.ready.group(group, parent, guaranteed, max, sequence_);
      reduces_.ready.group(group, parent, guaranteed, max, sequence_++);
    } else {
      undeclared(Feature::groups);
    }
  }
  void rank_group(GroupId group, Kind kind, Key key) final {
    if constexpr (Ready::limited) {
      stage_of(kind).ready.rank_group(group, key);
    } else {
      undeclared(Feature::groups);
    }
  }
  void order(GroupId group, Ordering ordering) final {
    if constexpr (Ready::limited) {
      maps_.ready.order(group, ordering);
      reduces_.ready.order(group, ordering);
    } else {
      undeclared(Feature::shares);
    }
  }
  void share(JobIndex job, Kind kind, Share share) final {
    if constexpr (Ready::limited) {
      known(job);
      stage_of(kind).ready.share(job, share);
    } else {
      undeclared(Feature::shares);
    }
  }
  void share_group(GroupId group, Kind kind, Share share) final {
    if constexpr (Ready::limited) {
      stage_of(kind).ready.share_group(group, share);
    } else {
      undeclared(Feature::shares);
    }
  }
  void cap(JobIndex job, Kind kind, ClassId, Count count) final {
    if constexpr (Ready::limited) {
      known(job);
      stage_of(kind).ready.cap(job, count);
    } else {
      undeclared(Feature::caps);
    }
  }
  void admit(JobIndex job, GroupId group) final {
    JobState& state = undecided(job);
    state.admitted = true;
    maps_.ready.admit(job, group, sequence_);
    reduces_.ready.admit(job, group, sequence_++);
    admitted(job);
  }
  void reject(JobIndex job, const std::string&) final {
    JobState& state = undecided(job);
    state.rejected = result_.jobs[job].rejected = true;
    ++finished_;
    for (const JobIndex next : releases_.successors(job)) drop(next);
  }
  void rank(JobIndex job, Kind kind, Key key) final {
    known(job);
    stage_of(kind).ready.rank(job, key);
  }
  void reserve(JobIndex, Kind, ClassId, Count, Time, Time) final { undeclared(Feature::reservations); }
  void reclaim(JobIndex, Kind, Count, Duration) final { undeclared(Feature::preemption); }
  void wake(Time, Token) final { undeclared(Feature::timers); }
  void explain(JobIndex, const std::string&) final {}

  const TaskTable::Layout& layout_;
  Allocator& policy_;
  const SimulationOptions& options_;
  Stage maps_;
  Stage reduces_;
  std::vector<JobState> jobs_;
  std::uint64_t now_ = 0;
  std::size_t finished_ = 0;  // jobs done or rejected
  Releases releases_;
  SimulationResult result_;

 private:
  // Slots are given out lowest first, so that those beyond the number of tasks stay idle whatever happens.
  static Count usable(Count slots, std::size_t tasks) { return std::min(slots, static_cast<Count>(tasks)); }

  Stage& stage_of(Kind kind) {
    if (kind == Kind::master) throw Defect("policy '" + policy_.name() + "' ranks masters; slots have none");
    return kind == Kind::map ? maps_ : reduces_;
  }
  JobState& known(JobIndex job) {
    if (job >= jobs_.size() || layout_.jobs[job].submit > now() || !releases_.free(job))
      refuse_unknown_job(policy_.name(), job);
    return jobs_[job];
  }
  JobState& undecided(JobIndex job) {
    JobState& state = known(job);
    if (state.admitted || state.rejected) refuse_second_decision(policy_.name(), id(job));
    return state;
  }
  // A job before it was rejected: so is it, and every one behind it, however long the chain.
  void drop(JobIndex first) {
    std::vector<JobIndex> left = {first};
    while (!left.empty()) {
      const JobIndex job = left.back();
      left.pop_back();
      if (jobs_[job].rejected) continue;
      jobs_[job].rejected = result_.jobs[job].rejected = true;
      ++finished_;
      for (const JobIndex next : releases_.successors(job)) left.push_back(next);
    }
  }
  [[noreturn]] void undeclared(Feature feature) const { refuse_undeclared(policy_.name(), feature); }

  std::uint64_t sequence_ = 0;
};

}  // namespace wavewright::sim
