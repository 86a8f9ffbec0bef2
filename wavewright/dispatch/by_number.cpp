#include "wavewright/dispatch/by_number.h"

#include <algorithm>

#include <fmt/format.h>

namespace wavewright {

namespace {

class ByNumber final : public ReorderPolicy {
 public:
  ByNumber(std::size_t number, Duration at_latest) : number_(number), at_latest_(at_latest) {}

  [[nodiscard]] std::string name() const override {
    return fmt::format("pnj({}, at_latest={})", number_, format_duration(at_latest_));
  }
  void on_arrival(Time now, const Waiting& waiting) override {
    const Time due = due_among(now, waiting);
    due_ = due_ ? std::min(*due_, due) : due;
  }
  void on_dispatch(Time now, Duration /*work*/, const Waiting& left) override {
    due_.reset();
    if (left.jobs > 0) due_ = due_among(now, left);
  }
  [[nodiscard]] std::optional<Time> next_decision() const override { return due_; }

 private:
  [[nodiscard]] Time due_among(Time now, const Waiting& waiting) const {
    return waiting.jobs >= number_ ? now : waiting.since + at_latest_;
  }

  std::size_t number_;
  Duration at_latest_;
  std::optional<Time> due_;
};

}  // namespace

std::unique_ptr<ReorderPolicy> make_by_number(std::size_t number, Duration at_latest) {
  return std::make_unique<ByNumber>(number, at_latest);
}

}  // namespace wavewright
