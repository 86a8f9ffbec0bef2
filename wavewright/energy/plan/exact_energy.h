// The least energy that any schedule of a small batch takes: by branch and bound over the row of nodes on
// which each task runs, and the order of the tasks there.
//
// Tasks are placed in the order in which they start, each on the slot of a row that is free first, and as
// early as it may start there. Any schedule can be turned into one of these such that no task ends later: a
// task moves forward, or two slots of a row exchange what follows. So one of these has the least energy in
// the model
//
//   P · makespan  +  Σ over tasks  power · time  +  Σ over rows for rent  surplus · on + wake · machines
//
// P is the power that flows whatever the schedule does (energy_bound.h). Of a row for rent, `on` is the time
// on its busiest kind of slot, shared out over the slots of a machine; `machines` are as many as its used
// slots need.
//
// Where all machines are always there, each task draws its own power and the first shuffle is as long as
// later ones, a schedule takes just that. Elsewhere a schedule takes no less: gaps between tasks, boots,
// failures, stragglers, reads from afar, the longer shuffle and heartbeats come on top, and tasks that share
// a slot or a node's power count as in energy/plan/least_energy.h.
//
// A branch ends where the claim of energy_bound.h, for its rents, tells that it leads to nothing better.
// Rents of slots that are idle already are counted there, too.
#pragma once

#include <optional>
#include <vector>

#include "wavewright/core/stop.h"
#include "wavewright/energy/plan/energy_bound.h"

namespace wavewright {

inline constexpr std::uint64_t most_exact_tasks = 16;
inline constexpr std::uint64_t most_exact_steps = 5'000'000;  // some seconds

struct ExactEnergy {
  bool in_time = true;     // false: no schedule is, and the rest means nothing
  MicroJoules energy = 0;  // no schedule that is in time takes less
  std::uint64_t steps = 0;
  // A schedule that has this energy in the model, by start. Empty if the search found none below `known`.
  struct Placed {
    JobIndex job = 0;
    Kind kind = Kind::map;
    std::size_t row = 0;  // of Cluster::nodes
    Time start{}, end{};

    friend bool operator==(const Placed&, const Placed&) = default;
  };
  std::vector<Placed> schedule;
};

struct ExactLimits {
  std::optional<MicroJoules> known;  // some schedule in time takes so much: only less is looked for
  std::uint64_t steps = most_exact_steps;
};

// None if the search was stopped or came to its limit. Throws UsageError if the
// batch has more than most_exact_tasks tasks. `least` and `bound`: of that workload and cluster, mode
// "slots". O(tasks! · rows^tasks) at worst, and far fewer steps as a rule.
[[nodiscard]] std::optional<ExactEnergy> exact_energy(const Workload& workload, const Cluster& cluster,
                                                      const LeastEnergy& least, const EnergyBound& bound,
                                                      const ExactLimits& limits, const Stop& stop);

}  // namespace wavewright
