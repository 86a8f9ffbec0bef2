// MDASA: malleability-based deadline-aware scheduling on rented machines [CLOUD Alg. 2].
//
// Maps are to end when the reduce stage must begin.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "wavewright/sched/policy.h"

namespace wavewright {

class Mdasa final : public Allocator {
 public:
  explicit Mdasa(ClassId rented) : rented_(rented) {}
  std::string name() const override { return "mdasa"; }
  Features needs() const override { return Feature::occupancy | Feature::leases; }
  EventSet subscribes() const override { return EventSet::of(Event::What::arrived); }
  void begin(const View&, Decisions&) override {}
  void on(const Event& event, const View& view, Decisions& decisions) override {
    const JobFacts facts = view.facts(event.job);
    const Count waves = rounds(facts.reduces, view.capacity(any_class).reduce_slots);
    const Duration reduces = waves * view.estimate(event.job, Kind::reduce, rented_).mean;
    const Resources machine = view.lease_offer(rented_).machine;
    place(event.job, Kind::map, *facts.deadline - reduces, machine.map_slots, view, decisions);
    place(event.job, Kind::reduce, *facts.deadline, machine.reduce_slots, view, decisions);
    decisions.admit(event.job, root_group);
  }

 private:
  static Count rounds(Count tasks, Count slots) { return (tasks + slots - 1) / slots; }
  void place(JobIndex job, Kind kind, Time end, Count per_machine, const View& view, Decisions& decisions) {
    const Duration task = view.estimate(job, kind, rented_).mean;
    std::vector<Time>& promised = promised_[kind];  // until when, by slot
    promised.resize(view.slots(kind));
    std::set<std::pair<Time, SlotIndex>> occupancy;
    for (SlotIndex slot = 0; slot < promised.size(); ++slot) {
      const std::optional<Occupant> busy = view.occupant(kind, slot);
      occupancy.emplace(std::max({promised[slot], view.now(), busy ? busy->until : Time{}}), slot);
    }
    Count left = view.pending(job, kind);
    for (const bool idle : {true, false}) {
      for (const auto& [free, slot] : std::set(occupancy)) {
        const Count fit = !idle ? (end - free) / task : free == view.now() ? 1 : 0;
        const Count tasks = std::clamp<Count>(fit, 0, left);
        occupancy.erase({free, slot});
        occupancy.emplace(promised[slot] = free + tasks * task, slot);
        left -= tasks;
      }
    }
    if (left > 0) (void)decisions.rent({rented_, rounds(left, per_machine), std::nullopt});
  }
  ClassId rented_;
  std::map<Kind, std::vector<Time>> promised_;
};

}  // namespace wavewright
