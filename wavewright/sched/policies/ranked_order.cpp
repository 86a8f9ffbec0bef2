#include "wavewright/sched/policies/ranked_order.h"

#include <vector>

namespace wavewright {

namespace {

std::vector<Key> keys_of(std::span<const JobIndex> order) {
  std::vector<Key> keys(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) keys[order[i]] = static_cast<Key>(i);
  return keys;
}

class RankedOrder final : public Allocator {
 public:
  RankedOrder(std::span<const JobIndex> maps, std::span<const JobIndex> reduces)
      : maps_(keys_of(maps)), reduces_(keys_of(reduces)) {}

  [[nodiscard]] std::string name() const override { return "order"; }
  [[nodiscard]] Features needs() const override {
    return maps_ == reduces_ ? Features::of(Feature::rank) : Feature::rank | Feature::rank_per_kind;
  }
  [[nodiscard]] EventSet subscribes() const override { return EventSet::of(Event::What::arrived); }
  void begin(const View&, Decisions&) override {}
  void on(const Event& event, const View&, Decisions& decisions) override {
    decisions.rank(event.job, Kind::map, maps_[event.job]);
    decisions.rank(event.job, Kind::reduce, reduces_[event.job]);
    decisions.admit(event.job, root_group);
  }

 private:
  std::vector<Key> maps_, reduces_;  // by job
};

}  // namespace

std::unique_ptr<Allocator> make_ranked_order(std::span<const JobIndex> order) {
  return make_ranked_orders(order, order);
}

std::unique_ptr<Allocator> make_ranked_orders(std::span<const JobIndex> maps,
                                              std::span<const JobIndex> reduces) {
  return std::make_unique<RankedOrder>(maps, reduces);
}

}  // namespace wavewright
