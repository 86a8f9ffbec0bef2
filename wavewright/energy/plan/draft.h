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
inline constexpr double any_slack = 1e9;  // whatever it costs

struct Draft {
  std::vector<JobIndex> order;
  TaskOrder task_order = TaskOrder::longest_first;
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
  // Batch and `least` must outlive it. `sets` as check_states wants them; `task_order`: of its drafts.
  // O(tasks · node rows).
  Drafts(const Workload& batch, const Cluster& cluster, const LeastEnergy& least, const EnergyBound& bound,
         TaskOrder task_order, const std::vector<StateClasses>& sets = {});

  // Every class that costs at most (1 + `slack`) times the cheapest one; slow ones close so that the batch
  // can end at `end` (ms). Jobs by submission. Machines are in the first of their states. A class on which
  // some tasks of the stage would miss the deadline is open with any_slack only, or if no class has room for
  // all of them.
  [[nodiscard]] Draft draft(double slack, std::int64_t end) const;
  [[nodiscard]] std::size_t states() const;  // most states of a machine, at least 1
  // All machines in the state of that number, or in their last one.
  void switch_to(std::size_t state, Draft& draft) const;
  // Machines in other states become fewer, until those of draft.machines[kept] are there.
  void make_room(std::size_t kept, Draft& draft) const;
  // Each class on which a task of a stage can be in time stays open to the stage.
  void open_all(Draft& draft) const;
  // Nothing starts on the class from `until` (ms) on.
  void close(ClassId node_class, std::int64_t until, Draft& draft) const;
  [[nodiscard]] EnergyPlan plan(const Draft& draft) const;

  // When the class must close for the stage, so that its tasks end by `end` or by the job's deadline; 0 if it
  // can't be of use.
  [[nodiscard]] std::int64_t closing(std::size_t stage, ClassId node_class, std::int64_t end) const;
  // A mean task of the stage on the class, of those that can be in time there: ms, infinite if there are
  // none.
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
    std::vector<bool> fits_all;        // by class: each task can be in time there
    double after = 0;                  // ms that the job's reduces take at least after its maps
    std::size_t type = 0;
  };
  void count_costs(const EnergyBound& bound);
  void count_costs(const TaskStage& stage, const std::vector<double>& asked, Costs& costs) const;
  [[nodiscard]] std::vector<bool> open_classes(const Costs& costs, double slack) const;
  void number_types();

  const Workload& batch_;
  const LeastEnergy& least_;
  TaskOrder task_order_;
  Topology topology_;
  std::vector<Costs> costs_;  // by stage
  std::vector<Draft::Machines> machines_;
  std::vector<std::vector<std::size_t>> sets_;  // places in machines_
};

}  // namespace wavewright
