// A small batch on a cluster, by numbers for the exact search (exact_energy.h).
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "wavewright/energy/plan/energy_bound.h"

namespace wavewright {

struct ExactModel {
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max() / 4;

  // The slots of a kind on all machines of a row.
  struct Pool {
    std::size_t row = 0;
    Count slots = 0;        // at most one for each task of the batch
    bool opens = false;     // each slot in use costs: it may be better to wait for one that is
    double idle_power = 0;  // mW that a slot which idles cannot pay as rent
  };
  struct Row {
    std::array<Count, 2> slots{};  // of a machine, by kind
    Milliwatts surplus = 0;        // of a machine that is there only at times
    MicroJoules wake = 0;
  };
  // A way to run one task of a group.
  struct Way {
    std::size_t pool = 0;
    std::int64_t time = 0;       // ms
    std::int64_t slot_time = 0;  // ms of the slot that fall to it
    MicroJoules work = 0;
    double cost = 0;  // work and rent, µJ
  };
  // Equal tasks of a job.
  struct Group {
    JobIndex job = 0;
    Kind kind = Kind::map;
    Count tasks = 0;
    std::vector<Way> ways;
    double cheapest = 0;        // way, µJ
    std::int64_t shortest = 0;  // ms
    std::int64_t after = 0;     // ms from its end to its job's, at least
    std::int64_t due = never;   // of its job
  };

  // `least` and `bound` must be of that workload and cluster. O(tasks · rows).
  ExactModel(const Workload& workload, const Cluster& cluster, const LeastEnergy& least,
             const EnergyBound& bound);

  std::vector<Pool> pools;  // that of row r and kind k (map, reduce) is 2 · r + k
  std::vector<Row> rows;    // of Cluster::nodes
  std::vector<Group> groups;
  std::vector<std::array<Count, 2>> tasks;  // by job and kind
  Milliwatts flows = 0;                     // whatever the schedule does
  double unpaid = 0;                        // mW, of it: nobody's rent, or of slots that no task can use
  std::int64_t setup = 0, commit = 0;       // ms, of a job
  std::int64_t before = 0;                  // ms that a reduce may start before its job's last map ends
  std::int64_t earliest_end = 0;            // ms

 private:
  void add_rows(const Cluster& cluster, const EnergyBound& bound, const std::vector<Count>& sharing);
  void add_groups(const Workload& workload, const Cluster& cluster, const LeastEnergy& least,
                  const EnergyBound& bound);
};

}  // namespace wavewright
