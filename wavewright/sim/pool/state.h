// State of a simulated pool of slots: the View of its policy, and the effects of the policy's decisions.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "wavewright/core/error.h"
#include "wavewright/sched/ledger/ledger.h"
#include "wavewright/sim/pool/stage.h"
#include "wavewright/sim/pool/task_layout.h"

namespace wavewright::sim {

template <class Word, class Ready>
class PoolState : protected View, protected LedgerDriver {
 protected:
  using Stage = sim::Stage<Word>;
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
        ledger_(policy, nullptr, {.jobs = layout.jobs.size()}, *this),
        maps_(layout.jobs.size(), usable(options.pool.map_slots, layout.maps())),
        reduces_(layout.jobs.size(), usable(options.pool.reduce_slots, layout.reduces())),
        jobs_(layout.jobs.size()),
        arrivals_(layout.releases) {}

  template <Kind kind>
  [[nodiscard]] Stage& stage() {
    return kind == Kind::map ? maps_ : reduces_;
  }
  [[nodiscard]] const Stage& stage(Kind kind) const { return kind == Kind::map ? maps_ : reduces_; }
  template <Kind kind>
  [[nodiscard]] Ready& ready() {
    return ledger_.template order_of<kind>();
  }

  // View
  [[nodiscard]] Time now() const final { return at_ms(static_cast<std::int64_t>(now_)); }
  [[nodiscard]] JobFacts facts(JobIndex job) const final { return layout_.facts(job); }
  [[nodiscard]] Count pending(JobIndex job, Kind kind) const final { return stage(kind).pending(job); }
  [[nodiscard]] Count held(JobIndex job, Kind kind, ClassId) const final { return stage(kind).held(job); }
  [[nodiscard]] bool has_pending_request(JobIndex job) const final {
    return jobs_.at(job).admitted &&
           (maps_.pending(job) > 0 || (jobs_[job].reduces_ready && reduces_.pending(job) > 0));
  }
  [[nodiscard]] Estimate estimate(JobIndex job, Kind kind, ClassId) const final {
    return kind == Kind::map ? layout_.jobs.at(job).map : layout_.jobs.at(job).reduce;
  }
  [[nodiscard]] Duration quantile(JobIndex job, Kind kind, ClassId, double q) const final {
    return layout_.quantile(job, kind, q);
  }
  [[nodiscard]] Resources used(GroupId group) const final {
    if constexpr (Ready::limited)
      return {ledger_.order(Kind::map).used(group), ledger_.order(Kind::reduce).used(group)};
    return {maps_.busy_slots(), reduces_.busy_slots()};
  }
  [[nodiscard]] Resources capacity(ClassId) const final {
    return {options_.pool.map_slots, options_.pool.reduce_slots};
  }
  [[nodiscard]] Count slots_on(NodeIndex, Kind kind) const final {
    return kind == Kind::map      ? options_.pool.map_slots
           : kind == Kind::reduce ? options_.pool.reduce_slots
                                  : 0;
  }
  [[nodiscard]] std::size_t nodes() const final { return 1; }
  [[nodiscard]] std::size_t classes() const final { return 1; }
  [[nodiscard]] ClassId node_class(NodeIndex) const final { return 0; }
  [[nodiscard]] std::string_view class_name(ClassId) const final { return "default"; }
  [[nodiscard]] SlotIndex slots(Kind kind) const final {
    return static_cast<SlotIndex>(kind == Kind::map      ? options_.pool.map_slots
                                  : kind == Kind::reduce ? options_.pool.reduce_slots
                                                         : 0);
  }
  [[nodiscard]] std::optional<Occupant> occupant(Kind kind, SlotIndex slot) const final {
    const Stage& of = stage(kind);
    if (of.task_on.empty() && !of.job_on.empty()) refuse_undeclared(policy_.name(), Feature::occupancy);
    // Slots are given out lowest first, so those beyond never have a task.
    if (kind == Kind::master || slot >= of.job_on.size() || of.idle.contains(slot)) return std::nullopt;
    const Time since = at_ms(static_cast<std::int64_t>(of.task_on[slot].since));
    const JobIndex job = of.job_on[slot];
    return Occupant{job, of.task_on[slot].task, 0, since, since + estimate(job, kind, 0).mean};
  }

  // LedgerDriver
  void rejected(JobIndex job, const Reason& reason) final {
    std::vector<std::pair<JobIndex, Reason>> left = {{job, reason}};
    while (!left.empty()) {  // with all direct and indirect successors
      const auto [index, why] = std::move(left.back());
      left.pop_back();
      if (jobs_[index].rejected) continue;
      jobs_[index].rejected = result_.jobs[index].rejected = true;
      result_.rejections.emplace(index, why);
      ++finished_;
      const auto successors = arrivals_.successors(index);
      for (auto next = successors.rbegin(); next != successors.rend(); ++next)
        left.emplace_back(*next, behind(facts(index).id));
    }
  }
  void explained(JobIndex job, const Reason& reason) final {
    result_.remarks.push_back({now(), job, reason});
  }

  const TaskTable::Layout& layout_;
  Allocator& policy_;
  const SimulationOptions& options_;
  Ledger<Ready> ledger_;
  Stage maps_;
  Stage reduces_;
  std::vector<JobState> jobs_;
  std::uint64_t now_ = 0;
  std::size_t finished_ = 0;  // jobs done or rejected
  Arrivals arrivals_;
  SimulationResult result_;

 private:
  // Slots are given out lowest first, so those beyond the number of tasks always stay idle.
  static Count usable(Count slots, std::size_t tasks) { return std::min(slots, static_cast<Count>(tasks)); }
};

}  // namespace wavewright::sim
