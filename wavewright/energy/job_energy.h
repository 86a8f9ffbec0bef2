// Energy of a job's maps on each class of nodes, and the nodes that suit them best, for people:
//
//     E_map = E_total − P_idle · T     of a map of mean length, beside its block     [UNL eq 6.4]
//     ef                               efficiency of the class (PowerModel::efficiency)  [UNL eq 6.3]
//     h = ef · dop                     fitness of a node; dop: blocks of the job there / maps  [UNL eq 6.1]
//
// The orders are those of the policies (energy/ranking.h, energy/ideal.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/job/job.h"
#include "wavewright/sched/event.h"

namespace wavewright {

struct MapsOnClass {
  std::string node_class;
  double mean_map_ms = 0;  // on the class's first row of nodes
  // E_map, by a curve that on a full node; none where no power of maps is declared, or where a busy node
  // draws one power, whatever it runs.
  std::optional<double> map_j;
  // ef; none = above all numbers: maps are declared to add 0 W here, and more on the first class.
  std::optional<double> efficiency;
};

struct NodeFitness {
  std::string node;
  std::string node_class;
  Count blocks = 0;
  double overlap = 0;             // dop
  std::optional<double> fitness;  // h; none likewise
};

struct JobEnergy {
  JobIndex job = 0;
  std::vector<MapsOnClass> classes;  // the highest efficiency first, equal ones as in the cluster file
  // Nodes with blocks, best first: by h, then by ef, then by class and node. All others follow, with h = 0.
  std::vector<NodeFitness> nodes;
};

// For the jobs with maps, in the order of the workload, each with at most `nodes` nodes. `seed`: of
// drawn block places, as in the simulator. Throws what the simulator throws for a cluster that cannot be.
// O(nodes + tasks · copies · log + jobs · node rows).
[[nodiscard]] std::vector<JobEnergy> job_energies(const Workload& workload, const Cluster& cluster,
                                                  std::uint64_t seed, std::size_t nodes);

}  // namespace wavewright
