#include "wavewright/plan/schedule/moved_orders.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "wavewright/plan/schedule/any_schedule.h"

namespace wavewright {

namespace {

// Each of MapSlots and ReduceSlots: WaveSlots or SlotTree.
template <class MapSlots, class ReduceSlots>
class MovedStages final : public MovedOrders {
 public:
  MovedStages(const Workload& batch, SlotPool pool, StageTasks maps, StageTasks reduces)
      : maps_(std::move(maps), pool.map_slots), reduces_(std::move(reduces), pool.reduce_slots) {
    for (const Job& job : batch.jobs) {
      submits_.push_back(to_ms(job.submit));
      std::int64_t tail = 0;
      for (std::size_t i = 0; i < job.reduces.size(); ++i) tail = std::max(tail, to_ms(job.least_reduce(i)));
      tails_.push_back(tail);
    }
  }

  PlanValue start(const TwoOrders& orders) override {
    maps_.start(orders.maps, submits_);
    reduces_.start(orders.reduces, maps_.ends());
    return value();
  }
  [[nodiscard]] std::optional<PlanValue> value_within(const Move& move, std::int64_t latest,
                                                      std::int64_t total) override {
    maps_.schedule(move.maps, submits_, no_time);
    std::int64_t last = 0, sum = 0;
    for (JobIndex job = 0; job < submits_.size(); ++job) {
      const std::int64_t least = maps_.ends()[job] + tails_[job];
      last = std::max(last, least);
      sum += least - submits_[job];
    }
    if (last > latest || sum > total) return std::nullopt;
    reduces_.schedule(move.reduces, maps_.ends(), maps_.ends_differ_from());
    return value();
  }
  void keep() override {
    maps_.keep();
    reduces_.keep();
  }

  [[nodiscard]] std::span<const std::int64_t> ends() const override { return reduces_.ends(); }
  [[nodiscard]] std::span<const JobIndex> kept_maps() const override { return maps_.kept_order(); }
  [[nodiscard]] std::span<const JobIndex> kept_reduces() const override { return reduces_.kept_order(); }
  [[nodiscard]] std::size_t place_in_maps(JobIndex job) const override { return maps_.kept_position(job); }
  [[nodiscard]] std::size_t place_in_reduces(JobIndex job) const override {
    return reduces_.kept_position(job);
  }

 private:
  [[nodiscard]] PlanValue value() const {
    std::int64_t last = 0, sum = 0;
    for (JobIndex job = 0; job < submits_.size(); ++job) {
      last = std::max(last, reduces_.ends()[job]);
      sum += reduces_.ends()[job] - submits_[job];
    }
    return {ms(last), ms(sum)};
  }

  std::vector<std::int64_t> submits_, tails_;  // by job, ms; tail: the longest reduce
  OrderStage<MapSlots> maps_;
  OrderStage<ReduceSlots> reduces_;
};

class WholeSchedules final : public MovedOrders {
 public:
  WholeSchedules(const Workload& batch, SlotCluster cluster) : schedule_(batch, cluster) {}

  PlanValue start(const TwoOrders& orders) override {
    kept_ = orders;
    return schedule_.value(kept_.maps, kept_.reduces);
  }
  [[nodiscard]] std::optional<PlanValue> value_within(const Move& move, std::int64_t, std::int64_t) override {
    tried_ = kept_;
    move_job(move.maps, tried_.maps);
    move_job(move.reduces, tried_.reduces);
    return schedule_.value(tried_.maps, tried_.reduces);
  }
  void keep() override { std::swap(kept_, tried_); }

  [[nodiscard]] std::span<const std::int64_t> ends() const override { return schedule_.ends(); }
  [[nodiscard]] std::span<const JobIndex> kept_maps() const override { return kept_.maps; }
  [[nodiscard]] std::span<const JobIndex> kept_reduces() const override { return kept_.reduces; }
  [[nodiscard]] std::size_t place_in_maps(JobIndex job) const override { return place(kept_.maps, job); }
  [[nodiscard]] std::size_t place_in_reduces(JobIndex job) const override {
    return place(kept_.reduces, job);
  }

 private:
  static std::size_t place(const std::vector<JobIndex>& order, JobIndex job) {
    return static_cast<std::size_t>(std::find(order.begin(), order.end(), job) - order.begin());
  }

  AnySchedule schedule_;
  TwoOrders kept_, tried_;
};

// For jobs that wait for others. States of the kept schedule are saved on the way; a new schedule goes on
// from the last one before the first decision that the moves may change.
class MovedWorkflow final : public MovedOrders {
 public:
  MovedWorkflow(const Workload& batch, SlotPool pool)
      : schedule_(batch, pool),
        tasks_of_state_(schedule_.tasks() / most_states + 1),
        states_(1),
        tried_states_(1) {}

  PlanValue start(const TwoOrders& orders) override {
    kept_ = orders;
    find_places();
    schedule_.begin(kept_.maps, kept_.reduces);
    schedule_.save(states_.front());
    continued_from_ = 0;
    (void)finish(no_time, no_time);
    tried_ = kept_;
    tried_value_ = schedule_.value();
    same_ = false;
    keep();
    return kept_value_;
  }
  [[nodiscard]] std::optional<PlanValue> value_within(const Move& move, std::int64_t latest,
                                                      std::int64_t total) override {
    tried_ = kept_;
    move_job(move.maps, tried_.maps);
    move_job(move.reduces, tried_.reduces);
    const std::int64_t map = differs_from(move.maps, kept_.maps, kept_times_.maps),
                       reduce = differs_from(move.reduces, kept_.reduces, kept_times_.reduces);
    same_ = map == no_time && reduce == no_time;
    if (same_) return kept_value_;
    const auto leads_on = [&](const WorkflowSchedule::State& state) {
      return state.map_clock() < map && state.reduce_clock() < reduce;
    };
    const auto kept_states = std::span(states_).first(saved_);
    const auto behind = std::partition_point(kept_states.begin() + 1, kept_states.end(), leads_on);
    continued_from_ = static_cast<std::size_t>(behind - kept_states.begin()) - 1;
    schedule_.resume(states_[continued_from_], kept_times_, tried_.maps, tried_.reduces);
    if (!finish(latest, total)) return std::nullopt;
    tried_value_ = schedule_.value();
    return tried_value_;
  }
  void keep() override {
    std::swap(kept_, tried_);
    find_places();
    if (same_) return;
    kept_value_ = tried_value_;
    kept_times_ = schedule_.times();
    states_.resize(std::max(states_.size(), tried_saved_));
    for (std::size_t i = continued_from_ + 1; i < tried_saved_; ++i) std::swap(states_[i], tried_states_[i]);
    saved_ = tried_saved_;
  }

  [[nodiscard]] std::span<const std::int64_t> ends() const override {
    return same_ ? kept_times_.ends : schedule_.ends();
  }
  [[nodiscard]] std::span<const JobIndex> kept_maps() const override { return kept_.maps; }
  [[nodiscard]] std::span<const JobIndex> kept_reduces() const override { return kept_.reduces; }
  [[nodiscard]] std::size_t place_in_maps(JobIndex job) const override { return places_of_maps_[job]; }
  [[nodiscard]] std::size_t place_in_reduces(JobIndex job) const override { return places_of_reduces_[job]; }

 private:
  static constexpr std::uint64_t most_states = 24;

  // Schedules what is left, and saves states behind continued_from_. False: beyond the limits.
  bool finish(std::int64_t latest, std::int64_t total) {
    tried_saved_ = continued_from_ + 1;
    for (;;) {
      const WorkflowSchedule::Part part = schedule_.advance(tasks_of_state_, latest, total);
      if (part != WorkflowSchedule::Part::paused) return part == WorkflowSchedule::Part::ended;
      if (tried_saved_ >= tried_states_.size()) tried_states_.resize(tried_saved_ + 1);
      schedule_.save(tried_states_[tried_saved_++]);
    }
  }
  void find_places() {
    for (auto [order, places] :
         {std::pair(&kept_.maps, &places_of_maps_), {&kept_.reduces, &places_of_reduces_}}) {
      places->resize(order->size());
      for (std::size_t place = 0; place < order->size(); ++place) (*places)[(*order)[place]] = place;
    }
  }

  WorkflowSchedule schedule_;
  const std::uint64_t tasks_of_state_;  // tasks placed between two saved states
  TwoOrders kept_, tried_;
  PlanValue kept_value_, tried_value_;
  WorkflowSchedule::Times kept_times_;
  std::vector<std::size_t> places_of_maps_, places_of_reduces_;  // by job
  // Of the kept schedule, the first `saved_`; and those of the tried one behind continued_from_.
  std::vector<WorkflowSchedule::State> states_, tried_states_;
  std::size_t saved_ = 1, tried_saved_ = 1, continued_from_ = 0;
  bool same_ = false;  // the tried orders have the kept schedule
};

template <class MapSlots>
std::unique_ptr<MovedOrders> by_reduces(const Workload& batch, SlotPool pool, StageTasks maps) {
  StageTasks reduces = reduces_of(batch);
  if (reduces.alike())
    return std::make_unique<MovedStages<MapSlots, WaveSlots>>(batch, pool, std::move(maps),
                                                              std::move(reduces));
  return std::make_unique<MovedStages<MapSlots, SlotTree>>(batch, pool, std::move(maps), std::move(reduces));
}

}  // namespace

std::unique_ptr<MovedOrders> moved_orders(const Workload& batch, SlotCluster cluster) {
  if (!ListSchedule::models(batch, cluster)) {
    if (WorkflowSchedule::models(batch, cluster)) return std::make_unique<MovedWorkflow>(batch, cluster.pool);
    return std::make_unique<WholeSchedules>(batch, cluster);
  }
  StageTasks maps = maps_of(batch);
  return maps.alike() ? by_reduces<WaveSlots>(batch, cluster.pool, std::move(maps))
                      : by_reduces<SlotTree>(batch, cluster.pool, std::move(maps));
}

}  // namespace wavewright
