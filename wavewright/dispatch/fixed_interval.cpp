#include "wavewright/dispatch/fixed_interval.h"

#include "wavewright/dispatch/ticks.h"

namespace wavewright {

namespace {

class FixedInterval final : public ReorderPolicy {
 public:
  FixedInterval(Duration interval, Time begin) : ticks_{begin + interval, interval} {}

  [[nodiscard]] std::string name() const override { return "tp-fti(" + format_duration(ticks_.every) + ")"; }
  void on_arrival(Time now, const Waiting& /*waiting*/) override {
    if (!due_) due_ = ticks_.at_or_after(now);
  }
  void on_dispatch(Time now, Duration /*work*/, const Waiting& left) override {
    ticks_.first = now + ticks_.every;
    due_.reset();
    if (left.jobs > 0) due_ = ticks_.first;
  }
  [[nodiscard]] std::optional<Time> next_decision() const override { return due_; }

 private:
  Ticks ticks_;  // starts at the tick after the last round
  std::optional<Time> due_;
};

}  // namespace

std::unique_ptr<ReorderPolicy> make_fixed_interval(Duration interval, Time begin) {
  return std::make_unique<FixedInterval>(interval, begin);
}

}  // namespace wavewright
