// Drafts of plans for little energy, by numbers instead of names, and where tasks are cheap.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "wavewright/cluster/topology.h"
#include "wavewright/energy/plan/energy_bound.h"
#include "wavewright/energy/plan/energy_plan.h"
#include "wavewright/energy/plan/machine_states.h"

namespace wavewright {

inline constexpr std::int64_t always = std::numeric_limits<std::int64_t>::max();

struct Draft {
  std::vector<JobIndex> order;
  // By kind (map, reduce), job and class: the instant in ms from which on nothing starts; 0 = never anything.
  std::array<std::vector<std::vector<std::int64_t>>, 2> until;
  struct Machines {
    ClassId node_class = 0;
    Count most = 0, there = 0;  // of so many
    Duration keep{}, even{};    // `even`: idling so long takes what a wake-up does
  };
  std::vector<Machines> machines;
};

class Drafts {
 public:
  // All but `sets` must outlive it. `sets` as check_states wants them. O(tasks · node rows).
  Drafts(const Workload& batch, const Cluster& cluster, const LeastEnergy& least, const EnergyBound& bound,
         const std::vector<StateClasses>& sets = {});

  // Every class that costs at most (1 + `slack`) times the cheapest one; slow ones close so that the batch
  // can end at `end` (ms). Jobs by submission. Machines are in the first of their states.
  [[nodiscard]] Draft draft(double slack, std::int64_t end) const;
  [[nodiscard]] std::size_t states() const;  // most states of a machine, at least 1
  // All machines in the state of that number, or in their last one.
  void switch_to(std::size_t state, Draft& draft) const;
  // Machines in other states become fewer, until those of draft.machines[kept] are there.
  void make_room(std::size_t kept, Draft& draft) const;
  // Nothing starts on the class from `until` (ms) on.
  void close(ClassId node_class, std::int64_t until, Draft& draft) const;
  [[nodiscard]] EnergyPlan plan(const Draft& draft, TaskOrder task_order) const;

  // When the class must close for the stage, so that its tasks end by `end` or by the job's deadline; 0 if it
  // can't be of use.
  [[nodiscard]] std::int64_t closing(std::size_t stage, ClassId node_class, std::int64_t end) const;
  // A mean task of the stage on the class: ms, infinite where none can run.
  [[nodiscard]] double time_of(std::size_t stage, ClassId node_class) const {
    return costs_[stage].time[node_class];
  }
  [[nodiscard]] const std::vector<TaskStage>& stages() const { return least_.stages; }
  [[nodiscard]] std::size_t classes() const { return topology_.classes.size(); }
  // Stages with the same costs by class have the same number.
  [[nodiscard]] std::size_t type_of(std::size_t stage) const { return costs_[stage].type; }

 private:
  struct Costs {
    std::vector<double> time, energy;  // of a mean task, by class: ms; work and rent
    double after = 0;                  // ms that the job's reduces take at least after its maps
    std::size_t type = 0;
  };
  void count_costs(const EnergyBound& bound);
  void number_types();

  const Workload& batch_;
  const LeastEnergy& least_;
  Topology topology_;
  std::vector<Costs> costs_;  // by stage
  std::vector<Draft::Machines> machines_;
  std::vector<std::vector<std::size_t>> sets_;  // places in machines_
};

}  // namespace wavewright
