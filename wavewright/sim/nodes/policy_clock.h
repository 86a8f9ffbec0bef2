// What a policy has put off: timers, preemption after a grace period, begin and end of reservations.
#pragma once

#include <algorithm>
#include <optional>

#include "wavewright/sim/nodes/job_lifecycle.h"

namespace wavewright::sim {

class PolicyClock {
 public:
  PolicyClock(World& world, JobLifecycle& lifecycle) : w_(world), lifecycle_(lifecycle) {}

  // The next instant at which a timer, a preemption, or the begin or end of a reservation is due.
  [[nodiscard]] std::uint64_t next() {
    if (w_.ledger.nothing_put_off()) return NodeJob::never;
    return std::min({instant(w_.ledger.timers().next()), instant(w_.ledger.preemptions().next()),
                     w_.ledger.reservations().empty() ? NodeJob::never
                                                      : instant(w_.ledger.reservations().next(w_.now()))});
  }
  [[nodiscard]] static std::uint64_t instant(std::optional<Time> at) {
    return at ? static_cast<std::uint64_t>(to_ms(*at)) : NodeJob::never;
  }

  // Sends each timer to the part of the policy that set it.
  void timers() {
    if (w_.ledger.nothing_put_off()) return;
    while (const std::optional<Timers::Timer> timer = w_.ledger.timers().pop(w_.now())) {
      w_.tell_timer(*timer);
    }
    if (!w_.ledger.reservations().empty()) w_.ledger.reservations().expire(w_.now());
  }

  // ---- preemption

  // Kills the job's last started attempts; they run again.
  void preempt() {
    if (w_.ledger.nothing_put_off()) return;
    while (const std::optional<Preemption> due = w_.ledger.preemptions().pop(w_.now())) {
      SlotTable& table = w_.table_of(due->kind);
      for (Count i = 0; i < due->count; ++i) {
        const std::uint32_t slot = last_started(table, due->job, due->node_class);
        if (slot == NumberSet::none) break;
        lifecycle_.stop_slot(table, slot);
      }
    }
  }
  [[nodiscard]] std::uint32_t last_started(const SlotTable& table, JobIndex job,
                                           ClassId on = any_class) const {
    std::uint32_t last = NumberSet::none;
    for (std::uint32_t slot = 0; slot < table.slots(); ++slot) {
      if (table.idle.contains(slot) || table.on[slot].job != job || table.on[slot].over) continue;
      if (on != any_class && w_.node_class(table.node_of[slot]) != on) continue;
      if (last == NumberSet::none || table.on[slot].since >= table.on[last].since) last = slot;
    }
    return last;
  }

 private:
  World& w_;
  JobLifecycle& lifecycle_;
};

}  // namespace wavewright::sim
