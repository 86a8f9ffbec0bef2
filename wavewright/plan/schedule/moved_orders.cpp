#include "wavewright/plan/schedule/moved_orders.h"

#include <algorithm>
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

  Value start(const TwoOrders& orders) override {
    maps_.start(orders.maps, submits_);
    reduces_.start(orders.reduces, maps_.ends());
    return value();
  }
  [[nodiscard]] std::optional<Value> value_within(const Move& move, std::int64_t latest,
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
  [[nodiscard]] Value value() const {
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

  Value start(const TwoOrders& orders) override {
    kept_ = orders;
    return schedule_.value(kept_.maps, kept_.reduces);
  }
  [[nodiscard]] std::optional<Value> value_within(const Move& move, std::int64_t, std::int64_t) override {
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
  if (!ListSchedule::models(batch, cluster)) return std::make_unique<WholeSchedules>(batch, cluster);
  StageTasks maps = maps_of(batch);
  return maps.alike() ? by_reduces<WaveSlots>(batch, cluster.pool, std::move(maps))
                      : by_reduces<SlotTree>(batch, cluster.pool, std::move(maps));
}

}  // namespace wavewright
