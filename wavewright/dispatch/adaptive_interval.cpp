#include "wavewright/dispatch/adaptive_interval.h"

#include <algorithm>

#include "wavewright/dispatch/ticks.h"

namespace wavewright {

namespace {

class AdaptiveInterval final : public ReorderPolicy {
 public:
  AdaptiveInterval(Duration least, Time begin) : ticks_{begin + least, least} {}

  [[nodiscard]] std::string name() const override { return "tp-ati(" + format_duration(ticks_.every) + ")"; }
  void on_arrival(Time now, const Waiting& /*waiting*/) override {
    if (!due_) due_ = ticks_.at_or_after(now);
  }
  void on_dispatch(Time now, Duration work, const Waiting& left) override {
    ticks_.first = now + std::max(ticks_.every, work);
    due_.reset();
    if (left.jobs > 0) due_ = ticks_.first;
  }
  [[nodiscard]] std::optional<Time> next_decision() const override { return due_; }

 private:
  Ticks ticks_;  // starts at the end of the wait
  std::optional<Time> due_;
};

}  // namespace

std::unique_ptr<ReorderPolicy> make_adaptive_interval(Duration least, Time begin) {
  return std::make_unique<AdaptiveInterval>(least, begin);
}

}  // namespace wavewright
