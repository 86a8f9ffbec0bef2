#include "wavewright/sched/ranked_order.h"

#include <vector>

namespace wavewright {

namespace {

class RankedOrder final : public Allocator {
 public:
  explicit RankedOrder(std::span<const JobIndex> order) : keys_(order.size()) {
    for (std::size_t i = 0; i < order.size(); ++i) keys_[order[i]] = static_cast<Key>(i);
  }

  [[nodiscard]] std::string name() const override { return "order"; }
  [[nodiscard]] Features needs() const override { return Features::of(Feature::rank); }
  [[nodiscard]] EventSet subscribes() const override { return EventSet::of(Event::What::arrived); }
  void begin(const View&, Decisions&) override {}
  void on(const Event& event, const View&, Decisions& decisions) override {
    decisions.rank(event.job, Kind::map, keys_[event.job]);
    decisions.rank(event.job, Kind::reduce, keys_[event.job]);
    decisions.admit(event.job, root_group);
  }

 private:
  std::vector<Key> keys_;
};

}  // namespace

std::unique_ptr<Allocator> make_ranked_order(std::span<const JobIndex> order) {
  return std::make_unique<RankedOrder>(order);
}

}  // namespace wavewright
