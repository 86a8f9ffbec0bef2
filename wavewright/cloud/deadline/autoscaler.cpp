#include "wavewright/cloud/deadline/autoscaler.h"

#include <algorithm>
#include <cmath>

namespace wavewright {

namespace {

constexpr Token period_ends = 0;

class Autoscaler final : public DeadlinePolicy {
 public:
  Autoscaler(const DeadlineOptions& options, const AutoscalerOptions& own)
      : DeadlinePolicy("autoscaler", options), own_(own), target_(own.least) {}

 protected:
  void placed(JobIndex, Begun&, const View& view, Decisions& decisions) override {
    if (machines().rents() && !looks_) decisions.set_timer(view.now() + own_.period, period_ends);
    looks_ = machines().rents();
  }
  void changed(const Event& event, const View& view, Decisions& decisions) override {
    if (event.what != Event::What::timer || event.token != period_ends) return;
    scale(view);
    looks_ = !under_way().empty() || target_ > own_.least;
    if (looks_) decisions.set_timer(view.now() + own_.period, period_ends);
  }
  [[nodiscard]] Resources need(const View&, bool) const override { return slots_of(target_); }

 private:
  void scale(const View& view) {
    const Resources all = view.capacity(any_class), used = view.used(root_group);
    const double slots = static_cast<double>(all.map_slots + all.reduce_slots);
    const double running = static_cast<double>(used.map_slots + used.reduce_slots);
    const double free = slots > 0 ? 1 - running / slots : 0;
    const auto step = static_cast<Count>(std::ceil(own_.step * static_cast<double>(target_)));
    if (free < own_.out || waiting(view) > own_.pending * std::max(1.0, running)) {
      if (view.now() < rests_until_) return;
      target_ = std::min(target_ + std::max<Count>(1, step), machines().rented() + machines().left(view));
      rests_until_ = view.now() + own_.cooldown;
    } else if (free > own_.in) {
      target_ = std::max(own_.least, std::min(target_, machines().rented()) - std::max<Count>(1, step));
    }
  }
  // What tasks that could run at once would take: slots, or memory.
  [[nodiscard]] double waiting(const View& view) const {
    Count amount = 0;
    for (const auto& [job, begun] : under_way()) {
      amount += view.pending(job, Kind::map) * view.size(job, Kind::map);
      if (begun.reduces_ready) amount += view.pending(job, Kind::reduce) * view.size(job, Kind::reduce);
    }
    return static_cast<double>(amount);
  }

  AutoscalerOptions own_;
  Count target_;
  Time rests_until_{};
  bool looks_ = false;  // a period is under way
};

}  // namespace

std::unique_ptr<Allocator> make_autoscaler(const DeadlineOptions& options, const AutoscalerOptions& own) {
  return std::make_unique<Autoscaler>(options, own);
}

}  // namespace wavewright
