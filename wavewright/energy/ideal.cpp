#include "wavewright/energy/ideal.h"

#include <algorithm>

namespace wavewright {

namespace {

class Ideal final : public Allocator {
 public:
  [[nodiscard]] std::string name() const override { return "ideal"; }
  [[nodiscard]] Features needs() const override { return Feature::caps | Feature::node_classes; }
  [[nodiscard]] EventSet subscribes() const override { return EventSet::of(Event::What::arrived); }
  void begin(const View&, Decisions&) override {}
  void on(const Event& event, const View& view, Decisions& decisions) override {
    double best = 0;
    for (ClassId c = 0; c < view.classes(); ++c) {
      if (view.capacity(c).map_slots > 0) best = std::max(best, view.efficiency(event.job, c));
    }
    for (ClassId c = 0; c < view.classes(); ++c) {
      if (view.efficiency(event.job, c) < best) decisions.cap(event.job, Kind::map, c, 0);
    }
    decisions.admit(event.job, root_group);
  }
};

}  // namespace

std::unique_ptr<Allocator> make_ideal() {
  return std::make_unique<Ideal>();
}

PolicyEntry ideal_entry() {
  return {.name = "ideal",
          .description = "maps run only where they take least energy, however long that takes",
          .allocator = [](Parameters&, const PolicyContext&) { return make_ideal(); }};
}

}  // namespace wavewright
