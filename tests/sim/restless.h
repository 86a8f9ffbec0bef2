// A policy that changes its mind at every event: for tests of what engines make of decisions.
#pragma once

#include "wavewright/sched/policy.h"

namespace wavewright {

// A policy that listens to everything and changes its mind: nested groups, caps, ranks at every end.
class Restless final : public Allocator {
 public:
  [[nodiscard]] std::string name() const override { return "restless"; }
  [[nodiscard]] Features needs() const override {
    return Features::of(Feature::rank_per_kind) | Features::of(Feature::groups) |
           Features::of(Feature::shares) | Features::of(Feature::caps);
  }
  [[nodiscard]] EventSet subscribes() const override {
    return Event::What::arrived | Event::What::ready | Event::What::started | Event::What::ended;
  }
  void begin(const View&, Decisions& decisions) override {
    decisions.group(1, root_group, {}, {3, 2});
    decisions.group(2, 1, {}, {1, unlimited});
    decisions.group(3, 1, {}, {unlimited, 1});
  }
  void on(const Event& event, const View& view, Decisions& decisions) override {
    const auto state = static_cast<Key>(view.held(event.job, Kind::map, any_class) * 7 +
                                        view.used(1).map_slots * 3 + view.pending(event.job, Kind::reduce));
    switch (event.what) {
      case Event::What::arrived:
        decisions.cap(event.job, Kind::map, any_class, 1 + event.job % 3);
        decisions.admit(event.job, event.job % 4);
        break;
      case Event::What::started:
        decisions.rank(event.job, event.kind, state % 5);
        break;
      case Event::What::ended:
        decisions.order(1 + event.job % 3, event.job % 2 == 0 ? Ordering::fair : Ordering::by_best);
        decisions.share(event.job, event.kind, {state % 3, 1 + state % 1500});
        decisions.share_group(2, Kind::reduce, {1, 1 + state});
        decisions.rank_group(2 + event.job % 2, Kind::map, state % 3);
        decisions.cap(event.job, Kind::reduce, any_class, 1 + state % 4);
        break;
      default:
        decisions.rank(event.job, Kind::reduce, -state);
        break;
    }
  }
};

}  // namespace wavewright
