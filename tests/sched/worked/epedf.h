// epEDF: epoch-based earliest deadline first [CLOUD §4.4]. The paper leaves the epoch open: a parameter.
#pragma once

#include <algorithm>
#include <vector>

#include "wavewright/sched/policy.h"

namespace wavewright {

// Jobs wait for the end of the epoch in which they arrive; then the earliest deadline goes first.
class EpEdf final : public Allocator {
 public:
  explicit EpEdf(Duration epoch) : epoch_(epoch) {}
  std::string name() const override { return "epedf"; }
  Features needs() const override { return Feature::rank | Feature::timers; }
  EventSet subscribes() const override { return Event::What::arrived | Event::What::timer; }
  void begin(const View&, Decisions&) override {}
  void on(const Event& event, const View& view, Decisions& decisions) override {
    if (event.what == Event::What::arrived) {
      waiting_.push_back(event.job);
      const Duration left = epoch_ - event.at.time_since_epoch() % epoch_;
      return decisions.set_timer(std::max(view.now(), event.at + left),
                                 0);  // one timer, moved to the same instant
    }
    for (const JobIndex job : waiting_) {
      const Time deadline = view.facts(job).deadline.value_or(Time::max());
      decisions.rank(job, Kind::map, to_ms(deadline));
      decisions.rank(job, Kind::reduce, to_ms(deadline));
      decisions.admit(job, root_group);
    }
    waiting_.clear();
  }

 private:
  Duration epoch_;
  std::vector<JobIndex> waiting_;
};

}  // namespace wavewright
