// A flat pool with a slow-start: the cluster of planners and of the flat simulator.
#pragma once

#include "wavewright/cluster/cluster.h"

namespace wavewright {

struct SlotCluster {
  SlotPool pool;
  double slowstart = 1.0;  // share of a job's maps that must be done before its reduces may start

  friend bool operator==(const SlotCluster&, const SlotCluster&) = default;
};

}  // namespace wavewright
