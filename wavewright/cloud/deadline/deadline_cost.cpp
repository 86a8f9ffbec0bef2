#include "wavewright/cloud/deadline/deadline_cost.h"

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "wavewright/cloud/deadline/busy_slots.h"
#include "wavewright/cloud/deadline/cheapest_count.h"
#include "wavewright/cloud/deadline/look_ahead.h"
#include "wavewright/cloud/deadline/spare_machines.h"
#include "wavewright/core/error.h"

namespace wavewright {

namespace {

constexpr GroupId patient = 1;     // jobs that leave the spare slots free
constexpr double of_stuck = 1e12;  // USD for a job that never ends

class DeadlineCost final : public DeadlinePolicy {
 public:
  DeadlineCost(const DeadlineOptions& options, const DeadlineCostOptions& own)
      : DeadlinePolicy("deadline-cost", options), own_(own) {}
  [[nodiscard]] Features needs() const override {
    const Features always = DeadlinePolicy::needs();
    return machines().rents() ? always | Feature::groups | Feature::shares : always;
  }
  [[nodiscard]] EventSet subscribes() const override {
    using enum Event::What;
    return DeadlinePolicy::subscribes() | started | ended | lost | node_up | node_down;
  }
  void begin(const View& view, Decisions& decisions) override {
    DeadlinePolicy::begin(view, decisions);
    if (!machines().rents()) return;
    if (view.containers())
      throw UsageError("deadline-cost rents machines for slots, and this cluster has containers",
                       "take mdasa or edf, or give the cluster file [mode] kind = \"slots\"");
    const LeaseOffer offer = view.lease_offer(machines().node_class());
    const double hour = to_usd(offer.on_demand_per_hour);
    machine_hour_ = hour;
    spare_ = own_.spare;
    if (own_.memory > Duration{}) {
      const Count most = std::min(options().machines.most, offer.machines);
      experience_.emplace(offer.machine, offer.boot, own_.memory, most);
    }
    machine_price_ = offer.billing == Billing::per_started_hour ? hour : hour / 60;
    decisions.order(root_group, Ordering::by_best);
    limit_patient(view, decisions);
  }

 protected:
  void arrived(const Event& event, const View& view, Decisions& decisions) override {
    if (experience_) learn(event.job, view, decisions);
    DeadlinePolicy::arrived(event, view, decisions);
  }
  [[nodiscard]] Key rank(JobIndex job, const View& view) const override {
    return std::max(to_ms(stage_due(job, view)), to_ms(end_alone(job, view)));
  }
  [[nodiscard]] GroupId group_of(JobIndex job, const View& view) const override {
    if (!machines().rents()) return root_group;
    return hurried(job, view) ? root_group : patient;
  }
  void placed(JobIndex job, Begun&, const View& view, Decisions&) override {
    if (machines().rents() && hurried(job, view)) hurrying_.insert(job);
  }
  void reduces_placed(JobIndex job, Begun&, const View& view, Decisions& decisions) override {
    rank_again(job, view, decisions);
  }
  void changed(const Event& event, const View& view, Decisions& decisions) override {
    using enum Event::What;
    busy_.hear(event, view);
    if (event.what == finished) hurrying_.erase(event.job);
    // With early reduces the last map may end after them.
    if (event.what == ended && event.kind == Kind::map && !has_maps(event.job, view))
      rank_again(event.job, view, decisions);
    if (event.what == started || event.what == ended) return;
    if (event.what == lost && event.outcome == AttemptOutcome::lost) count_in_full(event.job);
    const bool other_capacity = event.what == node_up || event.what == node_down || event.what == node_notice;
    if (machines().rents() && other_capacity) limit_patient(view, decisions);
    // With other slots a job may end in time that was late before.
    const bool all = other_capacity && !machines().rents();
    for (const auto& [job, begun] : under_way()) {
      if (all || event.job == job || late(job, view)) rank_again(job, view, decisions);
    }
  }
  [[nodiscard]] Resources need(const View& view, bool gives_back) const override {
    if (!machines().rents()) return {};
    const Resources machine = machines().machine(), slots = slots_coming(view);
    Count more = 0;
    if (gives_back) {
      if (machines().there() > spare_ && spared_by_one_less(view)) more = -1;
    } else {
      more = missing(view) + further(view);
    }
    return {slots.map_slots + more * machine.map_slots, slots.reduce_slots + more * machine.reduce_slots};
  }

 private:
  // The job as it arrived; its deadline must be known.
  [[nodiscard]] HurriedJob as_arrived(JobIndex index, const JobFacts& facts, const View& view) const {
    HurriedJob job{.maps = facts.maps, .reduces = facts.reduces, .left = *facts.deadline - facts.submit};
    if (facts.maps > 0) job.map = view.estimate(index, Kind::map, machines().node_class()).max;
    if (facts.reduces > 0) job.reduce = view.estimate(index, Kind::reduce, machines().node_class()).max;
    return job;
  }
  // Time beyond a boot and a wave of each kind.
  [[nodiscard]] Duration slack(const HurriedJob& job) const {
    return job.left - job.map - job.reduce - machines().boot();
  }
  // The job, if its deadline is too near to wait for a machine to boot.
  [[nodiscard]] std::optional<HurriedJob> hurried(JobIndex index, const View& view) const {
    const JobFacts facts = view.facts(index);
    if (!facts.deadline) return std::nullopt;
    const HurriedJob job = as_arrived(index, facts, view);
    return slack(job) < Duration{} ? std::optional(job) : std::nullopt;
  }
  // The instant by which the look-ahead wants the job to end.
  [[nodiscard]] std::optional<Time> due(JobIndex index, const View& view) const {
    const JobFacts facts = view.facts(index);
    if (!facts.deadline) return std::nullopt;
    const Duration room = std::max(Duration{}, slack(as_arrived(index, facts, view)));
    return *facts.deadline - ms(static_cast<std::int64_t>(own_.margin * static_cast<double>(to_ms(room))));
  }
  void learn(JobIndex index, const View& view, Decisions& decisions) {
    const std::optional<HurriedJob> job = hurried(index, view);
    if (job) experience_->arrived(view.now(), *job, {.hour = own_.price.hour, .job = 0});
    spare_ = std::max(own_.spare, experience_->best(view.now(), machine_hour_));
    limit_patient(view, decisions);
  }
  [[nodiscard]] bool has_maps(JobIndex job, const View& view) const {
    return view.pending(job, Kind::map) + view.held(job, Kind::map, any_class) > 0;
  }
  // When the stage that the job is in must end. Maps leave time for a wave of reduces.
  [[nodiscard]] Time stage_due(JobIndex job, const View& view) const {
    const JobFacts facts = view.facts(job);
    if (!facts.deadline) return Time::max();
    const bool before = facts.reduces > 0 && has_maps(job, view);
    return before ? *facts.deadline - view.estimate(job, Kind::reduce, machines().node_class()).max
                  : *facts.deadline;
  }
  // When that stage would end if the job were alone, from now on, on the slots that are there or boot. If
  // nothing is rented: from its arrival on, so that the order is the same after a restart.
  [[nodiscard]] Time end_alone(JobIndex job, const View& view) const {
    const JobFacts facts = view.facts(job);
    const Resources slots = slots_coming(view);
    const bool rents = machines().rents(), maps = has_maps(job, view);
    const auto stage = [&](Kind kind, Count all, Count of) {
      const Count tasks = rents ? view.pending(job, kind) + view.held(job, kind, any_class) : all;
      const Duration task = view.estimate(job, kind, machines().node_class()).mean;
      return task * ((tasks + std::max<Count>(1, of) - 1) / std::max<Count>(1, of));
    };
    return (rents ? view.now() : facts.submit) + stage(Kind::map, facts.maps, slots.map_slots) +
           (maps ? Duration{} : stage(Kind::reduce, facts.reduces, slots.reduce_slots));
  }
  [[nodiscard]] Resources slots_coming(const View& view) const {
    const Resources there = view.capacity(any_class), machine = machines().machine();
    const Count unit = view.minimum_allocation();
    const Count boot = static_cast<Count>(machines().joins().size()) - machines().leaving();
    return {there.map_slots / unit + boot * machine.map_slots,
            there.reduce_slots / unit + boot * machine.reduce_slots};
  }
  // Alone on the slots that are there it would end after its deadline.
  [[nodiscard]] bool late(JobIndex job, const View& view) const {
    return rank(job, view) != to_ms(stage_due(job, view));
  }
  void limit_patient(const View& view, Decisions& decisions) const {
    const Resources there = view.capacity(any_class), machine = machines().machine();
    const Limits most{.map_slots = std::max<Count>(1, there.map_slots - spare_ * machine.map_slots),
                      .reduce_slots = std::max<Count>(1, there.reduce_slots - spare_ * machine.reduce_slots)};
    decisions.group(patient, root_group, {.map_slots = 0, .reduce_slots = 0}, most);
  }
  [[nodiscard]] StageAhead stage_of(JobIndex job, Kind kind, const View& view) const {
    const SlotEstimator& by = options().slots;
    const Estimate of = view.estimate(job, kind, machines().node_class());
    StageAhead stage{.tasks = view.pending(job, kind), .task = of.mean};
    if (const std::optional<Time> last = busy_.last(job, kind)) stage.running_until = std::max(Time{}, *last);
    if (by.percentile) {
      stage.task = view.quantile(job, kind, machines().node_class(), *by.percentile);
    } else if (by.bound != TimeModel::low) {
      stage.tail = (of.max - of.mean) / (by.bound == TimeModel::bounds ? 2 : 1);
    }
    return stage;
  }
  // Spare machines that are not yet rented, but can be.
  [[nodiscard]] Count missing(const View& view) const {
    return std::clamp<Count>(spare_ - machines().rented(), 0, machines().left(view));
  }
  // Tasks of jobs that hurry: they take spare slots.
  [[nodiscard]] Count of_hurried(Kind kind, const View& view) const {
    Count tasks = 0;
    for (const auto& [job, begun] : under_way()) {
      if (hurrying_.contains(job)) tasks += view.pending(job, kind) + view.held(job, kind, any_class);
    }
    return tasks;
  }
  void free_slots_of(Kind kind, Count there, Count of_machine, const View& view, FreeSlots& slots) const {
    slots.clear();
    const Time now = view.now();
    const EndTimes& busy = busy_.until(kind);
    slots.add(now, there - busy.count() - machines().leaving() * of_machine);
    busy.each([&](Time until, Count of) { slots.add(std::max(now, until), of); });
    for (const Time join : machines().joins()) slots.add(join, of_machine);
    slots.add(now + machines().boot(), missing(view) * of_machine);
    slots.take_out(std::max<Count>(0, spare_ * of_machine - of_hurried(kind, view)));
  }
  void look(const View& view) const {
    const Resources there = view.capacity(any_class), machine = machines().machine();
    free_slots_of(Kind::map, there.map_slots, machine.map_slots, view, ahead_.maps);
    free_slots_of(Kind::reduce, there.reduce_slots, machine.reduce_slots, view, ahead_.reduces);
    order_.clear();
    for (const auto& [job, begun] : under_way()) order_.emplace_back(rank(job, view), job);
    std::ranges::sort(order_);
    ahead_.jobs.clear();
    for (const auto& [key, job] : order_) {
      ahead_.jobs.push_back(
          {stage_of(job, Kind::map, view), stage_of(job, Kind::reduce, view), due(job, view)});
    }
  }
  // USD, with further machines, or with fewer that are free.
  [[nodiscard]] double lateness_with(Count more, const View& view) const {
    const Resources machine = machines().machine();
    const Lateness late = ahead_.lateness(view.now(), view.now() + machines().boot(),
                                          more * machine.map_slots, more * machine.reduce_slots);
    return own_.price.of(late.seconds, late.jobs) + of_stuck * static_cast<double>(late.stuck);
  }
  // Further machines that are worth their price.
  [[nodiscard]] Count further(const View& view) const {
    if (under_way().empty()) return 0;
    const Count most = machines().left(view) - missing(view);
    if (most <= 0) return 0;
    look(view);
    return cheapest_count(most, machine_price_, [&](Count more) { return lateness_with(more, view); });
  }
  // Do the jobs end as well, or nearly, without a machine that is idle?
  [[nodiscard]] bool spared_by_one_less(const View& view) const {
    if (under_way().empty()) return true;
    look(view);
    const double without = lateness_with(-1, view);
    return without <= machine_price_ || without <= lateness_with(0, view) + machine_price_;
  }

  DeadlineCostOptions own_;
  std::optional<SpareMachines> experience_;
  Count spare_ = 0;
  double machine_price_ = 0, machine_hour_ = 0;  // USD: of another machine, and of an hour
  std::unordered_set<JobIndex> hurrying_;
  BusySlots busy_;
  mutable LookAhead ahead_;
  mutable std::vector<std::pair<Key, JobIndex>> order_;
};

}  // namespace

std::unique_ptr<Allocator> make_deadline_cost(const DeadlineOptions& options,
                                              const DeadlineCostOptions& own) {
  return std::make_unique<DeadlineCost>(options, own);
}

}  // namespace wavewright
