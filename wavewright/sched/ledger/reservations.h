// Reservations: slots or containers of a kind that other jobs leave free for a job in an interval.
//
// A reservation lacks `count` less the slots that its job holds on the class. Another job may take a slot if
// the free slots left cover all lacks: first reservations of single classes, then of any class.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/core/time.h"
#include "wavewright/sched/event.h"

namespace wavewright {

struct Reservation {
  JobIndex job = 0;
  Kind kind = Kind::map;
  ClassId node_class = any_class;
  Count count = 0;
  Time from{};
  Time to{};
};

class Reservations {
 public:
  // Replaces the reservation of the same job, kind and class; a count of 0 withdraws it. O(reservations).
  void set(const Reservation& reservation);
  void forget(JobIndex job);  // O(reservations)

  [[nodiscard]] bool empty() const { return all_.empty(); }
  [[nodiscard]] std::span<const Reservation> all() const { return all_; }
  // The first instant after `now` at which a reservation begins or ends. O(reservations).
  [[nodiscard]] std::optional<Time> next(Time now) const;
  // Removes reservations that have ended. O(reservations).
  void expire(Time now);

  // A driver's slots. With containers, amounts are MiB and the kinds share them.
  struct Supply {
    std::span<const Count> free;  // by class
    bool containers = false;
    std::function<Count(JobIndex, Kind, ClassId)> held;  // slots or containers of the job
    std::function<Count(JobIndex, Kind)> size;           // 1, or the container's MiB
  };
  // True if `job` may take one slot or container of the kind on the class at `now`. O(reservations +
  // classes); each reservation of any class adds O(reservations).
  [[nodiscard]] bool allow(JobIndex job, Kind kind, ClassId node_class, Time now, const Supply& supply) const;

 private:
  std::vector<Reservation> all_;  // in order of making
};

}  // namespace wavewright
