// EFH's application scheduler: the job with most of its best containers free goes first, unless another one
// has waited too long [UNL table 6.2, with adaptive execution].
//
// The paper ranks containers by energy efficiency and by the data they hold. The View tells neither: the
// classes in order of efficiency are a parameter. Maps only.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "wavewright/sched/policy.h"

namespace wavewright {

class EfhQueues final : public Allocator {
 public:
  EfhQueues(std::vector<ClassId> best, Duration wait) : best_(std::move(best)), wait_(wait) {}
  std::string name() const override { return "efh"; }
  Features needs() const override {
    return Feature::caps | Feature::node_classes | Feature::occupancy | Feature::timers;
  }
  EventSet subscribes() const override {
    using enum Event::What;
    return arrived | ended | timer;
  }
  void begin(const View&, Decisions&) override {}
  void on(const Event& event, const View& view, Decisions& decisions) override {
    if (event.what == Event::What::arrived) {
      const Time patience = queue_.emplace_back(event.job, event.at + wait_).second;
      decisions.set_timer(std::max(view.now(), patience), event.job);
      decisions.admit(event.job, root_group);
    }
    std::vector<Count> whole(view.classes()), free(view.classes());
    for (ClassId c = 0; c < free.size(); ++c) free[c] = whole[c] = view.capacity(c).map_slots;
    for (SlotIndex slot = 0; slot < view.slots(Kind::map); ++slot) {
      if (const auto busy = view.occupant(Kind::map, slot)) --free[view.node_class(busy->node)];
    }
    const auto asked = [&](auto& each) { return view.pending(each.first, Kind::map); };
    std::erase_if(queue_, [&](auto& each) { return asked(each) == 0; });
    std::ranges::stable_sort(queue_, std::greater{}, [&](auto& each) {
      Count there = 0;
      for (ClassId c = 0; c < free.size(); ++c) there += std::min(free[c], best(asked(each), whole)[c]);
      return std::pair(view.now() >= each.second, 1000 * there / asked(each));
    });
    for (bool open = true; auto& each : queue_) {  // open: every job so far gets what it asks for
      std::vector<Count> taken = best(asked(each), free);
      open = open && std::reduce(taken.begin(), taken.end()) == asked(each);
      if (!open && view.now() < each.second) std::ranges::fill(taken, 0);
      for (ClassId c = 0; c < free.size(); ++c) {
        decisions.cap(each.first, Kind::map, c, view.held(each.first, Kind::map, c) + taken[c]);
        free[c] -= taken[c];
      }
    }
  }

 private:
  std::vector<Count> best(Count asked, const std::vector<Count>& of) const {
    std::vector<Count> taken(of.size());
    for (const ClassId c : best_) asked -= taken[c] = std::min(asked, of[c]);
    return taken;
  }
  std::vector<ClassId> best_;  // first the most efficient class
  Duration wait_;
  std::vector<std::pair<JobIndex, Time>> queue_;  // and until when each is in the regular queue
};

}  // namespace wavewright
