#include "wavewright/sched/ledger/reservations.h"

#include <algorithm>

namespace wavewright {

namespace {

bool same(const Reservation& a, const Reservation& b) {
  return a.job == b.job && a.kind == b.kind && a.node_class == b.node_class;
}

bool is_active(const Reservation& each, Time now) {
  return each.from <= now && now < each.to;
}

}  // namespace

void Reservations::set(const Reservation& reservation) {
  const auto found = std::find_if(all_.begin(), all_.end(),
                                  [&](const Reservation& each) { return same(each, reservation); });
  if (reservation.count == 0) {
    if (found != all_.end()) all_.erase(found);
  } else if (found != all_.end()) {
    *found = reservation;
  } else {
    all_.push_back(reservation);
  }
}

void Reservations::forget(JobIndex job) {
  std::erase_if(all_, [job](const Reservation& each) { return each.job == job; });
}

std::optional<Time> Reservations::next(Time now) const {
  std::optional<Time> first;
  for (const Reservation& each : all_) {
    for (const Time at : {each.from, each.to}) {
      if (at > now && (!first || at < *first)) first = at;
    }
  }
  return first;
}

void Reservations::expire(Time now) {
  std::erase_if(all_, [now](const Reservation& each) { return each.to <= now; });
}

bool Reservations::allow(JobIndex job, Kind kind, ClassId node_class, Time now, const Supply& supply) const {
  std::vector<Count> lacking(supply.free.size(), 0);
  Count anywhere = 0;
  for (const Reservation& each : all_) {
    if (each.job == job || !is_active(each, now)) continue;
    if (!supply.containers && each.kind != kind) continue;
    Count held = supply.held(each.job, each.kind, each.node_class);
    if (each.node_class == any_class) {
      // Slots that count for the job's reservations of single classes do not count for this one.
      for (const Reservation& other : all_) {
        if (other.job != each.job || other.kind != each.kind || other.node_class == any_class) continue;
        if (is_active(other, now))
          held -= std::min(other.count, supply.held(other.job, other.kind, other.node_class));
      }
    }
    const Count lack = std::max<Count>(0, each.count - held) * supply.size(each.job, each.kind);
    (each.node_class == any_class ? anywhere : lacking[each.node_class]) += lack;
  }
  Count left = 0;
  for (std::size_t at = 0; at < lacking.size(); ++at) {
    const Count taken = at == node_class ? supply.size(job, kind) : 0;
    const Count over = supply.free[at] - taken - lacking[at];
    if (at == node_class && over < 0) return false;
    left += std::max<Count>(0, over);
  }
  return left >= anywhere;
}

}  // namespace wavewright
