// RTMR's admission: a job is accepted where by estimate no deadline is missed, its own or another's
// [UNL Algs 5.1-5.3].
//
// Jobs that have started go first, by their start, then those of the earliest deadline. The first one that
// waits is planned after the job that started last, even if that is over. A refusal changes no plan.
#pragma once

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

#include "wavewright/sched/policy.h"

namespace wavewright {

class RtmrAdmission final : public Allocator {
 public:
  std::string name() const override { return "rtmr"; }
  Features needs() const override { return Features::of(Feature::rank); }
  EventSet subscribes() const override { return Event::What::arrived | Event::What::started; }
  void begin(const View&, Decisions&) override {}
  void on(const Event& event, const View& view, Decisions& decisions) override {
    const Time deadline = *view.facts(event.job).deadline;
    if (event.what == Event::What::started) {
      const auto job = waiting_.extract({deadline, event.job});
      if (job.empty()) return;  // not its first task
      started_ = job.mapped();
    } else {
      auto planned = waiting_;
      auto each = planned.try_emplace({deadline, event.job}).first;
      Slots free = each == planned.begin() ? started_ : std::prev(each)->second;
      for (; each != planned.end(); ++each) {
        if (finish(each->first.second, free, view) > each->first.first)
          return decisions.reject(event.job, {"DeadlineTooTight", "A deadline would be missed."});
        each->second = free;
      }
      waiting_ = std::move(planned);
      decisions.admit(event.job, root_group);
    }
    const Key key = event.what == Event::What::started ? starts_++ : to_ms(deadline);
    for (const Kind kind : {Kind::map, Kind::reduce}) decisions.rank(event.job, kind, key);
  }

 private:
  using Slots = std::map<Kind, std::vector<Time>>;  // when each is free
  static Time finish(JobIndex job, Slots& free, const View& view) {
    Time end = view.now();
    for (const Kind kind : {Kind::map, Kind::reduce}) {
      const Time ready = end;
      free[kind].resize(view.slots(kind));
      for (Count task = view.pending(job, kind); task > 0; --task) {
        Time& slot = *std::ranges::min_element(free[kind]);
        end = slot = std::max(slot, ready) + view.estimate(job, kind, 0).max;
      }
    }
    return end;
  }
  Slots started_;                                       // after the job that started last
  std::map<std::pair<Time, JobIndex>, Slots> waiting_;  // by deadline: the slots after each job
  Key starts_ = -unlimited;                             // before every deadline
};

}  // namespace wavewright
